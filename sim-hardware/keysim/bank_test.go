package keysim

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sabot-table/sabot/device/keys"
	"github.com/sabot-table/sabot/internal/testkit/bubble"
)

// bouncing is a bank whose contacts bounce as bad ones do.
func bouncing(seed uint64) *Bank {
	return NewBank(BankOptions{Contacts: 3, Outputs: 2, Bounce: 15 * time.Millisecond, Seed: seed})
}

// watch reads a bank through a filter of buttons: two calls, the first with a long press, and one that is not a call.
// It returns their events.
func watch(t *testing.T, b *Bank) (told func() []keys.Event, stop func() error) {
	t.Helper()
	f := keys.New(keys.Settings{
		Contacts: []keys.Contact{{Call: true, Long: true}, {Call: true}, {}},
		Debounce: keys.UsualDebounce, Long: keys.UsualLong, Window: keys.UsualWindow, Stuck: keys.UsualStuck,
	})
	var mu sync.Mutex
	var events []keys.Event
	handle := func(e keys.Event, _ time.Duration) {
		mu.Lock()
		defer mu.Unlock()
		events = append(events, e)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- keys.Watch(ctx, b, f, handle) }()
	synctest.Wait()
	told = func() []keys.Event {
		synctest.Wait()
		mu.Lock()
		defer mu.Unlock()
		got := events
		events = nil
		return got
	}
	return told, func() error { cancel(); return <-ended }
}

func kinds(events []keys.Event) (list []string) {
	for _, e := range events {
		list = append(list, e.Kind.String()+" "+string(rune('0'+e.Key)))
	}
	return list
}

// TestBank presses bouncing, stuck and sparking contacts hundreds of times.
func TestBank(t *testing.T) {
	for seed := range uint64(50) {
		synctest.Test(t, func(t *testing.T) {
			b := bouncing(seed)
			told, stop := watch(t, b)
			for _, step := range []struct {
				do   func()
				want []string
			}{
				{func() { b.Press(1, 80*time.Millisecond) }, []string{"short 1"}},
				{func() { b.Press(0, 80*time.Millisecond) }, []string{"short 0"}},
				{func() { b.Press(0, 900*time.Millisecond) }, []string{"long 0"}},
				{func() { b.Spark(1) }, []string{"brief 1"}},
				{func() { b.Hold(1); b.ReleaseAfter(1, 0) }, []string{"brief 1"}},
				{func() { b.Hold(1); b.ReleaseAfter(1, 80*time.Millisecond) }, []string{"short 1"}},
				{
					func() { b.Hold(0); bubble.Pass(time.Second); b.ReleaseAfter(0, 900*time.Millisecond) },
					[]string{"long 0"},
				},
				{func() { b.Stick(1); b.Press(1, 100*time.Millisecond) }, []string{"short 1"}},
				{func() { b.Press(2, 50*time.Millisecond) }, []string{"short 2"}},
				{func() { bubble.Pass(10 * time.Second) }, []string{"stuck 1"}},
				{func() { b.Free(1) }, []string{"cleared 1"}},
				{func() { b.Chatter(2, 1500*time.Millisecond) }, []string{"unsteady 2", "cleared 2"}},
				{func() {
					b.Press(0, 100*time.Millisecond)
					bubble.Pass(50 * time.Millisecond)
					b.Press(1, 100*time.Millisecond)
				}, []string{"contradiction 1"}},
				{func() { b.Hold(2) }, []string{"short 2"}},
				{func() { b.Release(2) }, nil},
			} {
				step.do()
				bubble.Pass(2 * time.Second)
				if got := kinds(told()); !slices.Equal(got, step.want) {
					t.Errorf("seed %d: got %v, want %v", seed, got, step.want)
				}
			}
			if err := stop(); !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
		})
	}
}

// TestSameSeedSameBounces: a bank does the same every time, and its bounces are many.
func TestSameSeedSameBounces(t *testing.T) {
	press := func(seed uint64) (edges []keys.Edge) {
		synctest.Test(t, func(t *testing.T) {
			b := bouncing(seed)
			for range 10 {
				b.Press(1, 100*time.Millisecond)
				bubble.Pass(time.Second)
			}
			edges, _, _ = b.Wait(t.Context(), 0)
		})
		return edges
	}
	first := press(1)
	if !slices.Equal(first, press(1)) || slices.Equal(first, press(2)) {
		t.Error("the seed does not decide the bounces")
	}
	if len(first) < 30 {
		t.Errorf("ten presses have %d edges", len(first))
	}
	if !slices.IsSortedFunc(first, func(a, b keys.Edge) int { return int(a.At - b.At) }) {
		t.Errorf("the edges are not in their order: %v", first)
	}
}

// TestHeldAtTheStart: of what happened before a bank is watched, only the final state counts.
func TestHeldAtTheStart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := bouncing(1)
		b.Hold(1)
		bubble.Pass(time.Second)
		told, stop := watch(t, b)
		if got := kinds(told()); !slices.Equal(got, []string{"held 1"}) {
			t.Errorf("got %v", got)
		}
		stop()
	})
}

// TestUnplug: keys that are unplugged are gone, and found as they are; outputs are as they were set meanwhile.
func TestUnplug(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := bouncing(1)
		told, stop := watch(t, b)
		b.Unplug()
		if missing, _ := b.Missing(); len(missing) != 1 || !slices.Equal(missing[0].Contacts, []int{0, 1, 2}) ||
			!slices.Equal(missing[0].Outputs, []int{0, 1}) || !errors.Is(missing[0].Err, ErrUnplugged) {
			t.Errorf("missing are %v", missing)
		}
		if err := b.Set(0, true); err != nil {
			t.Error(err)
		}
		b.Hold(1)
		b.Press(0, 50*time.Millisecond)
		bubble.Pass(time.Second)
		if outputs, _ := b.Look(); outputs[0].On {
			t.Error("an unplugged output is on")
		}
		b.Plug()
		bubble.Pass(time.Second)
		if missing, _ := b.Missing(); len(missing) > 0 {
			t.Errorf("missing are still %v", missing)
		}
		if outputs, _ := b.Look(); !outputs[0].On {
			t.Error("the output is off")
		}
		b.UnplugSome([]int{1}, nil)
		b.Press(0, 50*time.Millisecond)
		bubble.Pass(time.Second)
		if got := kinds(told()); !slices.Equal(got, []string{
			"gone 0", "gone 1", "gone 2", "held 1", "gone 1",
			"short 0",
		}) {
			t.Errorf("got %v", got)
		}
		stop()
	})
}

func TestOutputs(t *testing.T) {
	b := bouncing(1)
	for _, on := range []bool{true, true, false, true} {
		if err := b.Set(1, on); err != nil {
			t.Fatal(err)
		}
	}
	got, err := b.Await(t.Context(), func(o []Output) bool { return o[1].On })
	if err != nil || !slices.Equal(got, []Output{{}, {On: true, Times: 2}}) {
		t.Errorf("the outputs are %v, %v", got, err)
	}
	if err := b.Close(); err != nil {
		t.Error(err)
	}
	if got, _ := b.Look(); got[1].On {
		t.Error("an output is on after the end")
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := b.Await(ended, func(o []Output) bool { return o[0].On }); !errors.Is(err, context.Canceled) {
		t.Errorf("waiting for what does not come: %v", err)
	}
}
