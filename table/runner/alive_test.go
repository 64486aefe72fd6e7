package runner_test

import (
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/runner"
)

// pulse counts how often a runner said that it is alive.
func pulse(o *runner.Options) (beats *atomic.Int64) {
	beats = new(atomic.Int64)
	o.AliveEvery, o.Alive = time.Second, func() { beats.Add(1) }
	return beats
}

// beat lets ten seconds pass, and wants so many beats in them.
func beat(t *testing.T, beats *atomic.Int64, what string, want int64) {
	t.Helper()
	beats.Store(0)
	pass(10 * time.Second)
	// The ticker keeps one beat for a runner that was away.
	if got := beats.Load(); got < want || got > want+1 {
		t.Errorf("%s said %d times in ten seconds that it is alive, not %d", what, got, want)
	}
}

// TestAlive: a runner is alive while nothing happens, and while it tries again to write, but not while it hangs: in a
// write, or in what it calls.
func TestAlive(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &memory{}
		o := options(t, m, wiesbaden(0))
		beats := pulse(&o)
		r := run(t, o)
		synctest.Wait()
		beat(t, beats, "a quiet table", 10)

		goOn := hang(t, r, m)
		beat(t, beats, "a runner whose write hangs", 0)
		goOn()
		beat(t, beats, "a runner whose write has finished", 10)

		planted := make(chan struct{})
		go r.SubmitIf(t.Context(), stake(1000), func(*table.Table) bool { <-planted; return false })
		synctest.Wait()
		beat(t, beats, "a runner that hangs", 0)
		close(planted)
		beat(t, beats, "a runner that goes on", 10)

		m.fail(true)
		go r.Submit(t.Context(), stake(1000))
		synctest.Wait()
		beat(t, beats, "a runner that cannot write", 10)
		m.fail(false)
		beat(t, beats, "a runner that can write again", 10)
		if err := r.end(); err != nil {
			t.Error(err)
		}
	})
}

// TestNeverAlive: nobody has to be told.
func TestNeverAlive(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := options(t, &memory{}, wiesbaden(0))
		o.Alive = func() { t.Error("a runner says that it is alive, although nobody asked for it") }
		r := run(t, o)
		pass(time.Hour)
		if err := r.end(); err != nil {
			t.Error(err)
		}
	})
}
