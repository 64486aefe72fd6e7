package publish

import (
	"errors"
	"log/slog"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sabot-table/sabot/internal/testkit/bubble"
	"github.com/sabot-table/sabot/pit/topic"
)

// TestFlow: silence is counted while something is under way, from the last that was sent first, or was acknowledged.
func TestFlow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFlow(10 * time.Second)
		silent := func() bool {
			select {
			case <-f.silence.C:
				return true
			default:
				return false
			}
		}
		bubble.Pass(time.Minute)
		if silent() {
			t.Error("nothing is under way, and the broker is silent")
		}
		f.sent(laneEvent)
		bubble.Pass(6 * time.Second)
		f.sent(laneState)
		f.sent(laneAlert)
		if f.count() != 3 || f.on(laneState, laneAlert) != 2 {
			t.Errorf("%d are under way, %d of them of the state", f.count(), f.on(laneState, laneAlert))
		}
		f.settled(laneEvent)
		bubble.Pass(9 * time.Second)
		if silent() {
			t.Error("the broker has answered since")
		}
		bubble.Pass(2 * time.Second)
		if !silent() {
			t.Error("the broker is not silent")
		}
		f.settled(laneState)
		f.settled(laneAlert)
		bubble.Pass(time.Minute)
		if silent() {
			t.Error("all is acknowledged, and the broker is silent")
		}
	})
}

// pages is a journal that gives what it has, page by page.
type pages struct {
	drawer
	list []topic.Record
	err  error
}

func (p *pages) Events(uint64, int) ([]topic.Record, error) {
	list := p.list
	p.list = nil
	return list, p.err
}

// TestEvents: each once and in order; a gap that the journal knows of is passed over, and for any other it is read
// again later.
func TestEvents(t *testing.T) {
	for name, c := range map[string]struct {
		list   []topic.Record
		err    error
		want   []uint64
		failed bool
	}{
		"in order":       {list: []topic.Record{{Number: 8}, {Number: 9}}, want: []uint64{8, 9}},
		"a gap it knows": {list: []topic.Record{{Number: 8}, {Number: 20, Above: true}}, want: []uint64{8, 20}},
		"another gap":    {list: []topic.Record{{Number: 8}, {Number: 20}}, want: []uint64{8}, failed: true},
		"one twice": {
			list: []topic.Record{{Number: 8}, {Number: 8, Above: true}}, want: []uint64{8},
			failed: true,
		},
		"it cannot be read": {err: errors.New("disk"), failed: true},
		"nothing new":       {},
	} {
		var failed error
		e := events{
			journal: &pages{list: c.list, err: c.err}, failed: func(err error) { failed = err },
			log: slog.New(slog.DiscardHandler), sent: 7,
		}
		var got []uint64
		for r, ok := e.next(); ok; r, ok = e.next() {
			got = append(got, r.Number)
		}
		if !slices.Equal(got, c.want) || (failed != nil) != c.failed || (e.resume != nil) != c.failed {
			t.Errorf("%s: %v, %v, reads on later: %t", name, got, failed, e.resume != nil)
		}
		if last := e.sent; len(got) > 0 && last != got[len(got)-1] {
			t.Errorf("%s: sent up to %d", name, last)
		}
	}
}

// TestTrials: a suspected topic is sent alone, once the connection has held, and is proven a while after its answer, or
// by the next one.
func TestTrials(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newAccess(time.Minute)
		var proven []string
		is := trials{
			access: &a, patience: 10 * time.Second, event: "event", began: time.Now(),
			pending: map[string]int{},
		}
		is.proven = func(key string) {
			is.over(key)
			a.proven(key)
			proven = append(proven, key)
		}
		for range suspectedAt {
			a.doubt([]string{"state", "alert"})
		}
		if is.open("state") || !is.open("health") {
			t.Error("a suspected topic is sent before the connection has held, or another one waits for it")
		}
		bubble.Pass(10 * time.Second)
		if !is.open("state") {
			t.Fatal("it has held")
		}
		is.begin("state")
		if is.open("alert") || is.alone != "state" {
			t.Error("two topics are tried at once")
		}
		if ends := is.ended(time.Now()); !slices.Equal(ends, []string{"state"}) {
			t.Errorf("a connection that ends now ends on %v", ends)
		}
		is.answered(&delivery{lane: laneState, key: "state"})
		if len(proven) > 0 || is.proof == nil {
			t.Errorf("its answer alone proves nothing: %v", proven)
		}
		is.begin("health")
		is.answered(&delivery{lane: laneHealth, key: "health"})
		if !slices.Equal(proven, []string{"state"}) || is.alone != "" || a.suspected("state") {
			t.Errorf("the next answer shows that it did not end the connection: %v", proven)
		}
		is.begin("alert")
		if !is.unanswered("alert") || is.unanswered("state") || len(is.pending) > 0 {
			t.Error("a trial without an answer is not given up")
		}
	})
}

// TestKept: what was held back for a trial is due after it, and at the end nothing is.
func TestKept(t *testing.T) {
	k := kept{stateHeld: true}
	k.release()
	if !k.stateDue || k.alertsDue || k.stateHeld {
		t.Errorf("%+v", k)
	}
	k.totaled()
	k.looked()
	k.enough()
	if k.stateDue || k.alertsDue || k.totalsDue {
		t.Errorf("%+v", k)
	}
}
