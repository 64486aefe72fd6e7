package table_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/hand"
	"github.com/sabot-table/sabot/table/money"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

// benchRounds is how many rounds a benchmark plays, over and over.
const benchRounds = 500

// BenchmarkStep plays whole rounds at seven boxes; the inputs are made beforehand.
// A box hand is one that was played to its end. Beside it, "bare" only adds up the cards
// of the same hands and pays their stakes: what the machine needs at the least.
func BenchmarkStep(b *testing.B) {
	for _, who := range []struct {
		name string
		lone bool
	}{{"holders", true}, {"co-players", false}} {
		inputs := tabletest.DealTo(tabletest.Player{Dice: rand.New(rand.NewPCG(7, 1)), Boxes: 7, Lone: who.lone},
			benchRounds)
		b.Run(who.name, func(b *testing.B) { benchmarkStep(b, inputs) })
		b.Run(who.name+"-bare", func(b *testing.B) { benchmarkBare(b, inputs) })
	}
}

// bareHand is a box's hand, or the bank's: its cards, and what is staked on it.
type bareHand struct {
	cards  []card.Card
	stakes []int64
}

// bareRounds are the hands of the rounds, the bank's first in each.
func bareRounds(inputs []vocab.Input) [][]bareHand {
	var t table.Table
	var rounds [][]bareHand
	for _, in := range inputs {
		for _, out := range t.Step(&in) {
			if out.Kind != vocab.RoundDecided {
				continue
			}
			hands := []bareHand{{cards: slices.Clone(out.Bank)}}
			for box := 1; box <= t.Boxes(); box++ {
				for n := 1; n <= t.Hands(box); n++ {
					one := bareHand{cards: slices.Clone(t.Hand(box, n).Cards)}
					for _, stake := range t.Stakes(box, n) {
						one.stakes = append(one.stakes, stake)
					}
					hands = append(hands, one)
				}
			}
			rounds = append(rounds, hands)
		}
	}
	return rounds
}

func benchmarkBare(b *testing.B, inputs []vocab.Input) {
	rounds := bareRounds(inputs)
	hands := 0
	for _, r := range rounds {
		hands += len(r) - 1
	}
	b.ReportAllocs()
	var paid int64
	at := 0
	for b.Loop() {
		paid += bareRound(rounds[at])
		if at++; at == len(rounds) {
			at = 0
		}
	}
	perSecond := float64(b.N) / b.Elapsed().Seconds()
	b.ReportMetric(perSecond*float64(hands)/float64(len(rounds)), "hands/s")
	b.ReportMetric(perSecond, "rounds/s")
	if paid == 0 {
		b.Error("nothing was paid")
	}
}

// bareRound is what all hands of a round get back.
func bareRound(r []bareHand) (paid int64) {
	bank := hand.Of(r[0].cards)
	for i := range r[1:] {
		paid += bare(&r[1+i], bank)
	}
	return paid
}

// bare is what a hand gets back from the bank.
func bare(h *bareHand, bank hand.Value) (paid int64) {
	v := hand.Of(h.cards)
	for _, stake := range h.stakes {
		switch total := v.Total(); {
		case v.Bust():
		case bank.Bust() || total > bank.Total():
			won, _ := money.Share(stake, money.Ratio{Num: 1, Den: 1}, 50, money.Down)
			paid += stake + won
		case total == bank.Total():
			paid += stake
		}
	}
	return paid
}

func benchmarkStep(b *testing.B, inputs []vocab.Input) {
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
	b.ReportMetric(share*benchRounds, "rounds/s")
}

// TestStepAllocatesNothing: once a table has played, nothing that a dealer does in
// a round that goes right needs new memory, with side bets or without.
func TestStepAllocatesNothing(t *testing.T) {
	for _, freely := range []bool{false, true} {
		inputs := tabletest.DealTo(tabletest.Player{Dice: rand.New(rand.NewPCG(7, 1)), Boxes: 7, Freely: freely}, 100)
		var tab table.Table
		tab.Step(&inputs[0])
		play := func() {
			for _, in := range inputs[1:] {
				tab.Step(&in)
			}
		}
		if got := testing.AllocsPerRun(5, play); got != 0 {
			t.Errorf("100 rounds allocate %v times, want never; guests do as they like: %t", got, freely)
		}
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
