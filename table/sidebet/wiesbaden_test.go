package sidebet_test

import (
	"testing"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/sidebet"
)

func TestTwins(t *testing.T) {
	hands := []struct {
		cards       one
		plain, with sidebet.Line // without and with the Joker laid to the box
	}{
		{one{cards: "5S 5H"}, sidebet.TwinsPair, sidebet.TwinsJoker},
		{one{cards: "5S 5S"}, sidebet.TwinsPair, sidebet.TwinsJoker},
		{one{cards: "KD KC"}, sidebet.TwinsPair, sidebet.TwinsJoker},
		{one{cards: "AD AH"}, sidebet.TwinsPair, sidebet.TwinsJoker},
		{one{cards: "KS QS"}, "", ""}, // one value, two ranks
		{one{cards: "TS JS"}, "", ""},
		{one{cards: "8S 9S", bank: "8D"}, "", ""}, // the bank's card does not count
	}
	for _, h := range hands {
		cards := h.cards.parse(t)
		if got := won(sidebet.Twins, cards); got != h.plain {
			t.Errorf("%s: %q, want %q", h.cards.cards, got, h.plain)
		}
		cards.Joker = true
		if got := won(sidebet.Twins, cards); got != h.with {
			t.Errorf("%s with the Joker: %q, want %q", h.cards.cards, got, h.with)
		}
	}
}

// TestTwinsInAShoe: after any first card 23 of the 311 others are of its rank.
func TestTwinsInAShoe(t *testing.T) {
	wantCounts(t, countPairs(byPair(sidebet.Twins)), 312, map[sidebet.Line]int{sidebet.TwinsPair: 23, "": 311 - 23})
}

func TestCrazyTwins(t *testing.T) {
	hands := []struct {
		cards one
		match bool
	}{
		{one{cards: "TS 9H", bank: "TD"}, true},
		{one{cards: "AS AS", bank: "AS"}, true},
		{one{cards: "9H TS", bank: "TD"}, false}, // the box's second card does not count
		{one{cards: "KS QS", bank: "QD"}, false},
		{one{cards: "KS KH", bank: "QD"}, false}, // one value, two ranks
	}
	for _, h := range hands {
		cards := h.cards.parse(t)
		if _, decided := defOf(sidebet.CrazyTwins).Judge(cards); decided == h.match {
			t.Errorf("%s against %s wait for the box's hands: %v", h.cards.cards, h.cards.bank, !decided)
		}
		for _, end := range []struct {
			hands sidebet.Hands
			joker bool
			want  sidebet.Line
		}{
			{sidebet.HandsKept, false, sidebet.CrazyTwinsPair},
			{sidebet.HandsKept, true, sidebet.CrazyTwinsJoker},
			{sidebet.HandsLost, false, ""},
			{sidebet.HandsLost, true, ""},
		} {
			cards.Hands, cards.Joker = end.hands, end.joker
			want := end.want
			if !h.match {
				want = ""
			}
			if got := won(sidebet.CrazyTwins, cards); got != want {
				t.Errorf("%s against %s, %+v: %q, want %q", h.cards.cards, h.cards.bank, end, got, want)
			}
		}
	}
}

// TestCrazyTwinsInAShoe: the bank's first card is of the rank of the box's as often
// as a twin is.
func TestCrazyTwinsInAShoe(t *testing.T) {
	matches := 0
	eachPair(func(box, bank card.Card, ways int) {
		if won(sidebet.CrazyTwins, sidebet.Cards{First: box, Bank: bank, Hands: sidebet.HandsKept}) != "" {
			matches += ways
		}
	})
	if want := 312 * 23; matches != want {
		t.Errorf("%d of the ordered pairs match, want %d", matches, want)
	}
}
