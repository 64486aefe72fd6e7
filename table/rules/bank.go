package rules

import "github.com/sabot-table/sabot/table/enum"

// Soft17 is what the bank does on 17 in which an ace counts eleven.
type Soft17 uint8

// What it does.
const (
	StandsOnSoft17 Soft17 = iota
	DrawsOnSoft17
)

// Soft17Names are the names in a profile.
var Soft17Names = enum.Names[Soft17]{StandsOnSoft17: "stands", DrawsOnSoft17: "draws"}

// String returns the name in a profile.
func (s Soft17) String() string { return Soft17Names.Name(s) }

// MarshalText writes the name in a profile.
func (s Soft17) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads the name in a profile.
func (s *Soft17) UnmarshalText(text []byte) error {
	return Soft17Names.Read(s, text, "rule for soft 17")
}

// DrawsSoft17 reports whether the bank takes a card on a soft 17.
func (b *Bank) DrawsSoft17() bool { return b.Soft17 != nil && *b.Soft17 == DrawsOnSoft17 }

// BankTakes is what a Black Jack of the bank takes.
type BankTakes uint8

// What it takes.
const (
	TakesAll BankTakes = iota
	TakesOriginal
)

// BankTakesNames are the names in a profile.
var BankTakesNames = enum.Names[BankTakes]{TakesAll: "all", TakesOriginal: "original"}

// String returns the name in a profile.
func (t BankTakes) String() string { return BankTakesNames.Name(t) }

// MarshalText writes the name in a profile.
func (t BankTakes) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// UnmarshalText reads the name in a profile.
func (t *BankTakes) UnmarshalText(text []byte) error {
	return BankTakesNames.Read(t, text, "rule for the bank's Black Jack")
}

// TakesOriginal reports whether the bank's Black Jack takes original bets only.
func (b *Bank) TakesOriginal() bool { return b.Takes != nil && *b.Takes == TakesOriginal }
