package jackpot

import (
	"errors"
	"math/big"
	"slices"
	"time"

	"github.com/sabot-table/sabot/table/vocab"
)

// Told is what a record of a journal says of a jackpot.
type Told struct {
	Key
	Place          int64
	Number, Record uint64
	// At is when it was heard.
	At time.Time
	vocab.MeterTold
}

// ErrOther is what a table says of another jackpot than the one that has that name, or that the round began with.
var ErrOther = errors.New("the table's jackpot is another than the one of that name: its currency differs, or its " +
	"round began with another; give it a name of its own")

// ErrImpossible is what no table can have to say.
var ErrImpossible = errors.New("no table that deals by its rules says so: an amount or a count is less than " +
	"nothing or beyond all bounds, or a win has no winner; check the table's journal")

// most is more than any amount and any number of an entry, and far below what a sum of them can hold.
const most = 1 << 50

// possible says whether a table can have said that, of a meter that has so much.
func (t *Told) possible(has int64) bool {
	for _, n := range []int64{t.Seed, t.Fed, t.Paid, int64(t.Winners), int64(t.Entry)} {
		if n < 0 || n > most {
			return false
		}
	}
	return has+t.Fed < most && has-t.Paid > -most && (t.Event != vocab.JackpotHit || t.Winners > 0)
}

// book is one change of a ledger.
type book struct {
	Ledger
	meter *Meter
	at    time.Time
}

// Take takes what a table's record says. One that comes twice changes nothing.
func Take(l Ledger, t *Told) error {
	if !t.possible(0) {
		return ErrImpossible
	}
	b := book{Ledger: l, at: t.At}
	if err := b.open(t); err != nil {
		return err
	}
	if t.Event == vocab.JackpotJoined {
		if err := l.Join(t.Place, t.Name); err != nil {
			return err
		}
		if err := b.leave(&Round{Key: t.Key, Place: t.Place, Number: t.Number, Last: t.Record}); err != nil {
			return err
		}
		return l.PutMeter(b.meter)
	}
	r, err := l.Round(t.Key)
	if err != nil {
		return err
	}
	fresh := r == nil
	if fresh {
		r = &Round{Key: t.Key, Place: t.Place, Jackpot: t.Name, Number: t.Number}
	}
	switch {
	case t.Record <= r.Last:
		return nil
	case r.Jackpot != t.Name || b.meter.Currency != t.Currency:
		return ErrOther
	case !t.possible(b.meter.Amount):
		return ErrImpossible
	}
	r.Last = t.Record
	if fresh {
		if err := b.leave(r); err != nil {
			return err
		}
	}
	if t.Event == vocab.JackpotHit {
		err = l.PutRound(r.hit(t))
	} else {
		err = b.end(r, t)
	}
	if err != nil {
		return err
	}
	return l.PutMeter(b.meter)
}

// hit notes that the round has won. Of one that was won before only the winners may be others: a correction has changed
// them.
func (r *Round) hit(t *Told) *Round {
	if r.Hit == 0 {
		r.Hit, r.At = t.Record, t.At
	}
	r.Winners, r.Ended = t.Winners, false
	return r
}

// leave ends what a table has won before and will not speak of any more: its journal was rolled back, or set aside.
// What that was given goes back. If the table speaks of it all the same, its word counts.
func (b *book) leave(by *Round) error {
	open, err := b.Open(by.Place, b.meter.Name)
	if err != nil {
		return err
	}
	for _, r := range open {
		if r.Journal > by.Journal || r.Journal == by.Journal && r.First >= by.First {
			continue // what was missing of an earlier round or journal comes later
		}
		back := r.Charged
		r.Charged, r.Ended, r.Won, r.By = 0, true, false, 0
		if err := b.PutRound(r); err != nil {
			return err
		}
		if r.Decision == 0 {
			continue
		}
		if err := b.add(by, KindPutRight, back, r.Decision); err != nil {
			return err
		}
		if err := b.seedDecision(by, r.Decision); err != nil {
			return err
		}
	}
	return nil
}

// open begins the meter with its seed.
func (b *book) open(t *Told) (err error) {
	if b.meter, err = b.Meter(t.Name); err != nil || b.meter != nil {
		return err
	}
	b.meter = &Meter{Name: t.Name, Currency: t.Currency, Seed: t.Seed}
	others, err := b.Begin(b.meter)
	if err != nil {
		return err
	}
	if others {
		b.meter, err = b.Meter(t.Name)
		return err
	}
	first := Round{Key: Key{Journal: t.Journal}, Place: t.Place, Jackpot: t.Name}
	if err := b.add(&first, KindSeed, t.Seed, 0); err != nil {
		return err
	}
	return b.PutMeter(b.meter) // also if what the table says counts for none
}

