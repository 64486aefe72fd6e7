package simtest

import (
	"bytes"
	"context"
	"slices"
	"strings"

	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/audit"
	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/vocab"
)

// check asks after the storm what is on record.
func (w *World) check() {
	j, err := journal.NewReader("storm", w.disk)
	if err != nil {
		w.find("journal", "the journal cannot be read: %v", err)
		return
	}
	defer j.Close()
	table, err := topic.NewTable(Site, Name)
	if err != nil {
		w.find("pit", "%v", err)
		return
	}
	well := w.checkAudit(j, table)
	w.checkRecords(j)
	w.checkKeys(j)
	w.checkPit(j, table)
	w.afterVisits(well, w.broker.pit.hasAll(j))
}

// checkAudit is what `sabot journal audit` says with the audit key and with what the pit has heard, the second book
// included; well where it finds nothing.
func (w *World) checkAudit(j *journal.Reader, table topic.Table) (well bool) {
	w.takeKeys()
	report, err := audit.Run(context.Background(), j, audit.Options{
		Book: Houses(), AuditKeys: w.house.keys, Witness: w.broker.pit.witness(table),
	})
	if err != nil {
		w.find("audit", "%v", err)
		return false
	}
	for _, f := range report.Faults {
		w.find("audit", "%s, record %d, round %d: %s", f.Kind, f.Record, f.Round, f.What)
	}
	if report.Unchecked > 0 {
		w.find("audit", "%d rounds could not be checked", report.Unchecked)
	}
	return report.Well()
}

// position is a shoe's event, by its own number.
type position struct{ boot, seq uint32 }

// checkRecords compares the record with what left the shoes, and with what the table said is stored.
func (w *World) checkRecords(j *journal.Reader) {
	left := map[position]drawn{}
	told := slices.DeleteFunc(slices.Clone(w.hand.all), func(d drawn) bool { return d.untold })
	for _, d := range told {
		left[position{d.boot, d.seq}] = d
	}
	seen := map[position]uint64{}
	gapAt := int64(0) // the last time that a loss was told
	kinds := map[uint64]string{}
	for rec, err := range j.Records(1) {
		if err != nil {
			w.find("journal", "record %d: %v", rec.Seq, err)
			return
		}
		kind, _, _ := strings.Cut(strings.TrimPrefix(string(rec.Input), `{"in":"`), `"`)
		kinds[rec.Seq] = kind
		w.tally(rec, kind)
		for i := range w.damages {
			w.damages[i].see(rec, kind)
		}
		switch {
		case tellsLoss(rec, kind):
			gapAt = rec.At
		case kind == vocab.InCard.String() && w.keeps():
			w.checkCard(rec, left, seen)
		}
	}
	if w.keeps() {
		if never := len(told) - len(seen); w.named > never {
			w.find("doubled",
				"%d cards never came from the shoe, and the supervisor had to name %d: some are on record and on no "+
					"display", never, w.named)
		}
		for _, d := range told {
			if p := (position{d.boot, d.seq}); seen[p] == 0 && gapAt < d.at.UnixNano() {
				w.find("lost",
					"the card %s, event %d of the shoe %08x, is not in the journal, and no loss was told after it",
					d.card, d.seq, d.boot)
			}
		}
	}
	for _, d := range w.damages {
		if !d.told {
			w.find("untold",
				"the control characters %s came from the shoe after record %d, and no loss was told before %d more "+
					"cards were on record", d.what, d.after, soon)
		}
	}
	for _, a := range w.answers {
		if a.seq != 0 && kinds[a.seq] != a.kind.String() {
			w.find("forgotten", "the table said that input %d, %s, is stored; the journal has %q there", a.seq, a.kind,
				kinds[a.seq])
		}
	}
}

// tally counts an input that was taken.
func (w *World) tally(rec journal.Record, kind string) {
	if bytes.Contains(rec.Outputs, []byte(`{"out":"rejected"`)) {
		return
	}
	if kind == vocab.InCorrect.String() {
		_, what, _ := strings.Cut(string(rec.Input), `"what":"`)
		what, _, _ = strings.Cut(what, `"`)
		kind += " " + what
	}
	w.result.Inputs[kind]++
}

// checkCard compares a card on record with the one that left the shoe.
func (w *World) checkCard(rec journal.Record, left map[position]drawn, seen map[position]uint64) {
	p := position{rec.ShoeBoot, rec.ShoeSeq}
	name := cardOf(rec.Input)
	d, ok := left[p]
	switch {
	case p.boot == 0:
		w.find("invented", "record %d has the card %s without the shoe's number of it", rec.Seq, name)
	case seen[p] != 0:
		w.find("doubled", "event %d of the shoe %08x, %s, is in the journal twice: records %d and %d", p.seq, p.boot,
			name, seen[p], rec.Seq)
	case !ok:
		w.find("invented", "record %d has the card %s as event %d of the shoe %08x, which is none of its cards",
			rec.Seq, name, p.seq, p.boot)
	case name != d.card.String() && name != card.Unread.String():
		w.find("changed", "record %d has the card %s as event %d of the shoe %08x, which was %s", rec.Seq, name, p.seq,
			p.boot, d.card)
	}
	seen[p] = rec.Seq
}

// cardOf is the card of a card's line.
func cardOf(line []byte) string {
	_, rest, _ := strings.Cut(string(line), `"card":"`)
	name, _, _ := strings.Cut(rest, `"`)
	return name
}

// checkPit compares what the pit has with the journal.
func (w *World) checkPit(j *journal.Reader, table topic.Table) {
	b := w.broker
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, f := range b.pit.faults {
		w.find("pit", "%s", f)
	}
	events, err := j.Events(0, 1<<30)
	if err != nil {
		w.find("journal", "its events: %v", err)
		return
	}
	for i, e := range events {
		if i >= b.pit.whole {
			w.find("pit", "the pit has all events up to %d, and the journal up to %d", b.pit.whole, len(events))
			return
		}
		want, err := topic.AppendEvent(nil, table,
			topic.Record{Number: e.Number, Boot: e.Boot, At: e.At, Round: e.Round, Line: e.Line, Above: e.Above})
		if err != nil || !bytes.Equal(want, b.pit.events[i+1]) {
			w.find("pit", "the pit has event %d as %s; the journal has %s (%v)", i+1, b.pit.events[i+1], want, err)
			return
		}
	}
	if b.pit.last > len(events) {
		w.find("pit", "the pit has event %d, and the journal only %d", b.pit.last, len(events))
	}
}
