package device

import (
	"maps"
	"testing"
)

// counting is a port whose receiver counts; it has no more of a port than the test needs.
type counting struct {
	Port
	now    Losses
	counts bool
}

func (c *counting) Losses() (Losses, bool) { return c.now, c.counts }

func TestLossMeter(t *testing.T) {
	first := &counting{now: Losses{Overruns: 1<<32 - 1, Breaks: 7}, counts: true}
	var m LossMeter
	look := func(text string) {
		t.Helper()
		if got := m.Lost().String(); got != text {
			t.Errorf("lost %q, want %q", got, text)
		}
	}
	look("")
	m.Open(first)
	look("") // what was lost before is nobody's business
	first.now.Breaks = 8
	look("1 break")
	look("")
	// the count of overruns began again
	first.now = Losses{Overruns: 2, Framing: 3, Parity: 1, BufferOverruns: 1, Breaks: 8}
	look("2 overruns, 1 buffer overrun, 3 framing errors, 1 parity error")
	m.Open(&counting{now: Losses{Overruns: 9}})
	look("") // a port that does not count
	second := &counting{counts: true}
	m.Open(Tap(second, nil, nil))
	second.now.Overruns = 1
	look("1 overrun")
	got := map[string]uint64{}
	m.AddTo(got)
	if want := map[string]uint64{
		"overruns": 3, "buffer_overruns": 1, "framing_errors": 3, "parity_errors": 1,
		"breaks": 1,
	}; !maps.Equal(got, want) {
		t.Errorf("the counters are %v, want %v", got, want)
	}
}

// Neither a pseudo-terminal nor a network connection counts.
func TestPortsThatDoNotCount(t *testing.T) {
	onBoth(t, func(t *testing.T, open func(*testing.T, Settings) (Port, farEnd)) {
		port, _ := open(t, Settings{})
		var m LossMeter
		m.Open(port)
		m.Open(Tap(port, nil, nil))
		counters := map[string]uint64{}
		if m.AddTo(counters); len(counters) > 0 {
			t.Errorf("it counts: %v", counters)
		}
	})
}
