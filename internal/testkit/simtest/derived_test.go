package simtest_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/eclipse/paho.mqtt.golang/packets"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/internal/ops/config"
	"github.com/sabot-table/sabot/internal/testkit/brokertest"
	"github.com/sabot-table/sabot/internal/testkit/simtest"
	"github.com/sabot-table/sabot/internal/testkit/tier"
	"github.com/sabot-table/sabot/internal/totals"
	"github.com/sabot-table/sabot/pit/floor"
	"github.com/sabot-table/sabot/pit/replica"
	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/recall"
)

// derived is what a pit makes of a table's records.
type derived struct {
	*testing.T
	table *replica.Table
	boot  uint64
	views map[uint64]display.View // by the record up to which they go
	// alerts are those of the views by the event up to which they go, and sums the totals, in their order.
	alerts map[uint64]map[string]bool
	sums   []topic.Totals
	// stated, alerted and totaled count what the table has published that is the same, and starts those of its program.
	stated, alerted, totaled, starts int
}

// TestDerived: of the records that a table says by itself a pit makes what the table publishes as its state, its alerts
// and its totals, in nights with kills, corrections and everything else that goes wrong.
func TestDerived(t *testing.T) {
	houses := simtest.Houses().Names()
	var all derived
	for night := range tier.Times(2, 4) * len(houses) {
		s := simtest.Plan(uint64(night+1), makes())
		s.House = houses[night%len(houses)]
		s.Rounds = tier.Times(6, s.Rounds)
		t.Run(s.House, func(t *testing.T) {
			messages, kept := stormTapped(t, s)
			d := newDerived(t, kept)
			d.compare(messages)
			all.stated, all.alerted, all.totaled, all.starts = all.stated+d.stated, all.alerted+d.alerted,
				all.totaled+d.totaled, all.starts+d.starts
		})
	}
	t.Logf("%d states, %d alerts and %d totals of %d starts are the same", all.stated, all.alerted, all.totaled,
		all.starts)
	if all.stated < 100 || all.alerted < 20 || all.totaled < 20 || all.starts < 10 {
		t.Error("the test shows little")
	}
}

func newDerived(t *testing.T, kept *journal.Reader) *derived {
	t.Helper()
	name, err := topic.NewTable(simtest.Site, simtest.Name)
	if err != nil {
		t.Fatal(err)
	}
	d := &derived{T: t, views: map[uint64]display.View{}, alerts: map[uint64]map[string]bool{}}
	d.table = replica.NewTable(name, replica.LiveSource{
		Houses:  simtest.Houses(),
		Records: func(context.Context, topic.Table, string) (recall.Records, error) { return kept, nil },
		DayOf: func(at time.Time) time.Time {
			return totals.DayOf(at, time.Duration(config.Default().Journal.DayBegins))
		},
	})
	return d
}

// hear takes records one by one, as if each had come alone.
func (d *derived) hear(r topic.Records) {
	d.Helper()
	all := r.Records
	for i := range all {
		r.Records, r.Head.Record = all[i:i+1], r.After+1
		d.table.Hear(r, true)
		r.After++
		if d.table.Behind() {
			if err := d.table.CatchUp(d.Context()); err != nil {
				d.Fatal(err)
			}
		}
		rec, err := journal.ParseRecord(r.Frame(0))
		if err == nil {
			_, err = d.table.Count(d.Context(), time.Unix(0, rec.At), 1<<30)
		}
		if err != nil {
			d.Fatal(err)
		}
		if r.Boot != d.boot {
			d.boot, d.starts = r.Boot, d.starts+1
		}
		news := d.table.News()
		if news == nil || news.Behind || news.Unread || news.View.Seq != rec.Seq {
			d.Fatalf("after record %d of start %d the table is %+v", rec.Seq, r.Boot, news)
		}
		d.keep(&rec, news)
	}
}

func (d *derived) keep(rec *journal.Record, news *floor.Dealt) {
	d.views[rec.Seq] = news.View
	event := rec.FirstEvent - 1
	for range rec.Lines() {
		event++
	}
	if d.alerts[event] == nil {
		d.alerts[event] = map[string]bool{}
	}
	for i := range news.View.Alerts {
		d.alerts[event][encoded(d.T, news.View.Alerts[i])] = true
	}
	if news.Totals != nil {
		d.sums = append(d.sums, brokertest.Decode[topic.Totals](d.T, topic.AppendTotals(nil, *news.Totals)))
	}
}

func (d *derived) compare(messages []*packets.PublishPacket) {
	d.Helper()
	for _, p := range messages {
		if strings.HasSuffix(p.TopicName, "/"+topic.Stream) {
			d.hear(brokertest.Decode[topic.Records](d.T, p.Payload))
		}
	}
	for _, p := range messages {
		switch _, kind, _ := topic.Parse(p.TopicName); kind {
		case topic.KindState:
			d.state(brokertest.Decode[topic.State](d.T, p.Payload))
		case topic.KindAlert:
			if len(p.Payload) > 0 {
				d.alert(brokertest.Decode[topic.Alert](d.T, p.Payload))
			}
		case topic.KindTotals:
			d.total(brokertest.Decode[topic.Totals](d.T, p.Payload))
		}
	}
}

// state compares a state. While nothing can be recorded, health says so.
func (d *derived) state(s topic.State) {
	d.Helper()
	var v display.View
	if err := json.Unmarshal(s.View, &v); err != nil {
		d.Fatal(err)
	}
	got, heard := d.views[v.Seq]
	if !heard || v.Held != nil && v.Held.Code == irregularity.StorageFailing {
		return
	}
	d.stated++
	if is, want := encoded(d.T, got), encoded(d.T, v); is != want {
		d.Fatalf("after record %d the pit makes\n%s\nand start %d of the table says\n%s", v.Seq, is, s.Boot, want)
	}
}

func (d *derived) alert(a topic.Alert) {
	d.Helper()
	var one display.Alert
	if err := json.Unmarshal(a.Alert, &one); err != nil {
		d.Fatal(err)
	}
	heard := d.alerts[a.Sequence]
	if heard == nil || one.Code == irregularity.StorageFailing {
		return
	}
	if d.alerted++; !heard[encoded(d.T, one)] {
		d.Fatalf("with event %d the table says %s, and the pit makes %v", a.Sequence, a.Alert, heard)
	}
}

// total compares totals with the last that the pit has made up to their event.
func (d *derived) total(t topic.Totals) {
	d.Helper()
	if d.alerts[t.Sequence] == nil {
		return // it was not heard what came before
	}
	last := slices.IndexFunc(d.sums, func(one topic.Totals) bool { return one.Sequence > t.Sequence }) - 1
	if last < -1 {
		last = len(d.sums) - 1
	}
	if last < 0 {
		return
	}
	d.totaled++
	made := d.sums[last]
	for _, one := range []*topic.Totals{&t, &made} {
		one.Sequence, one.Time, one.Boot = 0, time.Time{}, 0
	}
	if is, want := encoded(d.T, made), encoded(d.T, t); is != want {
		d.Fatalf("the pit makes\n%s\nand the table says\n%s", is, want)
	}
}

func encoded(t *testing.T, what any) string {
	t.Helper()
	text, err := json.Marshal(what)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
