package sidebet_test

import (
	"testing"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/sidebet"
)

func TestAdmiralJack(t *testing.T) {
	checkTable(t, sidebet.AdmiralJack, ofBox(sidebet.AdmiralJack), []one{
		{cards: "AS TS", want: sidebet.BlackJack},
		{cards: "TS AH", want: sidebet.BlackJack}, // in either order
		{cards: "AD JC", want: sidebet.BlackJack},
		{cards: "QH AC", want: sidebet.BlackJack},
		{cards: "AC KD", bank: "AD", want: sidebet.BlackJack}, // the bank's card does not count
		{cards: "AS AH"},
		{cards: "KS QS"},
		{cards: "AS 9S"},
		{cards: "9S 2S", bank: "TS"},
	})
}

// TestAdmiralJackInAShoe: 24 aces with 96 ten-values, in either order; that is 192
// of 4,043 pairs.
func TestAdmiralJackInAShoe(t *testing.T) {
	counts := countPairs(func(a, b card.Card) sidebet.Line {
		return sidebet.OfBox(sidebet.AdmiralJack, sidebet.Cards{First: a, Second: b})
	})
	wantCounts(t, counts, 24, map[sidebet.Line]int{sidebet.BlackJack: 192, 0: 4043 - 192})
}

func progressive(c sidebet.Cards) sidebet.Line { return sidebet.OfProgressive(c.First, c.Second) }

func TestProgressive(t *testing.T) {
	hands := []one{
		{cards: "AS KS", want: sidebet.SuitedAceKing},
		{cards: "KD AD", want: sidebet.SuitedAceKing}, // in either order
		{cards: "AS KC", want: sidebet.ColouredAceKing},
		{cards: "KH AD", want: sidebet.ColouredAceKing},
		{cards: "AS KH", want: sidebet.AceKing},
		{cards: "KC AD", want: sidebet.AceKing},
		{cards: "AS QS", want: sidebet.BlackJack}, // of one suit, but no king
		{cards: "JD AH", want: sidebet.BlackJack},
		{cards: "TC AC", want: sidebet.BlackJack},
		{cards: "KS KS"},
		{cards: "AS AS"},
		{cards: "KS QS"},
		{cards: "AS 9S"},
	}
	for _, h := range hands {
		if got := progressive(h.parse(t)); got != h.want {
			t.Errorf("%s: %q, want %q", h.cards, got, h.want)
		}
	}
}

// TestProgressiveInAShoe counts the box's 48,516 hands of two cards; the four lines
// together are every Black Jack.
func TestProgressiveInAShoe(t *testing.T) {
	wantCounts(t, countPairs(sidebet.OfProgressive), 2, map[sidebet.Line]int{
		sidebet.SuitedAceKing: 4 * 36, sidebet.ColouredAceKing: 4 * 36, sidebet.AceKing: 8 * 36,
		sidebet.BlackJack: 24 * 72, 0: 48516 - 24*96,
	})
}

// TestBanksAceKing: the bank's part of the jackpot is an ace and a king of any suits.
func TestBanksAceKing(t *testing.T) {
	hands := []struct {
		first, second string
		want          bool
	}{
		{"AS", "KS", true},
		{"KD", "AC", true},
		{"AS", "AS", false},
		{"KS", "KD", false},
		{"AS", "QS", false},
		{"QS", "AS", false},
		{"KS", "QS", false},
	}
	for _, h := range hands {
		if got := sidebet.IsAceKing(parse(t, h.first), parse(t, h.second)); got != h.want {
			t.Errorf("%s %s are ace and king: %v", h.first, h.second, got)
		}
	}
	for c := range card.All {
		if got, want := sidebet.AceOrKing(c), c.Rank() == card.Ace || c.Rank() == card.King; got != want {
			t.Errorf("%s can be part of it: %v", c, got)
		}
	}
}
