package main

import (
	"log/slog"
	"math/rand/v2"
	"path/filepath"
	"testing"
	"time"

	"github.com/sabot-table/sabot/internal/testkit/journaltest"
	"github.com/sabot-table/sabot/internal/testkit/processes"
	"github.com/sabot-table/sabot/internal/testkit/tier"
	"github.com/sabot-table/sabot/pit/store"
	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/pit/tray"
	"github.com/sabot-table/sabot/table/vocab"
)

// pitBeside keeps what a table records as the pit does, while the table deals, and compares at each count and at the
// close of each day what it says of the tray with what lies there.
type pitBeside struct {
	t      *testing.T
	night  *journaltest.Night
	source string
	table  topic.Table
	store  *store.Store
	dice   *rand.Rand
	began  time.Time
	days   int
	// lines are what the pit keeps of the tray's events, compared is at how many counts it was asked what must be in
	// the tray, and boxes is how many drop boxes were opened.
	lines           trayLines
	compared, boxes int
}

func newPitBeside(t *testing.T, n *journaltest.Night, seed uint64) *pitBeside {
	t.Helper()
	p := &pitBeside{
		t: t, night: n, source: filepath.Join(processes.FastDir(t), "pit.db"), table: theTable(t),
		dice: rand.New(rand.NewPCG(seed, tier.Times(35, tier.Seed()))), began: n.Now,
	}
	p.store = openPit(t, p.source)
	t.Cleanup(func() { closePit(t, p.store) })
	n.BeforeCount = p.beforeCount
	return p
}

func openPit(t *testing.T, source string) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), store.Options{
		Source: source, Day: gamingDay, Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func closePit(t *testing.T, s *store.Store) {
	t.Helper()
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

func theTable(t *testing.T) topic.Table {
	t.Helper()
	table, err := topic.NewTable("wiesbaden", "bj-1")
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// now is what the pit says of the tray, by all that is recorded. Now and then the pit is started anew before.
func (p *pitBeside) now() *tray.Now {
	p.t.Helper()
	if p.dice.IntN(30) == 0 {
		closePit(p.t, p.store)
		p.store = openPit(p.t, p.source)
	}
	if err := p.store.Refill(p.t.Context(), p.table, p.night.Journal.Reader, nil); err != nil {
		p.t.Fatal(err)
	}
	all, err := p.store.Trays(p.t.Context())
	if err != nil {
		p.t.Fatal(err)
	}
	return all[p.table]
}

// beforeCount asks the pit what must be in the tray.
func (p *pitBeside) beforeCount() {
	p.t.Helper()
	now, cash := p.now(), p.night.Cash
	if now == nil || now.Count == nil {
		return // nobody has counted it
	}
	p.compared++
	if must := cash.Held() + cash.Stolen; !now.Known || now.Must != must {
		p.t.Fatalf("day %d: %d must be in the tray; the pit says %d, %t, since %+v", p.days, must, now.Must, now.Known,
			now.Count)
	}
}

// day deals a gaming day, and closes it.
func (p *pitBeside) day(rounds int) {
	p.t.Helper()
	p.night.Now = p.began.AddDate(0, 0, p.days)
	p.days++
	cash := p.night.Cash
	won, thefts := cash.Adjusted-cash.Chips, cash.Thefts
	p.night.Day(rounds)
	won, stolen := won+cash.Chips-cash.Adjusted, int64(cash.Thefts-thefts)*10_000
	switch now := p.now(); {
	case now.Count == nil || now.Count.Told.Count != vocab.CountClosing || now.Rounds != 0 || len(now.Slips) > 0:
		p.t.Fatalf("day %d is closed; the pit says %+v", p.days, now)
	case !now.Known || now.Must != cash.Held():
		p.t.Fatalf("day %d ends with %d in the tray; the pit says %d, %t", p.days, cash.Held(), now.Must, now.Known)
	}
	over, open := p.openBoxes()
	d := p.close()
	if !d.Counted() || !d.Closed || d.Doubtful || d.Uncounted() != open {
		p.t.Fatalf("the close of day %d, of whose boxes %d are not opened: %+v", p.days, open, d)
	}
	if d.Rounds != won || d.Win() != won-stolen+over {
		p.t.Errorf("day %d has won %d, %d are stolen, and %d too much are in the boxes; it closes with %d by count, "+
			"and with %d by its rounds", p.days, won, stolen, over, d.Win(), d.Rounds)
	}
	for i := range d.Between {
		if one := &d.Between[i]; one.Lacks != 0 {
			p.t.Errorf("day %d: the pit lacks %d between %+v and %+v", p.days, one.Lacks, one.From, one.To)
		}
	}
}

// records are what the pit closes the day by.
func (p *pitBeside) records() *tray.Records {
	p.t.Helper()
	all, err := p.store.TrayDay(p.t.Context(), gamingDay.Of(p.night.Now))
	if err != nil || all[p.table] == nil {
		p.t.Fatalf("%+v, %v", all, err)
	}
	return all[p.table]
}

// openBoxes enters what was in the day's drop boxes: how much over that is what must be in them, and how many boxes are
// left.
func (p *pitBeside) openBoxes() (over int64, open int) {
	p.t.Helper()
	d := tray.DayOf(p.records())
	for i := range d.Boxes {
		more := []int64{0, 0, 5000, -20_000}[p.dice.IntN(4)]
		box := tray.Opened{At: p.night.Now, Who: "cora", Role: "cashier", Amount: d.Boxes[i].Must + more}
		if off := d.Boxes[i].Off; off != nil {
			box.Journal, box.Record = off.Journal, off.Record
		}
		switch p.dice.IntN(4) {
		case 0:
			open++
			continue
		case 1: // was entered wrongly first
			wrong := box
			wrong.Amount += 100
			p.enter(wrong)
			box.Reason = "a bundle was left out"
		}
		p.enter(box)
		p.boxes++
		over += more
	}
	return over, open
}

func (p *pitBeside) enter(box tray.Opened) {
	p.t.Helper()
	if err := p.store.CountDrop(p.t.Context(), p.table, gamingDay.Of(p.night.Now), box); err != nil {
		p.t.Fatal(err)
	}
}

// close is the day as the pit closes it. Its events go with the lines.
func (p *pitBeside) close() tray.Day {
	p.t.Helper()
	r := p.records()
	for i := range r.Events {
		e := &r.Events[i]
		if e.At.Before(r.From) || e.Of == vocab.InAdjust {
			continue
		}
		one := trayLine{
			Out: vocab.TrayMoved.String(), In: e.Of.String(), Event: e.Told.Step.String(), Amount: &e.Told.Amount,
		}
		if e.Of == vocab.InCount {
			one.Out, one.Event = vocab.Counted.String(), e.Told.Count.String()
			one.Difference = &e.Told.Difference
		}
		if e.Known {
			one.Tray = &e.Must
		}
		p.lines = append(p.lines, one)
	}
	return tray.DayOf(r)
}

// follows: what the pit keeps of the trays follows from the records.
func (p *pitBeside) follows() {
	p.t.Helper()
	if differ, err := p.store.Compare(p.t.Context(), nil); err != nil || len(differ) > 0 {
		p.t.Errorf("what the pit keeps does not follow from the records: %v, %v", differ, err)
	}
}
