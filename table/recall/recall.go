// Package recall finds past rounds in a journal. It reads backwards from the end and only
// what it needs, so that it is as fast on a journal of several years as on a new one, and
// it never asks the running table: all that it returns is on record.
package recall

import (
	"encoding/json"
	"errors"
	"iter"
	"slices"

	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/history"
	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/vocab"
)

// Reach is how many past rounds a screen can call up.
const Reach = 100

// Records is what a Recall reads of a journal; *journal.Reader implements it.
type Records interface {
	// Head returns the number of the last record, or 0 if there is none.
	Head() (seq uint64, hash [32]byte, err error)
	// Records yields the records from a number on, in order.
	Records(from uint64) iter.Seq2[journal.Record, error]
	// Rules returns the text of rules that were played, by their fingerprint, or nil if
	// the journal does not have it.
	Rules(fingerprint string) ([]byte, error)
	// SetUp returns the input of a set-up, by the number of its record.
	SetUp(seq uint64) ([]byte, error)
	// ID names the journal.
	ID() string
	// SealOver returns the first seal that confirms a record, nil if there is none.
	SealOver(seq uint64) (*journal.Seal, error)
}

// ErrNoRecord is returned for a record that the journal does not have.
var ErrNoRecord = errors.New("no such record")

// Recall reads rounds from a journal. It may be used by several goroutines at once.
type Recall struct {
	from   Records
	houses profile.Book
}

// New returns a Recall of a journal. houses supply the limits that a setup leaves to its
// house.
func New(from Records, houses profile.Book) *Recall { return &Recall{from: from, houses: houses} }

// Last returns the last n rounds, latest first, or fewer if there are no more.
func (r *Recall) Last(n int) ([]history.Round, error) {
	var list []history.Round
	if n <= 0 {
		return list, nil
	}
	for round, err := range r.Rounds() {
		if err != nil {
			return nil, err
		}
		if list = append(list, round); len(list) == n {
			break
		}
	}
	return list, nil
}

// Rounds yields every round, latest first. It ends with the first error, together with a
// zero Round.
func (r *Recall) Rounds() iter.Seq2[history.Round, error] {
	return func(yield func(history.Round, error) bool) {
		last, _, err := r.from.Head()
		if err != nil {
			yield(history.Round{}, err)
			return
		}
		r.walk(last, yield)
	}
}

// Round returns the round with a number, or the latest for 0. The error for a round that
// is missing is history.ErrNoRound.
func (r *Recall) Round(number uint64) (history.Round, error) {
	end, latest, err := r.roundEnd(number)
	if err != nil {
		return history.Round{}, err
	}
	found := history.Round{}
	r.walk(end, func(round history.Round, e error) bool {
		found, err = round, e
		return false
	})
	if err == nil && (found.Number == 0 || number != 0 && found.Number != number) {
		err = history.NoRound(number, latest)
	}
	return found, err
}

// walk yields the rounds that end with a record or before it, latest first. It yields a
// round once its lead is known: what came between the checkpoint before it and its
// opening, recorded under the round before.
func (r *Recall) walk(end uint64, yield func(history.Round, error) bool) {
	b := builder{recall: r, tables: map[uint64]history.Table{}, adjusted: map[uint64][]history.Adjustment{}}
	later, err := r.adjustedSince(end)
	if err != nil {
		yield(history.Round{}, err)
		return
	}
	for _, one := range later {
		b.earlier(one)
	}
	var whole, part []journal.Record // latest first
	for rec, err := range r.back(end) {
		if err != nil {
			yield(history.Round{}, err)
			return
		}
		if len(part) > 0 && part[0].Round != rec.Round {
			if len(whole) > 0 && !yield(b.build(whole, part)) {
				return
			}
			whole, part = part, nil
		}
		part = append(part, rec)
		b.adjust(&rec)
		if len(whole) > 0 && rec.Seq <= opening(whole).Checkpoint {
			if !yield(b.build(whole, part)) {
				return
			}
			whole = nil
		}
		if rec.Round == 0 && len(whole) == 0 {
			return
		}
	}
	if len(whole) > 0 && !yield(b.build(whole, part)) {
		return
	}
	if len(part) > 0 && part[0].Round != 0 {
		yield(b.build(part, nil))
	}
}

// opening is the first record of a round given latest first.
func opening(records []journal.Record) *journal.Record { return &records[len(records)-1] }

// builder makes rounds from records, and remembers the tables that were set up.
type builder struct {
	recall *Recall
	tables map[uint64]history.Table
	// adjusted are the adjustments that were found, by the round that they are of.
	adjusted map[uint64][]history.Adjustment
	reader   history.Reader
}

// adjust keeps the adjustments that a record tells of, which is before those that were found.
func (b *builder) adjust(rec *journal.Record) {
	list, _ := adjustments(nil, &b.reader, rec)
	for _, one := range list {
		b.earlier(one)
	}
}

