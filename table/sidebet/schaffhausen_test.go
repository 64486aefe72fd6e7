package sidebet_test

import (
	"slices"
	"testing"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/sidebet"
)

func TestPerfectPairs(t *testing.T) {
	checkTable(t, sidebet.PerfectPairs, ofBox(sidebet.PerfectPairs), []one{
		{cards: "8S 8S", want: sidebet.PerfectPair},
		{cards: "AH AH", want: sidebet.PerfectPair},
		{cards: "8S 8C", want: sidebet.ColouredPair},
		{cards: "QH QD", want: sidebet.ColouredPair},
		{cards: "8S 8H", want: sidebet.MixedPair},
		{cards: "KD KC", want: sidebet.MixedPair},
		{cards: "KD QD"}, // one value, two ranks
		{cards: "TS JS"},
		{cards: "AS 2S"},
		{cards: "8S 9S", bank: "8S"}, // the bank's card does not count
	})
}

// TestPerfectPairsInAShoe counts all 312 x 311 pairs: after any first card, 5 of
// the 311 others are identical, 6 of its colour, 12 of the other colour.
func TestPerfectPairsInAShoe(t *testing.T) {
	counts := countPairs(func(a, b card.Card) sidebet.Line {
		return sidebet.OfBox(sidebet.PerfectPairs, sidebet.Cards{First: a, Second: b})
	})
	wantCounts(t, counts, 312, map[sidebet.Line]int{
		sidebet.PerfectPair: 5, sidebet.ColouredPair: 6, sidebet.MixedPair: 12, 0: 311 - 5 - 6 - 12,
	})
}

func swiss(c sidebet.Cards) sidebet.Line { return sidebet.Swiss(c.First, c.Second) }

func TestSwissCasinosJack(t *testing.T) {
	checkTable(t, sidebet.SwissCasinosJack, swiss, []one{
		{cards: "JS AS", want: sidebet.JackIsBlack},
		{cards: "JC AH", want: sidebet.JackIsBlack}, // any ace, a red one too
		{cards: "AD JS", want: sidebet.JackIsBlack}, // in either order
		{cards: "AH TD", want: sidebet.AllRed},
		{cards: "QH AD", want: sidebet.AllRed},
		{cards: "KD AH", want: sidebet.AllRed},
		{cards: "JD AH", want: sidebet.AllRed}, // a red jack is a red ten-value
		{cards: "JD AS", want: sidebet.Mix},
		{cards: "AC JH", want: sidebet.Mix},
		{cards: "TS AS", want: sidebet.Mix},
		{cards: "AH KC", want: sidebet.Mix},
		{cards: "JS TS"}, // 20
		{cards: "AS AH"},
		{cards: "AS 9S"},
		{cards: "9S 2H"},
	})
}

// TestSwissCasinosJackInAShoe counts the bank's 48,516 hands of two cards.
func TestSwissCasinosJackInAShoe(t *testing.T) {
	wantCounts(t, countPairs(sidebet.Swiss), 2, map[sidebet.Line]int{
		sidebet.JackIsBlack: 288, sidebet.AllRed: 576, sidebet.Mix: 1440, 0: 48516 - 288 - 576 - 1440,
	})
}

// TestBustHasOneLine: no cards of the initial deal decide it.
func TestBustHasOneLine(t *testing.T) {
	if got := sidebet.Bust.Lines(); !slices.Equal(got, []sidebet.Line{sidebet.BankBust}) {
		t.Errorf("Bust has the lines %v", got)
	}
	eachPair(func(a, b card.Card, _ int) {
		if line := sidebet.OfBox(sidebet.Bust, sidebet.Cards{First: a, Second: b, Bank: a}); line != 0 {
			t.Fatalf("%s %s win %q", a, b, line)
		}
	})
}
