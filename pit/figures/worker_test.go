package figures

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sabot-table/sabot/internal/testkit/bubble"
	"github.com/sabot-table/sabot/internal/testkit/tier"
	"github.com/sabot-table/sabot/table/odds"
	"github.com/sabot-table/sabot/table/odds/dealt"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/rules"
)

// finder stands for the work: each house takes ten seconds, and tells each second how far it is.
type finder struct {
	begun []string
	// both is set if two were worked out at the same time.
	busy, both bool
	fail       func(name string) error
}

func (f *finder) find(ctx context.Context, r *rules.Rules, told func(float64)) (*Worth, error) {
	f.both = f.both || f.busy
	f.busy = true
	defer func() { f.busy = false }()
	f.begun = append(f.begun, r.Fingerprint)
	for i := range 10 {
		bubble.Pass(time.Second)
		told(float64(i+1) / 10)
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	if f.fail != nil {
		if err := f.fail(r.Fingerprint); err != nil {
			return nil, err
		}
	}
	return &Worth{Wagers: []odds.Wager{{Name: r.Fingerprint}}}, nil
}

func houseNamed(name string) *rules.Rules { return &rules.Rules{Fingerprint: name} }

// try runs a test with a worker in a time of its own.
func try(t *testing.T, f *finder, test func(w *Worker)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		w := NewWorker(slog.New(slog.DiscardHandler))
		w.find = f.find
		defer w.Close()
		test(w)
	})
}

// after waits, and until everybody else does, too.
func after(d time.Duration) {
	bubble.Settle(d)
}

// TestOnce: a house is worked out once, in the background, however often it is asked for.
func TestOnce(t *testing.T) {
	f := &finder{}
	try(t, f, func(w *Worker) {
		a := houseNamed("a")
		if got := w.Of(a); got.State != Working || got.Worth != nil {
			t.Errorf("at first: %+v", got)
		}
		after(3500 * time.Millisecond)
		if got := w.Of(a); got.State != Working || got.Part != .3 {
			t.Errorf("on the way: %+v", got)
		}
		after(7 * time.Second)
		for range 3 {
			if got := w.Of(a); got.State != Ready || got.Wagers[0].Name != "a" {
				t.Errorf("at last: %+v", got)
			}
		}
		if len(f.begun) != 1 {
			t.Errorf("begun: %v", f.begun)
		}
	})
}

// TestOneAtATime: others wait in the order in which they were asked for.
func TestOneAtATime(t *testing.T) {
	f := &finder{}
	try(t, f, func(w *Worker) {
		all := []*rules.Rules{houseNamed("a"), houseNamed("b"), houseNamed("c")}
		for range 40 {
			for _, r := range all {
				w.Of(r)
			}
			after(time.Second)
		}
		for _, r := range all {
			if got := w.Of(r); got.State != Ready {
				t.Errorf("%s: %+v", r.Fingerprint, got)
			}
		}
		if f.both || fmt.Sprint(f.begun) != "[a b c]" {
			t.Errorf("begun: %v, two at a time: %t", f.begun, f.both)
		}
	})
}

// TestLeft: what nobody asks for any more is ended, or not begun, and begins anew when somebody asks again.
func TestLeft(t *testing.T) {
	f := &finder{}
	try(t, f, func(w *Worker) {
		names := []string{"a", "b", "c", "d", "e"}
		for _, name := range names {
			w.Of(houseNamed(name))
		}
		after(2 * time.Minute)
		if fmt.Sprint(f.begun) != "[a b c d]" { // the fourth is ended in its first second
			t.Errorf("begun: %v", f.begun)
		}
		if got := w.Of(houseNamed("e")); got.State != Working {
			t.Errorf("asked for again: %+v", got)
		}
		after(11 * time.Second)
		if got := w.Of(houseNamed("e")); got.State != Ready {
			t.Errorf("worked out after all: %+v", got)
		}
	})
}