// add makes an entry, if it changes anything. Whoever calls it puts the meter back.
func (b *book) add(r *Round, kind Kind, amount int64, decision uint64) error {
	if amount == 0 {
		return nil
	}
	m := b.meter
	m.Amount, m.Entry = m.Amount+amount, m.Entry+1
	return b.Add(&Entry{
		Jackpot: m.Name, Number: m.Entry, Kind: kind, Amount: amount, After: m.Amount, At: b.at,
		Key: r.Key, Place: r.Place, Round: r.Number, Record: r.Last, Decision: decision,
	})
}

// end takes what a round came to. It may come again, after a payment that was taken back or a correction: then only
// what has changed counts.
func (b *book) end(r *Round, t *Told) error {
	fed, back, before := t.Fed-r.Fed, r.Charged-t.Paid, r.Decision
	r.Fed, r.Charged, r.Ended = t.Fed, t.Paid, true
	if r.Won, r.By = t.Winners > 0, 0; r.Won {
		r.By = uint64(t.Entry)
		b.meter.Entry = max(b.meter.Entry, r.By) // a meter that was lost gives no number of before again
	}
	if err := b.PutRound(r); err != nil {
		return err
	}
	if err := b.add(r, KindFed, fed, 0); err != nil {
		return err
	}
	if err := b.add(r, KindPutRight, back, 0); err != nil {
		return err
	}
	for _, decision := range []uint64{before, r.By} {
		if decision != 0 {
			if err := b.seedDecision(r, decision); err != nil {
				return err
			}
		}
	}
	return b.seedAlone(r)
}

// seedDecision has the house put the seed in for a decision by which somebody has won, or may still have, and takes it
// back where nobody has.
func (b *book) seedDecision(by *Round, decision uint64) error {
	rounds, err := b.Decided(b.meter.Name, decision)
	if err != nil {
		return err
	}
	due := int64(0)
	if slices.ContainsFunc(rounds, func(r *Round) bool {
		return r.By == decision || r.Decision == decision && !r.Ended
	}) {
		due = b.meter.Seed
	}
	had, err := b.SeedOf(b.meter.Name, decision, Key{})
	if err != nil {
		return err
	}
	return b.add(by, KindSeed, due-had, decision)
}

// seedAlone has the house put the seed in for a win that a table paid alone.
func (b *book) seedAlone(r *Round) error {
	due := int64(0)
	if r.Won && r.By == 0 {
		due = b.meter.Seed
	}
	had, err := b.SeedOf(b.meter.Name, 0, r.Key)
	if err != nil {
		return err
	}
	return b.add(r, KindSeed, due-had, 0)
}

// Decide gives the jackpot to the rounds that have won it: who calls it has waited for those that win at the same time.
// All of it is given, in equal shares to each stake that has won; a table pays what comes out even, and says so at the
// end of its round. It says whether anything was decided.
func Decide(l Ledger, name string, now time.Time) (decided bool, err error) {
	b := book{Ledger: l, at: now}
	if b.meter, err = l.Meter(name); err != nil || b.meter == nil {
		return false, err
	}
	rounds, err := l.Waiting(name)
	if err != nil || len(rounds) == 0 {
		return false, err
	}
	winners := 0
	for _, r := range rounds {
		winners += r.Winners
	}
	pot, decision := b.meter.Shown(), b.meter.Entry+1
	b.meter.Entry++ // a decision has a number, whatever it gives
	for _, r := range rounds {
		r.Decision, r.Given = decision, share(pot, r.Winners, winners)
		r.Charged += r.Given
		if err := l.PutRound(r); err != nil {
			return false, err
		}
		if err := b.add(r, KindGiven, -r.Given, decision); err != nil {
			return false, err
		}
	}
	if err := b.seedDecision(rounds[0], decision); err != nil {
		return false, err
	}
	return true, l.PutMeter(b.meter)
}

// share is the part of the pot that some of all winners get.
func share(pot int64, some, all int) int64 {
	product := new(big.Int).Mul(big.NewInt(pot), big.NewInt(int64(some)))
	return product.Quo(product, big.NewInt(int64(max(1, all)))).Int64()
}
