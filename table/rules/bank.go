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
