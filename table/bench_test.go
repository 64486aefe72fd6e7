package table_test

import (
	"math/rand/v2"
	"testing"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/tabletest"
	"github.com/sabot-table/sabot/table/vocab"
)

// BenchmarkStep plays whole rounds at seven boxes; the inputs are made beforehand.
// A box hand is one that was played to its end.
func BenchmarkStep(b *testing.B) {
	dice := func() tabletest.Dice { return rand.New(rand.NewPCG(7, 1)) }
	b.Run("holders", func(b *testing.B) { benchmarkStep(b, tabletest.Player{Dice: dice(), Boxes: 7, Lone: true}) })
	b.Run("co-players", func(b *testing.B) { benchmarkStep(b, tabletest.Player{Dice: dice(), Boxes: 7}) })
}

func benchmarkStep(b *testing.B, player tabletest.Player) {
	const rounds = 500
	inputs := tabletest.DealTo(player, rounds)
	setup, inputs := inputs[0], inputs[1:]
	var t table.Table
	t.Step(&setup)
	hands, outputs := 0, 0
	for _, in := range inputs {
		for _, out := range t.Step(&in) {
			outputs++
			if out.Kind == vocab.HandDone {
				hands++
			}
		}
	}
	b.ReportAllocs()
	at := 0
	for b.Loop() {
		t.Step(&inputs[at])
		if at++; at == len(inputs) {
			at = 0
		}
	}
	perSecond := float64(b.N) / b.Elapsed().Seconds()
	share := perSecond / float64(len(inputs))
	b.ReportMetric(perSecond, "inputs/s")
	b.ReportMetric(share*float64(outputs), "outputs/s")
	b.ReportMetric(share*float64(hands), "hands/s")
	b.ReportMetric(share*rounds, "rounds/s")
}

// TestStepAllocatesNothing: once a table has played, nothing that a dealer does in
// a round that goes right needs new memory.
func TestStepAllocatesNothing(t *testing.T) {
	inputs := tabletest.Deal(rand.New(rand.NewPCG(7, 1)), 100, 7)
	var tab table.Table
	tab.Step(&inputs[0])
	play := func() {
		for _, in := range inputs[1:] {
			tab.Step(&in)
		}
	}
	if got := testing.AllocsPerRun(5, play); got != 0 {
		t.Errorf("100 rounds allocate %v times, want never", got)
	}
}

// TestUndoAllocatesNothing: a call that is taken back deals the round again in the
// memory that there is.
func TestUndoAllocatesNothing(t *testing.T) {
	var tab table.Table
	tab.Step(tabletest.SetUp(rules.Setup{House: "wiesbaden"}))
	if _, err := tabletest.Play(&tab, "open; stake 1 a 20; close\n TS 7D 2H"); err != nil {
		t.Fatal(err)
	}
	got := testing.AllocsPerRun(100, func() {
		tab.Step(&vocab.Input{Kind: vocab.InCall, Call: vocab.CallCard})
		tab.Step(&vocab.Input{Kind: vocab.InUndo})
	})
	if got != 0 {
		t.Errorf("a call and its undoing allocate %v times, want never", got)
	}
	if cards := tab.Hand(1, 1).Cards; len(cards) != 2 || cards[0] != card.Of(card.Ten, card.Spades) {
		t.Errorf("the hand is %v", cards)
	}
}
