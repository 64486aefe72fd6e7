package beetek

import (
	"strings"

	"github.com/sabot-table/sabot/shoe/card"
)

const ranks = "A23456789TJQK"

// rankOf reads a rank in capitals; 0 means that it is not one.
func rankOf(b byte) card.Rank { return card.Rank(strings.IndexByte(ranks, b) + 1) }

const suits = "SHDC" // in the order of card.Suit

func isSuit(b byte) bool { return strings.IndexByte(suits, b) >= 0 }

// cardOf reads rank and suit in either order and any case; the ten is T or 10. Anything else is card.None.
func cardOf(code []byte) card.Card {
	var rank, suit byte
	switch {
	case len(code) == 2 && isSuit(capital(code[0])):
		suit, rank = code[0], code[1]
	case len(code) == 2:
		rank, suit = code[0], code[1]
	case len(code) == 3 && string(code[:2]) == "10":
		rank, suit = 'T', code[2]
	case len(code) == 3 && string(code[1:]) == "10":
		rank, suit = 'T', code[0]
	}
	return card.Of(rankOf(capital(rank)), card.Suit(strings.IndexByte(suits, capital(suit))))
}
