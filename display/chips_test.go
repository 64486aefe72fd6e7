package display_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/internal/testkit/displaytest"
	_ "github.com/sabot-table/sabot/internal/testkit/tier" // the seed of properties
)

func TestInChips(t *testing.T) {
	euros := []int64{200, 500, 1000, 2000, 5000, 10000, 50000}
	for _, tt := range []struct {
		amount int64
		want   []display.Stack
		rest   int64
	}{
		{0, nil, 0},
		{1500, []display.Stack{{1000, 1}, {500, 1}}, 0},
		{53000, []display.Stack{{50000, 1}, {2000, 1}, {1000, 1}}, 0},
		{44000, []display.Stack{{10000, 4}, {2000, 2}}, 0},
		{750, []display.Stack{{500, 1}, {200, 1}}, 50},
	} {
		stacks, rest := display.InChips(tt.amount, euros)
		if rest != tt.rest || len(stacks) != len(tt.want) {
			t.Errorf("%d: %v and %d, want %v and %d", tt.amount, stacks, rest, tt.want, tt.rest)
			continue
		}
		for i, s := range stacks {
			if s != tt.want[i] {
				t.Errorf("%d: %v, want %v", tt.amount, stacks, tt.want)
			}
		}
	}
}

// Whatever chips a table has: they and the rest are the amount, and no chip pays the rest.
func TestInChipsPaysAll(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		chips := rapid.SliceOfNDistinct(rapid.Int64Range(1, 100000), 0, 8, rapid.ID[int64]).Draw(t, "chips")
		for i := range chips { // the smallest first
			for j := i; j > 0 && chips[j] < chips[j-1]; j-- {
				chips[j], chips[j-1] = chips[j-1], chips[j]
			}
		}
		amount := rapid.Int64Range(0, 10_000_000).Draw(t, "amount")
		stacks, rest := display.InChips(amount, chips)
		sum := rest
		for _, s := range stacks {
			sum += s.Value * s.Count
		}
		if sum != amount || rest < 0 || len(chips) > 0 && rest >= chips[0] {
			t.Errorf("%d in %v: %v and %d", amount, chips, stacks, rest)
		}
	})
}

func TestNextToPay(t *testing.T) {
	v := displaytest.Named("payment-full") // box 1 is paid
	if b, ok := display.NextToPay(v); !ok || b.Number != 2 || display.ToTake(b) != 4000 {
		t.Errorf("box %d is next, %d to take, %v", b.Number, display.ToTake(b), ok)
	}
	if _, ok := display.NextToPay(displaytest.Named("play")); ok {
		t.Error("a box is to be paid in mid-round")
	}
}
