package main

import (
	"encoding/json"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/brokertest"
	"github.com/sabot-table/sabot/internal/testkit/tier"
	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/table/journal"
)

// TestTheJournalIsCopied kills the table and the broker in mid-round, again and again. A reader that
// fetches then has every record of the journal, byte for byte, and one who connects only now has
// the totals of all rounds, also of one that ended right before the table was switched off.
func TestTheJournalIsCopied(t *testing.T) {
	tier.Soak(t, "built programs run for seconds")
	t.Parallel()
	w := newWorld(t, nil)
	w.hurry()
	name, err := topic.NewTable("test", "bj-1")
	if err != nil {
		t.Fatal(err)
	}
	copyist := brokertest.KeepCopy(t, w.broker.Addr(), name, "pit")
	rounds, kills := tier.Times[uint64](3, 6), tier.Times(4, 8)
	process := w.start()
	d := w.deal(rounds)
	for n := range kills {
		d.stop(7)
		if n%2 == 0 {
			process.Kill()
			process = w.start()
		} else {
			w.broker.Kill()
			w.broker.Start()
		}
		if n == kills-1 {
			w.awaitConnected(name) // a table that is stopped while it waits for the broker tells it no more
		}
		d.goOn(nil)
	}
	d.finish()
	process.Stop() // at once, so that the last round is counted at the end
	brokertest.Until(t, "a late reader has the totals of all rounds", func() bool {
		late := brokertest.Subscribe(t, w.broker.Addr(), name.Topic(topic.KindTotals))
		brokertest.Until(t, "totals come", func() bool { return len(late.Messages()) > 0 })
		m := late.Messages()[0]
		if err := brokertest.ValidSchema(m.Topic, m.Payload); err != nil {
			t.Fatal(err)
		}
		var totals topic.Totals
		if err := json.Unmarshal(m.Payload, &totals); err != nil {
			t.Fatal(err)
		}
		return totals.Day.Rounds == rounds
	})
	process = w.start() // so that what was written at the end is fetched, too
	defer process.Stop()

	j, err := journal.OpenReadOnly(w.path)
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	brokertest.Until(t, "all is copied", func() bool {
		head, _, err := j.Head()
		id, record := copyist.Has()
		return err == nil && id == j.ID() && record == head
	})
	for rec, err := range j.Records(1) {
		if err != nil {
			t.Fatal(err)
		}
		text := copyist.Text(j.ID(), rec.Seq)
		if copied, err := journal.ParseRecord([]byte(text)); err != nil || copied.Hash != rec.Hash ||
			string(copied.Input) != string(rec.Input) || string(copied.Outputs) != string(rec.Outputs) {
			t.Fatalf("record %d was copied as %q (%v)", rec.Seq, text, err)
		}
	}
	if gaps, former := copyist.Gaps(); len(gaps) > 0 || len(former) > 0 || copyist.RolledBack() > 0 {
		t.Errorf("there are gaps %v, former journals %v, and it was rolled back %d times", gaps, former,
			copyist.RolledBack())
	}
}

// awaitConnected waits until a broker that was just started, and has kept nothing, hears from the table.
func (w *world) awaitConnected(name topic.Table) {
	w.t.Helper()
	status := brokertest.Subscribe(w.t, w.broker.Addr(), name.Topic(topic.KindStatus))
	brokertest.Until(w.t, "the broker hears from the table", func() bool { return len(status.Messages()) > 0 })
}
