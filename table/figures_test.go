package table_test

import (
	"math/rand/v2"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/figure"
	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/table"
)

// TestFigures: what a round of seven boxes allocates once the table has played.
func TestFigures(t *testing.T) {
	const rounds = 100
	inputs := tabletest.DealTo(tabletest.Player{Dice: rand.New(rand.NewPCG(7, 1)), Boxes: 7}, rounds)
	var tab table.Table
	tab.Step(&inputs[0])
	allocations := testing.AllocsPerRun(5, func() {
		for i := range inputs[1:] {
			tab.Step(&inputs[1+i])
		}
	})
	figure.Check(t, "engine.round.allocations", allocations/rounds, "allocations a round")
}

// BenchmarkStepBeside takes turns at rounds of seven boxes and at their least: adding up the cards of the same hands,
// and paying their stakes.
func BenchmarkStepBeside(b *testing.B) {
	inputs := tabletest.DealTo(tabletest.Player{Dice: rand.New(rand.NewPCG(7, 1)), Boxes: 7, Lone: true}, benchRounds)
	rounds := bareRounds(inputs)
	var tab table.Table
	tab.Step(&inputs[0])
	var paid int64
	figure.Beside(b, func() {
		for i := range inputs[1:] {
			tab.Step(&inputs[1+i])
		}
	}, func() {
		for _, r := range rounds {
			paid += bareRound(r)
		}
	})
	if paid == 0 {
		b.Error("nothing was paid")
	}
}
