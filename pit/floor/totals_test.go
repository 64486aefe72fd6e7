package floor_test

import (
	"reflect"
	"testing"
	"time"

	"github.com/sabot-table/sabot/pit/floor"
	"github.com/sabot-table/sabot/pit/topic"
)

// totalsOf are what the room's table says that it has come to.
func (r *room) totalsOf(boot, sequence, rounds uint64) []byte {
	return topic.AppendTotals(nil, topic.Totals{
		Site: r.table.Site(), Table: r.table.Name(), Boot: boot, Sequence: sequence, Time: r.now.Add(r.skew),
		Day: topic.Period{
			Since: evening, Rounds: rounds,
			Irregularities: map[string]uint64{"unread-card": rounds / 10},
		},
		Shift: &topic.Period{
			Since: evening.Add(time.Hour), Dealer: "Anna", Rounds: rounds / 2,
			Irregularities: map[string]uint64{},
		},
		Dealers: []topic.Period{{
			Since: evening, Dealer: "Bruno", Rounds: rounds - rounds/2,
			Irregularities: map[string]uint64{},
		}},
	})
}

func (r *room) wantsRounds(want uint64) {
	r.Helper()
	if got, ok := r.Totals(r.table); !ok || got.Day.Rounds != want {
		r.Errorf("the day has %d rounds (%t), want %d", got.Day.Rounds, ok, want)
	}
}

// TestTotals: what the table has come to is what it said last, whatever order a broker sends it in.
func TestTotals(t *testing.T) {
	r := newRoom(t, floor.Options{})
	r.connects()
	if _, ok := r.Totals(r.table); ok {
		t.Error("there are totals of which nothing was heard")
	}
	old, mended := r.totalsOf(7, 90, 30), r.totalsOf(7, 100, 40)
	r.hear(topic.KindTotals, mended)
	r.hear(topic.KindTotals, old) // retained, and late
	r.wantsRounds(40)
	r.hear(topic.KindTotals, r.totalsOf(7, 100, 0)) // the gaming day is over, and nobody has dealt since
	r.wantsRounds(0)
	r.boot = 8
	r.connects()
	r.hear(topic.KindTotals, r.totalsOf(7, 900, 50))
	r.wantsRounds(0)
	r.hear(topic.KindTotals, r.totalsOf(8, 100, 41))
	r.wantsRounds(41)
	if err := r.Hear(r.table.Topic(topic.KindTotals), []byte("{"), r.now); err == nil {
		t.Error("half a message is taken")
	}
	r.wantsRounds(41)

	// A new journal counts its starts anew: what was said of the other one says nothing of it.
	r.boot, r.journal = 1, journalB
	r.live(time.Minute)
	if got, ok := r.Totals(r.table); ok {
		t.Errorf("the totals of the former journal stay: %+v", got)
	}
	r.hear(topic.KindTotals, r.totalsOf(1, 3, 1))
	r.wantsRounds(1)
}

// TestWhoComesInMidShift hears only what the broker has retained, and knows what those know who were there.
func TestWhoComesInMidShift(t *testing.T) {
	there := newRoom(t, floor.Options{})
	there.connects()
	for n := uint64(1); n <= 60; n++ {
		there.hear(topic.KindTotals, there.totalsOf(7, 10*n, n))
	}
	late := newRoom(t, floor.Options{})
	late.hear(topic.KindTotals, late.totalsOf(7, 600, 60)) // before anything else
	late.connects()
	a, _ := there.Totals(there.table)
	b, ok := late.Totals(late.table)
	if !ok || !reflect.DeepEqual(a, b) {
		t.Errorf("who was there has\n%+v\nand who came late\n%+v", a, b)
	}
}
