package rules

import (
	"fmt"

	"github.com/sabot-table/sabot/table/money"
)

// Setup is what a table changes of its house's profile: the setup line of a
// transcript. Zero fields leave the profile's value.
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
	// Jackpot is the amount of the progressive jackpot, now and after each win.
	Jackpot money.Amount
	// KeysApart is in milliseconds as the profile's; -1 is never.
	KeysApart int
	// Profile is the fingerprint of the profile that the house's name stood for;
	// "" takes whatever the book has.
	Profile string
}

// Set returns the rules of a table: the house's profile with the setup's changes.
// The error of fields that cannot be wraps Complaints.
func (b Book) Set(s Setup) (*Rules, error) {
	house, ok := b[s.House]
	if !ok {
		return nil, b.unknown(s.House)
	}
	if s.Profile != "" && s.Profile != house.Fingerprint {
		return nil, fmt.Errorf("the rules of house %q are not those that were played: their fingerprint was %.12s…, now it is %.12s…; give the profile that was used then",
			s.House, s.Profile, house.Fingerprint)
	}
	set := *house
	if s.Currency != "" {
		set.Table.Currency = s.Currency
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
		if err := set.Play.Calls.UnmarshalText([]byte(s.Calls)); err != nil {
			return nil, fmt.Errorf("the table cannot be set up so: %w", Complaints{{"call", err.Error(), "write required or implied"}})
		}
	}
	set.offer()
	if wrong := set.Check(); len(wrong) > 0 {
		return nil, fmt.Errorf("the table cannot be set up so: %w", wrong)
	}
	return &set, nil
}

func override[T int | int64](field *T, value T) {
	if value != 0 {
		*field = value
	}
}

// newRules makes the rules of a profile at the limits that it writes itself.
func newRules(p Profile) *Rules { return rulesOf(p, jsonOf(p)) }

// rulesOf makes the rules of a profile that was written down as text.
func rulesOf(p Profile, text []byte) *Rules {
	r := &Rules{Profile: p, Fingerprint: fingerprint(text), text: text, ways: p.Irregularities.byCode()}
	r.Table = TableLimits{
		Currency: p.Table.Currency, Boxes: p.Table.Boxes, Rounding: p.Table.Rounding,
		Min: money.Amount(p.Table.Min), BoxMax: money.Amount(p.Table.BoxMax), Unit: money.Amount(p.Table.Unit),
	}
	if p.Jackpot != nil {
		r.Meter = Meter{Seed: money.Amount(p.Jackpot.Seed), Envy: money.Amount(p.Jackpot.Envy), Feeds: p.Jackpot.Feeds}
	}
	r.offer()
	return r
}

// offer makes the side bets' limits at the table's own.
func (r *Rules) offer() {
	if r.Table.Unit < 1 {
		return // Check says so
	}
	for _, bet := range r.SideBets {
		o := &Offer{
			Bet: bet.Bet, Bettors: bet.Bettors, OnePerBettor: bet.OnePerBettor,
			Least: bet.Least.in(r.Table), Most: bet.Most.in(r.Table), Step: bet.Step.in(r.Table),
		}
		if bet.BoxMost != nil {
			o.BoxMost = bet.BoxMost.in(r.Table)
		}
		for _, line := range bet.Pays {
			o.prizes[line.Line] = line.Pays
		}
		r.offers[bet.Bet] = o
	}
}
