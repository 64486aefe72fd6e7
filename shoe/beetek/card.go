package beetek

import (
	"strings"

	"github.com/sabot-table/sabot/shoe/card"
)

const ranks = "A23456789TJQK"

// rankOf reads a rank in capitals; 0 means that it is not one.
func rankOf(b byte) card.Rank { return card.Rank(strings.IndexByte(ranks, b) + 1) }

var suits = [...]struct {
	letter byte
	suit   card.Suit
}{{'S', card.Spades}, {'H', card.Hearts}, {'D', card.Diamonds}, {'C', card.Clubs}}

func isSuit(b byte) bool { return strings.IndexByte("SHDC", b) >= 0 }

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
	for _, s := range suits {
		if s.letter == capital(suit) {
			return card.Of(rankOf(capital(rank)), s.suit)
		}
	}
	return card.None
}
