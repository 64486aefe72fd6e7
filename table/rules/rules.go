// Package rules holds the houses' rule sheets as data. It is a leaf of the round
// engine: the engine reads Rules and never asks which house it plays.
package rules

import (
	"fmt"

	"github.com/sabot-table/sabot/table/money"
)

// Rules is everything the engine needs to know of a table: the house's profile
// with the table's own limits. A Rules that Check accepts is never changed again.
type Rules struct {
	// House is the profile's name, such as wiesbaden.
	House string `yaml:"house,required"`
	// Title is the house as its guests know it.
	Title string `yaml:"title,required"`

	Table     Table     `yaml:"table,required"`
	Cards     Cards     `yaml:"cards,required"`
	Play      Play      `yaml:"play,required"`
	Bank      Bank      `yaml:"bank,required"`
	Double    Double    `yaml:"double,required"`
	Split     Split     `yaml:"split,required"`
	Insurance Insurance `yaml:"insurance,required"`
	Pays      Pays      `yaml:"pays,required"`
}

// Table are the limits that a table displays.
type Table struct {
	Currency string       `yaml:"currency,required"`
	Boxes    int          `yaml:"boxes,required"`
	Min      money.Amount `yaml:"min,required"`
	// BoxMax bounds the sum of the main stakes on a box before doubling and splitting.
	BoxMax money.Amount `yaml:"box_max,required"`
	// Unit is the smallest payable amount; every stake is a multiple of it.
	Unit     money.Amount   `yaml:"unit,required"`
	Rounding money.Rounding `yaml:"rounding,required"`
}

// Cards is what the cards come out of.
type Cards struct {
	Source Source `yaml:"source,required"`
	Decks  int    `yaml:"decks,required"`
	Jokers int    `yaml:"jokers,required"`
}

// Play is how the dealer and the boxes take turns.
type Play struct {
	Calls CallMode `yaml:"calls,required"`
	// AutoRestAt21 rests a hand that counts 21 without asking.
	AutoRestAt21 bool `yaml:"auto_rest_at_21,required"`
}

// Bank is the bank's own rule beside drawing to 16 and standing on 17.
type Bank struct {
	Draws BankDraws `yaml:"draws,required"`
}

// Double says when a stake may be doubled.
type Double struct {
	// On lists the totals of two cards that may be doubled; empty: any two cards.
	On []int `yaml:"on,required"`
	// HardOnly refuses totals in which an ace counts eleven.
	HardOnly   bool `yaml:"hard_only,required"`
	AfterSplit bool `yaml:"after_split,required"`
}

// Split says how often a box may be split.
type Split struct {
	// Max is the number of splits a box may make; Unlimited for no limit.
	Max       int  `yaml:"max,required"`
	AcesAgain bool `yaml:"aces_again,required"`
}

// Unlimited is a number of splits without a limit.
const Unlimited = -1

// Insurance says what may be insured.
type Insurance struct {
	// Exactly refuses an insurance under half the stake.
	Exactly bool `yaml:"exactly_half,required"`
	// EvenMoney offers a Black Jack against the bank's ace 1:1 at once.
	EvenMoney bool `yaml:"even_money,required"`
}

// Pays are the odds of the main game.
type Pays struct {
	Win       money.Ratio `yaml:"win,required"`
	BlackJack money.Ratio `yaml:"black_jack,required"`
	EvenMoney money.Ratio `yaml:"even_money,required"`
	Insurance money.Ratio `yaml:"insurance,required"`
}

// Source is whether cards leave in one pass or go back after each round.
type Source uint8

// The sources of cards.
const (
	Shoe Source = iota
	Shuffler
)

// CallMode is whether a card for a box needs the call "card" first.
type CallMode uint8

// The call modes.
const (
	CallsRequired CallMode = iota
	CallsImplied
)

// BankDraws is how far the bank draws when no open wager needs it.
type BankDraws uint8

// The ways of the bank.
const (
	// DrawsNeeded: only what an open wager needs. (Common rule 7.)
	DrawsNeeded BankDraws = iota
	// DrawsAlways: to 17, by the letter of the sheets.
	DrawsAlways
)

var (
	sourceNames = []string{Shoe: "shoe", Shuffler: "shuffler"}
	callNames   = []string{CallsRequired: "required", CallsImplied: "implied"}
	drawNames   = []string{DrawsNeeded: "needed", DrawsAlways: "always"}
)

// String returns the source's name in a profile.
func (s Source) String() string { return sourceNames[s] }

// MarshalText writes the source's name.
func (s Source) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads the source's name.
func (s *Source) UnmarshalText(b []byte) error { return oneOf(s, sourceNames, b) }

// String returns the mode's name in a profile and in transcripts.
func (m CallMode) String() string { return callNames[m] }

// MarshalText writes the mode's name.
func (m CallMode) MarshalText() ([]byte, error) { return []byte(m.String()), nil }

// UnmarshalText reads the mode's name.
func (m *CallMode) UnmarshalText(b []byte) error { return oneOf(m, callNames, b) }

// String returns the way's name in a profile.
func (d BankDraws) String() string { return drawNames[d] }

// MarshalText writes the way's name.
func (d BankDraws) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText reads the way's name.
func (d *BankDraws) UnmarshalText(b []byte) error { return oneOf(d, drawNames, b) }

func oneOf[T ~uint8](v *T, names []string, text []byte) error {
	for i, name := range names {
		if name == string(text) {
			*v = T(i)
			return nil
		}
	}
	return fmt.Errorf("%q is none of %q", text, names)
}
