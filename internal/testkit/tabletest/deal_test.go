package tabletest_test

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/vocab"
)

func dealt(seed uint64, rounds, boxes int) []vocab.Input {
	return tabletest.Deal(rand.New(rand.NewPCG(seed, 1)), rounds, boxes)
}

func TestDealIsTheSameEveryTime(t *testing.T) {
	if !reflect.DeepEqual(dealt(3, 20, 5), dealt(3, 20, 5)) {
		t.Error("the same seed deals other rounds")
	}
	if reflect.DeepEqual(dealt(3, 20, 5), dealt(4, 20, 5)) {
		t.Error("another seed deals the same rounds")
	}
}

// TestDealIsTakenAsItIs: every input is accepted, whole rounds are played, each
// box is staked on, and no card comes more often than the shuffler has it.
func TestDealIsTakenAsItIs(t *testing.T) {
	const rounds, boxes = 200, 7
	var tab table.Table
	seen := map[card.Card]int{}
	for i, in := range dealt(5, rounds, boxes) {
		if in.Line != uint64(i+1) {
			t.Fatalf("input %d is numbered %d", i+1, in.Line)
		}
		tab.Step(&in)
		if tab.Rejected() != 0 {
			t.Fatalf("input %d is refused: %s", in.Line, tab.Rejected())
		}
		switch in.Kind {
		case vocab.InOpen:
			clear(seen)
		case vocab.InCard:
			if seen[in.Card]++; seen[in.Card] > tab.Rules().Cards.Decks || in.Card == card.Joker && seen[in.Card] > 1 {
				t.Fatalf("input %d: %s comes once too often", in.Line, in.Card)
			}
		case vocab.InClose:
			for box := 1; box <= boxes; box++ {
				if len(tab.Bettors(box)) == 0 {
					t.Fatalf("input %d: nobody plays box %d", in.Line, box)
				}
			}
		}
	}
	if tab.Round() != rounds || !tab.Settled() {
		t.Errorf("round %d was dealt, settled %t; want %d whole rounds", tab.Round(), tab.Settled(), rounds)
	}
}
