package hand_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/sabot-table/sabot/internal/testkit/tier" // the seed of properties
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/hand"
)

func cards(t *testing.T, text string) []card.Card {
	t.Helper()
	var list []card.Card
	for _, word := range strings.Fields(text) {
		c, err := card.Parse(word)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, c)
	}
	return list
}

func TestValue(t *testing.T) {
	for _, c := range []struct {
		cards string
		total int
		soft  bool
		bust  bool
		black bool
	}{
		{"", 0, false, false, false},
		{"2S", 2, false, false, false},
		{"TS", 10, false, false, false},
		{"JS QH", 20, false, false, false},
		{"KD 9C", 19, false, false, false},
		{"AS", 11, true, false, false},
		{"AS KD", 21, true, false, true},
		{"JD AC", 21, true, false, true},
		{"AS TD AC", 12, false, false, false},
		{"AS AD", 12, true, false, false},
		{"AS AD AH AC", 14, true, false, false},
		{"AS 6D", 17, true, false, false},
		{"AS 6D TC", 17, false, false, false},
		{"AS 5D 5C", 21, true, false, false},
		{"7S 7D 7C", 21, false, false, false},
		{"TS 6D 6C", 22, false, true, false},
		{"TS TD AC", 21, false, false, false},
		{"TS TD AC AS", 22, false, true, false},
		{"TS JD QC", 30, false, true, false},
		{"JOKER", 0, false, false, false},
		{"AS ?? KD", 21, true, false, false},
	} {
		list := cards(t, c.cards)
		v := hand.Of(list)
		if v.Total() != c.total || v.Soft() != c.soft || v.Bust() != c.bust {
			t.Errorf("%s: counts %d, soft %t, bust %t; want %d, %t, %t", c.cards, v.Total(), v.Soft(), v.Bust(),
				c.total, c.soft, c.bust)
		}
		if got := hand.BlackJack(list); got != c.black {
			t.Errorf("%s: Black Jack %t, want %t", c.cards, got, c.black)
		}
	}
}

// TestBestTotal: of all ways to count the aces, Total is the highest that does not bust, or the lowest if all bust.
func TestBestTotal(t *testing.T) {
	ranks := rapid.SliceOfN(rapid.IntRange(1, 13), 0, 12)
	rapid.Check(t, func(t *rapid.T) {
		var list []card.Card
		lowest, aces := 0, 0
		for _, r := range ranks.Draw(t, "ranks") {
			list = append(list, card.Of(card.Rank(r), card.Hearts))
			lowest += min(r, 10)
			if r == 1 {
				aces++
			}
		}
		best := lowest
		for high := range aces + 1 {
			if total := lowest + 10*high; total <= 21 {
				best = max(best, total)
			}
		}
		v := hand.Of(list)
		if v.Total() != best || v.Soft() != (best > lowest) || v.Bust() != (best > 21) {
			t.Fatalf("%v: counts %d, soft %t, bust %t; the best total is %d of at least %d", list, v.Total(), v.Soft(),
				v.Bust(), best, lowest)
		}
	})
}

func TestPointsAndTenValues(t *testing.T) {
	for c := range card.All {
		want := map[byte]int{
			'A': 1, '2': 2, '3': 3, '4': 4, '5': 5, '6': 6, '7': 7, '8': 8, '9': 9, 'T': 10, 'J': 10,
			'Q': 10, 'K': 10,
		}[c.String()[0]]
		if got := hand.Points(c.Rank()); got != want {
			t.Errorf("%s counts %d, want %d", c, got, want)
		}
		if got := hand.TenValue(c.Rank()); got != (want == 10) {
			t.Errorf("%s is a ten-value: %t", c, got)
		}
	}
}
