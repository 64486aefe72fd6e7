package floor_test

import (
	"testing"
	"time"

	"github.com/sabot-table/sabot/pit/floor"
	"github.com/sabot-table/sabot/pit/topic"
)

func (r *room) counts(rounds uint64) {
	r.Helper()
	r.dealt(floor.Dealt{View: r.view, Totals: &topic.Totals{Day: topic.Period{Since: evening, Rounds: rounds}}})
}

func (r *room) wantsRounds(want uint64) {
	r.Helper()
	if got, ok := r.Totals(r.table); !ok || got.Day.Rounds != want {
		r.Errorf("the day has %d rounds (%t), want %d", got.Day.Rounds, ok, want)
	}
}

// TestTotals: what the table has come to is what was counted last, also while nothing else is.
func TestTotals(t *testing.T) {
	r := newRoom(t, floor.Options{})
	r.connects()
	if _, ok := r.Totals(r.table); ok {
		t.Error("there are totals of which nothing was counted")
	}
	r.counts(40)
	r.state()
	r.wantsRounds(40)
	r.counts(0) // the gaming day is over, and nobody has dealt since
	r.wantsRounds(0)
	r.boot = 8
	r.connects()
	r.wantsRounds(0)

	// A new journal counts its starts anew: what was counted of the other one says nothing of it.
	r.boot, r.journal = 1, journalB
	r.live(time.Minute)
	if got, ok := r.Totals(r.table); ok {
		t.Errorf("the totals of the former journal stay: %+v", got)
	}
	r.counts(1)
	r.wantsRounds(1)
}
