// Package card names the cards of a shoe. It is a leaf: it imports nothing else of Sabot.
//
// A card is written in two characters, rank then suit: "TH" is the ten of
// hearts, "AS" the ace of spades. The Joker is "JOKER", a card that left the
// shoe without being read is "??", and one that lies face down, so that nobody may
// know it yet, is "XX".
package card

import (
	"errors"
	"strconv"
)

// Card is one card by its identity, in one byte: suit in bits 4 and 5, rank in bits 0 to 3. The zero value is not a
// card.
type Card uint8

// The cards besides the fifty-two.
const (
	None   Card = 0
	Down   Card = 0x4D
	Joker  Card = 0x4E
	Unread Card = 0x4F
)

// Rank is what a card is counted by: 1 for the ace, 2 to 10 as printed, 11 to 13 for jack, queen and king. Zero is the
// rank of anything else than the fifty-two.
type Rank uint8

// The ranks that rules mention.
const (
	Ace   Rank = 1
	Ten   Rank = 10
	Jack  Rank = 11
	Queen Rank = 12
	King  Rank = 13
)

// Height orders the ranks with the ace high, as Black James does: 2 to 14.
func (r Rank) Height() int {
	if r == Ace {
		return int(King) + 1
	}
	return int(r)
}

// Suit is one of the four suits, in the order of the notation.
type Suit uint8

// The suits.
const (
	Spades Suit = iota
	Hearts
	Diamonds
	Clubs
)

const (
	rankLetters = "A23456789TJQK"
	suitLetters = "SHDC"
	jokerName   = "JOKER"
	unreadName  = "??"
	downName    = "XX"
)

// names holds each card's notation, so that writing a card allocates nothing.
var names = func() (n [256]string) {
	for c := range All {
		n[c] = string([]byte{rankLetters[c.Rank()-1], suitLetters[c.Suit()]})
	}
	n[Joker], n[Unread], n[Down] = jokerName, unreadName, downName
	return n
}()

// Of returns the card of a rank and a suit, and None if there is no such card.
func Of(r Rank, s Suit) Card {
	if r < Ace || r > King || s > Clubs {
		return None
	}
	return Card(uint8(s)<<4 | uint8(r))
}

// All yields the fifty-two cards of a deck, suit by suit, ace to king.
func All(yield func(Card) bool) {
	for s := Spades; s <= Clubs; s++ {
		for r := Ace; r <= King; r++ {
			if !yield(Of(r, s)) {
				return
			}
		}
	}
}

// Ranked says whether the card is one of the fifty-two.
func (c Card) Ranked() bool {
	r := c & 0x0F
	return c < 0x40 && r >= 1 && r <= 13
}

// Rank returns the card's rank, or zero if it is not one of the fifty-two.
func (c Card) Rank() Rank {
	if !c.Ranked() {
		return 0
	}
	return Rank(c & 0x0F)
}

// Suit returns the card's suit; it is meaningful only if the card is Ranked.
func (c Card) Suit() Suit { return Suit(c >> 4 & 3) }

// Red reports whether the card is one of the fifty-two and red.
func (c Card) Red() bool {
	return c.Ranked() && (c.Suit() == Hearts || c.Suit() == Diamonds)
}

// String returns the card's notation, or "" for None.
func (c Card) String() string { return names[c] }

// Parse reads a card's notation.
func Parse(s string) (Card, error) {
	switch {
	case s == jokerName:
		return Joker, nil
	case s == unreadName:
		return Unread, nil
	case s == downName:
		return Down, nil
	case len(s) == 2:
		if c := Of(rankOf(s[0]), suitOf(s[1])); c != None {
			return c, nil
		}
	}
	return None, errors.New(notACard(s) + ", or XX for one that lies face down")
}

// ParseFace reads a card whose face somebody names: any but one that lies face down.
func ParseFace(s string) (Card, error) {
	if s == downName {
		return None, errors.New(notACard(s))
	}
	return Parse(s)
}

func notACard(s string) string {
	return strconv.Quote(s) + " is not a card: write rank " + rankLetters + " and suit " + suitLetters +
		", such as TH or AS, or JOKER, or ?? for an unread card"
}

func rankOf(b byte) Rank {
	for i := range len(rankLetters) {
		if rankLetters[i] == b {
			return Rank(i + 1)
		}
	}
	return 0
}

func suitOf(b byte) Suit {
	for i := range len(suitLetters) {
		if suitLetters[i] == b {
			return Suit(i)
		}
	}
	return Clubs + 1
}

// MarshalText writes the notation, so that a card in JSON is its two characters.
func (c Card) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// UnmarshalText reads the notation.
func (c *Card) UnmarshalText(b []byte) error {
	if len(b) == 0 {
		*c = None
		return nil
	}
	parsed, err := Parse(string(b))
	if err == nil {
		*c = parsed
	}
	return err
}
