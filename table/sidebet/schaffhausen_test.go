package sidebet_test

import (
	"slices"
	"testing"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/hand"
	"github.com/sabot-table/sabot/table/sidebet"
)

func TestPerfectPairs(t *testing.T) {
	checkTable(t, sidebet.PerfectPairs, byCards(sidebet.PerfectPairs), []one{
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
	wantCounts(t, countPairs(byPair(sidebet.PerfectPairs)), 312, map[sidebet.Line]int{
		sidebet.PerfectPair: 5, sidebet.ColouredPair: 6, sidebet.MixedPair: 12, "": 311 - 5 - 6 - 12,
	})
}

// swiss is what the bank wins with two cards.
func swiss(a, b card.Card) sidebet.Line {
	return won(sidebet.SwissCasinosJack, sidebet.Cards{Bank: a, BankSecond: b})
}

// TestSwissCasinosJackWaits: the bet waits while the bank can have a Black Jack.
func TestSwissCasinosJackWaits(t *testing.T) {
	for c := range card.All {
		line, decided := defOf(sidebet.SwissCasinosJack).Judge(sidebet.Cards{Bank: c})
		if waits := c.Rank() == card.Ace || hand.TenValue(c.Rank()); decided == waits || line != "" {
			t.Errorf("after %s: %q, decided %v", c, line, decided)
		}
	}
}

func TestSwissCasinosJack(t *testing.T) {
	checkTable(t, sidebet.SwissCasinosJack, func(c sidebet.Cards) sidebet.Line { return swiss(c.First, c.Second) },
		[]one{
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
	wantCounts(t, countPairs(swiss), 2, map[sidebet.Line]int{
		sidebet.JackIsBlack: 288, sidebet.AllRed: 576, sidebet.Mix: 1440, "": 48516 - 288 - 576 - 1440,
	})
}

// TestBust: only the bank's total wins it.
func TestBust(t *testing.T) {
	if got := defOf(sidebet.Bust).Lines(); !slices.Equal(got, []sidebet.Line{sidebet.BankBust}) {
		t.Errorf("Bust has the lines %v", got)
	}
	ten := card.Of(card.Ten, card.Spades)
	eachPair(func(a, b card.Card, _ int) {
		cards := sidebet.Cards{First: a, Second: b, Bank: a, BankSecond: b}
		if _, decided := defOf(sidebet.Bust).Judge(cards); decided {
			t.Fatal("Bust is decided before the bank has ended")
		}
		cards.BankHand = []card.Card{a, ten}
		if line := won(sidebet.Bust, cards); line != "" {
			t.Fatalf("%s %s win %q", a, b, line)
		}
		cards.BankHand = []card.Card{ten, ten, card.Of(2, card.Hearts)}
		if line := won(sidebet.Bust, cards); line != sidebet.BankBust {
			t.Fatalf("the bank over 21 wins %q", line)
		}
	})
}
