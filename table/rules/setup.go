package rules

import (
	"strconv"

	"github.com/sabot-table/sabot/table/money"
)

// Setup is what a table changes in its house's profile: the setup line of a transcript.
// Zero fields keep the profile's value.
type Setup struct {
	House    string
	Currency string
	Min      money.Amount
	BoxMax   money.Amount
	Unit     money.Amount
	Decks    int
	Boxes    int
	// Calls is "" or the name of a call mode.
	Calls string
	// Jackpot is the amount of the progressive jackpot, at first and after each win.
	Jackpot money.Amount
	// KeysApart is in milliseconds, as in the profile; -1 is never.
	KeysApart int
	// Profile is the fingerprint of the profile that House named at the time; "" takes
	// whatever the book has.
	Profile string
}

// WithoutLimits is the set-up without its limits, which can be changed without another.
func (s Setup) WithoutLimits() Setup {
	s.Min, s.BoxMax = 0, 0
	return s
}

// With returns the rules of a table: the house's with the setup's changes, or what is
// wrong with those.
func (r *Rules) With(s Setup) (*Rules, Complaints) {
	set := *r
	if s.Profile != "" { // it is on record, perhaps since before the profile said how many boxes a table may have
		set.Profile.Table.BoxesFrom, set.Profile.Table.BoxesTo = nil, nil
	}
	if s.Currency != "" {
		set.Table.Currency = s.Currency
	}
	if set.Table.Currency != set.Profile.Table.Currency {
		set.Chips = nil
	}
	if set.Digits() != r.Digits() {
		return nil, Complaints{{
			"table.currency", "the house's amounts are in " + r.Table.Currency + ", which has other decimals than " +
				set.Table.Currency, "write a house in " + set.Table.Currency,
		}}
	}
	override(&set.Table.Min, s.Min)
	override(&set.Table.BoxMax, s.BoxMax)
	override(&set.Table.Unit, s.Unit)
	override(&set.Cards.Decks, s.Decks)
	override(&set.Table.Boxes, s.Boxes)
	override(&set.Meter.Seed, s.Jackpot)
	override(&set.Play.KeysApart, s.KeysApart)
	set.Play.KeysApart = max(set.Play.KeysApart, 0)
	if s.Calls != "" {
		mode, ok := CallModeNames.Parse(s.Calls)
		if !ok {
			return nil, Complaints{{
				"call", strconv.Quote(s.Calls) + " is not a call mode",
				"write required or implied",
			}}
		}
		set.Play.Calls = mode
	}
	set.offer()
	if wrong := set.check(); len(wrong) > 0 {
		return nil, wrong
	}
	return &set, nil
}

func override[T int | int64](field *T, value T) {
	if value != 0 {
		*field = value
	}
}

// WithLimits returns the rules with other limits, or what is wrong with those. An amount of
// 0 keeps the limit as it is.
func (r *Rules) WithLimits(least, boxMax money.Amount) (*Rules, Complaints) {
	set := *r
	override(&set.Table.Min, least)
	override(&set.Table.BoxMax, boxMax)
	set.offer()
	if wrong := set.check(); len(wrong) > 0 {
		return nil, wrong
	}
	return &set, nil
}
