package tabletest

import (
	"fmt"

	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

// SetUp is the input that sets a table up. It panics where the book would refuse
// the setup, which is a mistake in the test that asks.
func SetUp(s rules.Setup) *vocab.Input {
	set, err := Book().Set(s)
	if err != nil {
		panic(fmt.Sprintf("tabletest: %v", err))
	}
	return &vocab.Input{Kind: vocab.InSetup, Setup: &s, Rules: set}
}

// Deal plays whole rounds at a table of Wiesbaden, on every box of which somebody
// stakes, and returns what was put in: the setup, then the rounds, numbered as the
// lines of a transcript. The same dice always deal the same.
func Deal(dice Dice, rounds, boxes int) []vocab.Input {
	return DealTo(Player{Dice: dice, Boxes: boxes}, rounds)
}

// DealTo is Deal with a player as the caller wants him.
func DealTo(player Player, rounds int) []vocab.Input {
	var t table.Table
	in := *SetUp(rules.Setup{House: "wiesbaden", Boxes: player.Boxes})
	in.Line = 1
	inputs := []vocab.Input{in}
	t.Step(&in)
	for t.Round() < uint64(rounds) || !t.Settled() {
		in = player.Next(&t)
		in.Line = uint64(len(inputs) + 1)
		inputs = append(inputs, in)
		t.Step(&in)
	}
	return inputs
}