// TestKept: only so many houses are kept, and those go that nobody has asked for the longest.
func TestKept(t *testing.T) {
	f := &finder{}
	try(t, f, func(w *Worker) {
		for i := range mostKept + 5 {
			w.Of(houseNamed(fmt.Sprint(i)))
			after(11 * time.Second)
			w.Of(houseNamed("0"))
		}
		if len(w.houses) != mostKept {
			t.Errorf("%d houses are kept", len(w.houses))
		}
		if w.houses["0"] == nil || w.houses["1"] != nil {
			t.Error("another went than the one that was asked for the longest ago")
		}
	})
	try(t, &finder{}, func(w *Worker) { // all of them wait
		for i := range mostKept * 10 {
			w.Of(houseNamed(fmt.Sprint(i)))
		}
		if len(w.houses) != mostKept || len(w.queue) > mostKept {
			t.Errorf("%d are kept, %d wait", len(w.houses), len(w.queue))
		}
	})
}

// TestFailed: a house that cannot be worked out, or on which Sabot itself fails, is no other's trouble, and is not
// tried again.
func TestFailed(t *testing.T) {
	f := &finder{fail: func(name string) error {
		switch name {
		case "bad":
			return errors.New("no such game")
		case "worse":
			panic("no such game")
		}
		return nil
	}}
	try(t, f, func(w *Worker) {
		for range 2 {
			for name, want := range map[string]State{"bad": Failed, "worse": Failed, "good": Ready} {
				w.Of(houseNamed(name))
				after(40 * time.Second)
				if got := w.Of(houseNamed(name)); got.State != want {
					t.Errorf("%s: %+v", name, got)
				}
			}
		}
		if len(f.begun) != 3 {
			t.Errorf("begun: %v", f.begun)
		}
	})
}

// TestClose ends the work at once, and begins none.
func TestClose(t *testing.T) {
	f := &finder{}
	try(t, f, func(w *Worker) {
		w.Of(houseNamed("a"))
		w.Of(houseNamed("b"))
		synctest.Wait()
		w.Close()
		if got := w.Of(houseNamed("c")); got.State != Waiting || len(f.begun) != 1 || f.busy {
			t.Errorf("after the end: %+v, begun %v", got, f.begun)
		}
	})
}

// TestFind works out rules of a house's own, of which a side bet has to be dealt, and in make soak a house that comes
// with Sabot.
func TestFind(t *testing.T) {
	tier.Landing(t, "odds that are worked out")
	rounds := int64(tier.Times(20_000, 100_000))
	last := 0.0
	told := func(part float64) {
		if part < last || part > 1 {
			t.Errorf("%v of it is done after %v", part, last)
		}
		last = part
	}
	wiesbaden := profile.Built()["wiesbaden"]
	wagers, _ := dealt.Known(wiesbaden.Rules)
	if tier.InSoak() {
		is, err := find(t.Context(), wiesbaden.Rules, rounds, told)
		if err != nil {
			t.Fatal(err)
		}
		if len(is.Chart.Rows) < 30 || len(is.Wagers) != len(wagers) || last != 1 {
			t.Errorf("%d rows, %d wagers, %v done", len(is.Chart.Rows), len(is.Wagers), last)
		}
		last = 0
	}
	changed, err := profile.WhatIf(wiesbaden, []string{"pays.black_jack=6:5"})
	if err != nil {
		t.Fatal(err)
	}
	own, err := find(t.Context(), changed.Rules, rounds, told)
	if err != nil {
		t.Fatal(err)
	}
	if len(own.Chart.Rows) < 30 || len(own.Wagers) < 4 {
		t.Errorf("%d rows, %d wagers", len(own.Chart.Rows), len(own.Wagers))
	}
	if more := own.Wagers[0].Edge - wagers[0].Edge; more < .012 || more > .015 { // 0.3 of a Black Jack in 21
		t.Errorf("6:5 costs %.4f", more)
	}
	i := len(own.Wagers) - 1
	if w := own.Wagers[i]; w.Name != "crazy-twins" || w.Method != odds.Simulated || w.Rounds != rounds || last != 1 {
		t.Errorf("the last wager is %+v, %v done", w, last)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if _, err := find(ctx, changed.Rules, rounds, func(float64) {}); !errors.Is(err, context.Canceled) {
		t.Errorf("a work that was ended ends with %v", err)
	}
}
