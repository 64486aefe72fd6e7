// Package totals counts what a table has come to since its gaming day began and in the shift of
// the present dealer: from its journal, which it reads after the table has written, so that no
// deal waits for it.
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

// count is what a table has come to up to a record.
type count struct {
	rules *recall.Recall
	lines *transcript.Parser
	fold  *tally.Fold

	// start is when the gaming day began.
	start time.Time
	// record and event are the last that are counted, and at is when it was.
	record, event uint64
	at            time.Time

	day   period
	shift *period // nil while nobody is signed in
	// dealers are the day by who dealt, and present is who deals.
	dealers map[dealing]*period
	present dealing
	// changed says that the totals are others than at the last look.
	changed bool
}

// period is what a table has come to since a moment.
type period struct {
	since         time.Time
	dealer, shift string
	rounds, void  uint64
	// wagers are those of each game and currency.
	wagers         map[played][]tally.Wager
	irregularities map[string]uint64
}

// dealing is a dealer in a shift; its zero value is nobody.
type dealing struct{ dealer, shift string }

// played is what wagers have in common.
type played struct{ game, currency string }

func newPeriod(since time.Time) period {
	return period{since: since, wagers: map[played][]tally.Wager{}, irregularities: map[string]uint64{}}
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

// take counts the next record.
func (c *count) take(rec *journal.Record) error {
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
func (c *count) takeOver(r *tally.Record) {
	for i := range r.Outs {
		if out := &r.Outs[i]; out.Kind == vocab.DealerChanged {
			c.shift, c.present, c.changed = nil, dealing{out.By, out.Shift}, true
			if out.By != "" {
				shift := newPeriod(r.At)
				shift.dealer, shift.shift = out.By, out.Shift
				c.shift = &shift
			}
		}
	}
}

// add counts what a record has brought. A round is of the gaming day in which it was opened, as it is in the pit's
// sums, and of the shift only if its dealer began it.
func (c *count) add(s tally.Step) {
	for _, i := range s.Raised {
		c.changed = true
		if !i.Raised.Before(c.day.since) {
			c.day.irregularities[i.Code.String()]++
			c.dealt(c.present, i.Raised).irregularities[i.Code.String()]++
		}
		if c.shift != nil {
			c.shift.irregularities[i.Code.String()]++
		}
	}
	if s.Reopened != nil {
		c.count(s.Reopened, (*period).takeOut)
	}
	if s.Ended != nil {
		c.count(s.Ended, (*period).add)
	}
	if s.Adjusted != nil {
		c.adjust(s.Adjusted)
	}
}

// adjust counts what was paid of a past round: the tray of whoever deals has so much less.
func (c *count) adjust(a *tally.Adjustment) {
	c.changed = true
	var periods []*period
	if !a.Opened.Before(c.day.since) {
		periods = append(periods, &c.day, c.dealt(dealing{a.Dealer, a.Shift}, a.At))
	}
	if c.shift != nil {
		periods = append(periods, c.shift)
	}
	of := played{a.Game, a.Currency}
	for _, p := range periods {
		p.wagers[of] = tally.Add(p.wagers[of], a.Paid())
	}
}

// count puts a round into the periods to which it belongs, or takes it out.
func (c *count) count(r *tally.Round, into func(*period, *tally.Round)) {
	c.changed = true
	if !r.Opened.Before(c.day.since) {
		into(&c.day, r)
		into(c.dealt(dealing{r.Dealer, r.Shift}, r.Opened), r)
	}
	if c.shift != nil && r.Dealer == c.shift.dealer && r.Shift == c.shift.shift && !r.Opened.Before(c.shift.since) {
		into(c.shift, r)
	}
}

// dealt is what a dealer of the day has come to, whose first round or irregularity was at a moment.
func (c *count) dealt(by dealing, at time.Time) *period {
	p := c.dealers[by]
	if p == nil {
		of := newPeriod(at)
		of.dealer, of.shift = by.dealer, by.shift
		p = &of
		c.dealers[by] = p
	}
	return p
}

func (p *period) add(r *tally.Round) {
	if p.rounds++; r.Void {
		p.void++
	}
	of := played{r.Game, r.Currency}
	p.wagers[of] = tally.Add(p.wagers[of], r.Wagers...)
}

// takeOut takes a round out whose payment is taken back: it is under way again.
func (p *period) takeOut(r *tally.Round) {
	if p.rounds--; r.Void {
		p.void--
	}
	of := played{r.Game, r.Currency}
	p.wagers[of] = tally.Add(p.wagers[of], tally.Less(r.Wagers)...)
}

// message is what the totals are now; the caller adds site, table and boot.
func (c *count) message() topic.Totals {
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
	m := topic.Period{Since: p.since, Dealer: p.dealer, Shift: p.shift, Rounds: p.rounds, Void: p.void}
	for of, wagers := range p.wagers {
		for _, w := range wagers {
			m.Wagers = append(m.Wagers, topic.Takings{
				Game: of.game, Wager: w.Wager, Currency: of.currency, Count: uint64(w.Count),
				Staked: w.Staked, PaidOut: w.Returned, Result: w.Staked - w.Returned, Over: w.Returned - w.Due,
				VoidKept: w.Kept, Unknown: uint64(w.Unknown),
			})
		}
	}
	m.Sort()
	m.Irregularities = map[string]uint64{}
	for code, n := range p.irregularities {
		m.Irregularities[code] = n
	}
	return m
}
