package transport

import (
	"errors"
	"net"
	"strings"
	"testing"
	"time"
)

func TestACauseIsTheSameWhateverThePort(t *testing.T) {
	failure := func(port int) error {
		return &net.OpError{Op: "read", Source: &net.TCPAddr{Port: port}, Err: errors.New("connection reset")}
	}
	d, err := New(Config{Broker: "tcp://pit"})
	if err != nil {
		t.Fatal(err)
	}
	if a, b := d.Explain(failure(1)), d.Explain(failure(2)); a.Error() == b.Error() || Cause(a) != Cause(b) {
		t.Errorf("%v and %v have the causes %q and %q", a, b, Cause(a), Cause(b))
	}
}

// Where nothing else may connect by the same name, as when a broker is only tried, no error ends in nothing to look
// for.
func TestNothingToLookFor(t *testing.T) {
	for twin, want := range map[string]bool{"": false, "a second table": true} {
		d, err := New(Config{Broker: "tcp://pit", Twin: twin})
		if err != nil {
			t.Fatal(err)
		}
		if told := d.Explain(errors.New("refused")).Error(); strings.Contains(told, "look for") != want ||
			!strings.HasSuffix(told, twin) {
			t.Errorf("with %q it says %s", twin, told)
		}
	}
}

func TestBackoff(t *testing.T) {
	b := Backoff{Least: 200 * time.Millisecond, Most: 10 * time.Second}
	for range 2 {
		for _, step := range []float64{0.2, 0.4, 0.8, 1.6, 3.2, 6.4, 10, 10} {
			if got := b.Next().Seconds(); got < step/2 || got > step {
				t.Errorf("the pause of %v s is %v s", step, got)
			}
		}
		b.Reset()
	}
}