// earlier keeps an adjustment that is before those that were found.
func (b *builder) earlier(one history.Adjustment) {
	of := one.Line.Out.Round
	b.adjusted[of] = slices.Insert(b.adjusted[of], 0, one)
}

// build makes a round from its records and those that lead up to it, both latest first.
func (b *builder) build(records, lead []journal.Record) (history.Round, error) {
	list := make([]history.Record, 0, len(records))
	for _, rec := range slices.Backward(records) {
		list = append(list, history.Record{Seq: rec.Seq, At: rec.At, Input: rec.Input, Outputs: rec.Outputs})
	}
	round := history.Of(records[0].Round, list)
	round.Adjusted = b.adjusted[round.Number]
	lead, err := b.reach(opening(records), lead)
	if err != nil {
		return round, err
	}
	before := standing(lead)
	round.Dealer, round.Shift = before.people.Dealer, before.people.Shift
	if before.shoe != (history.Shoe{}) {
		round.Shoes = append([]history.Shoe{before.shoe}, round.Shoes...)
	}
	round.Table, err = b.table(opening(records).Setup)
	if before.limits != (table.Limits{}) {
		round.Table.Min, round.Table.BoxMax = before.limits.Min, before.limits.BoxMax
	}
	return round, err
}

// reach completes a lead that does not go back to the checkpoint, as after a round that
// ended while an irregularity was held.
func (b *builder) reach(first *journal.Record, lead []journal.Record) ([]journal.Record, error) {
	if len(lead) > 0 && opening(lead).Seq <= first.Checkpoint || first.Checkpoint == 0 {
		return lead, nil
	}
	lead, err := b.recall.between(first.Checkpoint, first.Seq-1)
	slices.Reverse(lead)
	return lead, err
}

// known is who deals, from which shoe, and at which limits.
type known struct {
	people table.People
	shoe   history.Shoe
	// limits are zero where they are those of the set-up.
	limits table.Limits
	// dealer, dealing and announced say that these were found.
	dealer, dealing, announced bool
}

// standing returns who deals, from which shoe and at which limits, after some records, which are given latest
// first: as was told last, or as it was at the last checkpoint.
func standing(records []journal.Record) (k known) {
	var reader history.Reader
	for i := range records {
		for _, line := range slices.Backward(slices.Collect(records[i].Lines())) {
			out := reader.Output(line)
			k.told(&out.Out)
		}
		var carried table.Carry
		if len(records[i].Carry) > 0 && json.Unmarshal(records[i].Carry, &carried) == nil {
			k.carried(&carried)
		}
		if k.dealer && k.dealing && k.announced {
			break
		}
	}
	return k
}

// told takes an output, unless a later one said the same.
func (k *known) told(out *vocab.Output) {
	switch {
	case out.Kind == vocab.DealerChanged && !k.dealer:
		k.people, k.dealer = table.People{Dealer: out.By, Shift: out.Dealer.Shift}, true
	case out.Kind == vocab.ShoeChanged && !k.dealing:
		k.shoe, k.dealing = history.ShoeOf(out), true
	case out.Kind == vocab.LimitsChanged && !k.announced && out.Trouble != nil:
		k.limits, k.announced = table.Limits{Min: out.Limits.Min, BoxMax: out.Limits.BoxMax}, true
	}
}

func (k *known) carried(c *table.Carry) {
	if k.announced = true; c.Announced != nil && k.limits == (table.Limits{}) {
		k.limits = c.Announced.Limits
	}
	if !k.dealer {
		k.people, k.dealer = c.People, true
	}
	if !k.dealing {
		is := c.Shoe
		k.shoe, k.dealing = history.Shoe{
			Maker: is.Maker, Serial: is.Serial, Firmware: is.Firmware, Packs: is.Packs,
			LoadedBy: is.By,
		}, true
	}
}

// table is the table that a record set up, with its house's currency and limits where the record leaves them out and
// the house is known, or the journal has its rules.
func (b *builder) table(seq uint64) (history.Table, error) {
	if known, ok := b.tables[seq]; ok || seq == 0 {
		return known, nil
	}
	rec, err := b.recall.one(seq)
	if err != nil {
		return history.Table{}, err
	}
	var set history.Table
	var reader history.Reader
	if was := reader.Input(rec.Input).In.Setup; was != nil {
		set = history.Table{
			House: was.House, Profile: was.Profile, Currency: was.Currency,
			Min: was.Min, BoxMax: was.BoxMax, Unit: was.Unit,
		}
		if played, err := b.recall.RulesOf(*was); err == nil {
			limits := played.Table
			set.Currency, set.Min, set.BoxMax, set.Unit = limits.Currency, limits.Min, limits.BoxMax, limits.Unit
		}
	}
	b.tables[seq] = set
	return set, nil
}
