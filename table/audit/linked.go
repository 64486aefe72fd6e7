package audit

import (
	"bytes"
	"fmt"
	"maps"
	"slices"

	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/transcript"
	"github.com/sabot-table/sabot/table/vocab"
)

// Linked adds up what journals say of the jackpots that their tables play for together. It reads nothing but the
// journals: what was fed and put in must be what was paid and is left.
type Linked struct {
	jackpots map[string]*linked
	parser   *transcript.Parser
}

// linked is one jackpot.
type linked struct {
	name, currency string
	seed           int64
	tables         int
	rounds         map[linkedRound]ofJackpot
	// meter is what it showed by the highest entry that is on record.
	meter int64
	entry int
}

// linkedRound is a round: the journal, and the record that has opened it.
type linkedRound struct {
	journal string
	first   uint64
}

// ofJackpot is what a round has to do with a jackpot.
type ofJackpot struct {
	fed, paid int64
	won       bool
	entry     int
	asked     bool
}

// LinkedSum is what a jackpot comes to by all journals that were added.
type LinkedSum struct {
	Name     string `json:"jackpot"`
	Currency string `json:"currency"`
	Tables   int    `json:"tables"`
	Rounds   int    `json:"rounds"`
	// Wins is how often it was won, by one table or by several at once; each time the house has put the Seed in, and
	// once before.
	Wins  int   `json:"wins"`
	Seed  int64 `json:"seed"`
	Seeds int64 `json:"seeds"`
	Fed   int64 `json:"fed"`
	Paid  int64 `json:"paid"`
	// Waiting is how many tables have won and do not know yet how much.
	Waiting int `json:"waiting"`
	// Told is what a table was told last that is in it, by the entry Entry.
	Told  int64 `json:"told"`
	Entry int   `json:"entry"`
}

// Meter is what must be in the jackpot.
func (s *LinkedSum) Meter() int64 { return s.Fed + s.Seeds - s.Paid }

// Add reads a journal.
func (l *Linked) Add(r *journal.Reader) error {
	if l.jackpots == nil {
		l.jackpots, l.parser = map[string]*linked{}, transcript.NewParser(nil)
	}
	one := linkedJournal{all: l, id: r.ID()}
	for rec, err := range r.Records(1) {
		if err != nil {
			return err
		}
		if err := one.take(&rec); err != nil {
			return fmt.Errorf("record %d of journal %s: %w", rec.Seq, one.id, err)
		}
	}
	return nil
}

// linkedJournal is a journal that is being read.
type linkedJournal struct {
	all   *Linked
	id    string
	first uint64
	now   *linked // what the table plays for, nil for nothing
}

var (
	opensRound   = []byte(`{"out":"opened"`)
	tellsJackpot = []byte(`{"out":"jackpot"`)
	givesJackpot = []byte(`{"in":"jackpot"`)
	saysMeter    = []byte(`{"in":"meter"`)
	refuses      = []byte(`{"out":"rejected"`)
)

func (j *linkedJournal) take(rec *journal.Record) error {
	if bytes.Contains(rec.Outputs, opensRound) {
		j.first = rec.Seq
	}
	if bytes.Contains(rec.Outputs, tellsJackpot) {
		outs, err := parseOutputs(rec.Outputs)
		if err != nil {
			return err
		}
		for i := range outs {
			if outs[i].Kind == vocab.JackpotTold {
				j.told(outs[i].Meter)
			}
		}
	}
	given, meter := bytes.HasPrefix(rec.Input, givesJackpot), bytes.HasPrefix(rec.Input, saysMeter)
	if j.now == nil || !given && !meter || bytes.HasPrefix(rec.Outputs, refuses) {
		return nil
	}
	in, known := j.all.parser.ReadInput(rec.Input)
	switch {
	case !known:
		return fmt.Errorf("what was given cannot be read: %s", rec.Input)
	case meter && in.Entry >= j.now.entry:
		j.now.meter, j.now.entry = in.Amount, in.Entry
	case given:
		r := j.now.rounds[j.round()]
		r.paid, r.won, r.entry, r.asked = in.Amount, true, in.Entry, false
		j.now.rounds[j.round()] = r
	}
	return nil
}

func (j *linkedJournal) round() linkedRound { return linkedRound{j.id, j.first} }

// told takes what the table tells of its jackpot.
func (j *linkedJournal) told(m *vocab.MeterTold) {
	one := j.all.jackpots[m.Name]
	if one == nil {
		one = &linked{
			name: m.Name, currency: m.Currency, seed: m.Seed,
			rounds: map[linkedRound]ofJackpot{},
		}
		j.all.jackpots[m.Name] = one
	}
	if j.now != one {
		j.now = one
		one.tables++
	}
	r := one.rounds[j.round()]
	switch m.Event {
	case vocab.JackpotHit:
		r.asked = !r.won
	case vocab.JackpotRound:
		r = ofJackpot{fed: m.Fed, paid: m.Paid, won: m.Winners > 0, entry: m.Entry}
	default:
		return
	}
	one.rounds[j.round()] = r
}

// Sums are the jackpots, by name.
func (l *Linked) Sums() (list []LinkedSum) {
	for _, name := range slices.Sorted(maps.Keys(l.jackpots)) {
		list = append(list, l.jackpots[name].sum())
	}
	return list
}

func (one *linked) sum() LinkedSum {
	s := LinkedSum{
		Name: one.name, Currency: one.currency, Tables: one.tables, Rounds: len(one.rounds), Seed: one.seed,
		Told: one.meter, Entry: one.entry,
	}
	decisions := map[int]bool{}
	for _, r := range one.rounds {
		s.Fed, s.Paid = s.Fed+r.fed, s.Paid+r.paid
		switch {
		case r.asked:
			s.Waiting++
		case r.won && (r.entry == 0 || !decisions[r.entry]):
			s.Wins++
			decisions[r.entry] = true
		}
	}
	s.Seeds = int64(1+s.Wins) * one.seed
	return s
}
