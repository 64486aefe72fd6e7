package sidebet_test

import (
	"testing"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/sidebet"
)

func TestAdmiralJack(t *testing.T) {
	checkTable(t, sidebet.AdmiralJack, byCards(sidebet.AdmiralJack), []one{
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
	wantCounts(t, countPairs(byPair(sidebet.AdmiralJack)), 24,
		map[sidebet.Line]int{sidebet.BlackJack: 192, "": 4043 - 192})
}

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
		if got := won(sidebet.Progressive, h.parse(t)); got != h.want {
			t.Errorf("%s: %q, want %q", h.cards, got, h.want)
		}
	}
}

// TestProgressiveInAShoe counts the box's 48,516 hands of two cards; the four lines
// together are every Black Jack.
func TestProgressiveInAShoe(t *testing.T) {
	wantCounts(t, countPairs(byPair(sidebet.Progressive)), 2, map[sidebet.Line]int{
		sidebet.SuitedAceKing: 4 * 36, sidebet.ColouredAceKing: 4 * 36, sidebet.AceKing: 8 * 36,
		sidebet.BlackJack: 24 * 72, "": 48516 - 24*96,
	})
}

// TestJackpot: ace and king of one suit wait while the bank can have ace and king of any
// suits, and win the jackpot when it has.
func TestJackpot(t *testing.T) {
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
	cards := one{cards: "AS KS"}.parse(t)
	for _, h := range hands {
		cards.Bank, cards.BankSecond = parse(t, h.first), parse(t, h.second)
		if got := won(sidebet.Progressive, cards) == sidebet.Jackpot; got != h.want {
			t.Errorf("against %s %s the jackpot is won: %v", h.first, h.second, got)
		}
	}
	for c := range card.All {
		cards.Bank, cards.BankSecond = c, card.None
		line, decided := defOf(sidebet.Progressive).Judge(cards)
		waits := c.Rank() == card.Ace || c.Rank() == card.King
		if decided == waits || decided && line != sidebet.SuitedAceKing {
			t.Errorf("against %s: %q, decided %v", c, line, decided)
		}
	}
}
