// Package totals counts what a table has come to since its gaming day began and in the shift of
// the present dealer: from its journal, which it reads after the table has written, so that no
// deal waits for it.
//
// It is no part of the table's host, nor of the pit, which both ask it: it knows a journal, and no running table.
package totals

import (
	"encoding/hex"
	"time"

	"github.com/sabot-table/sabot/pit/tally"
	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/recall"
	"github.com/sabot-table/sabot/table/transcript"
	"github.com/sabot-table/sabot/table/vocab"
)

// Count is what a table has come to up to a record.
type Count struct {
	rules *recall.Recall
	lines *transcript.Parser
	fold  *tally.Fold

	// start is when the gaming day began.
	start time.Time
	// record and event are the last that are counted, and at is when it was.
	record, event uint64
	at            time.Time

	day   *period
	shift *period // nil while nobody is signed in
	// dealers are the day by who dealt, and present is who deals.
	dealers map[dealing]*period
	present dealing
	// changed says that the totals are others than at the last look.
	changed bool
}

// period is what a table has come to since a moment.
type period struct {
	since time.Time
	dealing
	sums map[played]tally.Sums
}

// dealing is a dealer in a shift; its zero value is nobody.
type dealing struct{ dealer, shift string }

// played is what wagers have in common; its zero value is that of irregularities.
type played struct{ game, currency string }

func newPeriod(since time.Time, by dealing) *period {
	return &period{since: since, dealing: by, sums: map[played]tally.Sums{}}
}

// of are the sums of what is played.
func (p *period) of(game, currency string) tally.Sums {
	of := played{game, currency}
	if p.sums[of] == nil {
		p.sums[of] = tally.Sums{}
	}
	return p.sums[of]
}

// DayOf is when the gaming day began to which a moment belongs, by the clock of the moment's
// place.
func DayOf(at time.Time, begins time.Duration) time.Time {
	year, month, day := at.Date()
	start := time.Date(year, month, day, 0, 0, 0, int(begins), at.Location())
	if at.Before(start) {
		start = time.Date(year, month, day-1, 0, 0, 0, int(begins), at.Location())
	}
	return start
}

// Start is when its gaming day began.
func (c *Count) Start() time.Time { return c.start }

// Last is the last record that is counted.
func (c *Count) Last() uint64 { return c.record }

// Record counts the next record.
func (c *Count) Record(rec *journal.Record) error {
	in, _ := c.lines.ReadInput(rec.Input) // of what it does not know, nothing follows
	if in.Kind == vocab.InSetup && in.Setup != nil {
		var err error
		if in.Rules, err = c.rules.RulesOf(*in.Setup); err != nil {
			return err
		}
	}
	one := tally.Record{Seq: rec.Seq, At: time.Unix(0, rec.At), In: &in}
	if len(rec.Rules) > 0 {
		one.Rules = hex.EncodeToString(rec.Rules)
	}
	events := uint64(0)
	for line := range rec.Lines() {
		events++
		if out, ok := c.lines.ReadOutput(line); ok {
			one.Outs = append(one.Outs, out)
		}
	}
	c.record, c.event, c.at = rec.Seq, rec.FirstEvent-1+events, one.At
	c.takeOver(&one)
	c.add(c.fold.Record(one))
	return nil
}

// takeOver begins a new shift where another dealer takes over.
func (c *Count) takeOver(r *tally.Record) {
	for i := range r.Outs {
		if out := &r.Outs[i]; out.Kind == vocab.DealerChanged {
			c.shift, c.present, c.changed = nil, dealing{out.By, out.Dealer.Shift}, true
			if out.By != "" {
				c.shift = newPeriod(r.At, c.present)
			}
		}
	}
}

// add counts what a record has brought. A round is of the gaming day in which it was opened, as it is in the pit's
// sums, and of the shift only if its dealer began it.
func (c *Count) add(s tally.Step) {
	for i := range s.Raised {
		one := &s.Raised[i]
		for _, p := range c.periods(one.Raised, one.Raised, c.present, true) {
			p.of("", "").Irregularity(one)
		}
	}
	if s.Reopened != nil {
		c.count(s.Reopened, -1)
	}
	if s.Ended != nil {
		c.count(s.Ended, 1)
	}
	if a := s.Adjusted; a != nil { // the tray of whoever deals has so much less
		for _, p := range c.periods(a.Opened, a.At, dealing{a.Dealer, a.Shift}, true) {
			p.of(a.Game, a.Currency).Adjustment(a, false)
		}
	}
}

// count counts a round, or takes it out whose payment is taken back: it is under way again.
func (c *Count) count(r *tally.Round, times int64) {
	by := dealing{r.Dealer, r.Shift}
	inShift := c.shift != nil && c.shift.dealing == by && !r.Opened.Before(c.shift.since)
	for _, p := range c.periods(r.Opened, r.Opened, by, inShift) {
		p.of(r.Game, r.Currency).Round(r, times)
	}
}

// periods are those to which something belongs that is of a round opened, or an irregularity raised, at a moment. A
// dealer of the day has one from their first on.
func (c *Count) periods(at, first time.Time, by dealing, inShift bool) (list []*period) {
	c.changed = true
	if !at.Before(c.day.since) {
		if c.dealers[by] == nil {
			c.dealers[by] = newPeriod(first, by)
		}
		list = append(list, c.day, c.dealers[by])
	}
	if inShift && c.shift != nil {
		list = append(list, c.shift)
	}
	return list
}

// News is what the totals are now, if they have changed since the last call; the caller adds site, table and boot.
func (c *Count) News() (totals topic.Totals, changed bool) {
	if !c.changed {
		return totals, false
	}
	c.changed = false
	return c.message(), true
}

func (c *Count) message() topic.Totals {
	t := topic.Totals{Sequence: c.event, Time: c.at, Day: c.day.message()}
	if c.at.Before(c.day.since) {
		t.Time = c.day.since
	}
	if c.shift != nil {
		shift := c.shift.message()
		t.Shift = &shift
	}
	for _, one := range c.dealers {
		t.Dealers = append(t.Dealers, one.message())
	}
	t.Sort()
	return t
}

func (p *period) message() topic.Period {
	m := topic.Period{Since: p.since, Dealer: p.dealer, Shift: p.shift, Irregularities: map[string]uint64{}}
	for of, sums := range p.sums {
		for name, s := range sums {
			switch name.Of {
			case tally.OfRounds:
				m.Rounds, m.Void = m.Rounds+uint64(s.Rounds), m.Void+uint64(s.Void)
			case tally.OfWagers:
				m.Wagers = append(m.Wagers, topic.Takings{
					Game: of.game, Wager: name.Name, Currency: of.currency, Count: uint64(s.Wagers),
					Staked: s.Staked, PaidOut: s.Returned, Result: s.Staked - s.Returned, Over: s.Returned - s.Due,
					VoidKept: s.Kept, Unknown: uint64(s.Unknown),
				})
			case tally.OfIrregularities:
				m.Irregularities[name.Name] = uint64(s.Irregularities)
			}
		}
	}
	m.Sort()
	return m
}
