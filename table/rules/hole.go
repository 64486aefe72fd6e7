package rules

import (
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/hand"
	"github.com/sabot-table/sabot/table/plaintext"
)

// HoleCard is whether the bank's second card is dealt face down, and when the dealer looks at it.
type HoleCard uint8

// When it is looked at.
const (
	NoHoleCard HoleCard = iota
	LooksUnderAce
	LooksUnderTen
	LooksUnderBoth
	LooksAtEnd
)

// HoleCardNames are the names in a profile.
var HoleCardNames = plaintext.Enum[HoleCard]{
	NoHoleCard: "none", LooksUnderAce: "ace", LooksUnderTen: "ten", LooksUnderBoth: "ace-and-ten", LooksAtEnd: "end",
}

// String returns the name in a profile.
func (h HoleCard) String() string { return HoleCardNames.Name(h) }

// MarshalText writes the name in a profile.
func (h HoleCard) MarshalText() ([]byte, error) { return []byte(h.String()), nil }

// UnmarshalText reads the name in a profile.
func (h *HoleCard) UnmarshalText(text []byte) error {
	return HoleCardNames.Read(h, text, "rule for the hole card")
}

// HasHole reports whether the bank gets its second card face down.
func (b *Bank) HasHole() bool { return b.Hole != nil && *b.Hole != NoHoleCard }

// LooksUnder reports whether the dealer looks at the hole card under a first card of the bank.
func (b *Bank) LooksUnder(up card.Rank) bool {
	if b.Hole == nil {
		return false
	}
	switch *b.Hole {
	case LooksUnderAce:
		return up == card.Ace
	case LooksUnderTen:
		return hand.TenValue(up)
	case LooksUnderBoth:
		return up == card.Ace || hand.TenValue(up)
	}
	return false
}

func (r *Rules) checkHole(c *Complaints) {
	const path = "bank.hole_card"
	if !r.Bank.HasHole() {
		return
	}
	c.when(r.Cards.Jokers > 0, path, "a Joker that lies face down would be worth no card of the bank",
		"write none, or cards.jokers: 0")
}
