package table_test

import (
	"fmt"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

// A round at a Wiesbaden table: one box, 20.00 on it. What is due says at each moment
// what may come next, and what follows from an input says what happened.
func Example() {
	setup := rules.Setup{House: "wiesbaden"}
	played, wrong := profile.Built()["wiesbaden"].With(setup)
	if wrong != nil {
		fmt.Println(wrong)
		return
	}
	var t table.Table
	cards := func(cards ...card.Card) (inputs []vocab.Input) {
		for _, c := range cards {
			inputs = append(inputs, vocab.Input{Kind: vocab.InCard, Card: c})
		}
		return inputs
	}
	step := func(inputs ...vocab.Input) {
		for _, in := range inputs {
			for _, out := range t.Step(&in) {
				switch out.Kind {
				case vocab.Dealt:
					fmt.Printf("%s to the %s: %d\n", out.Card, out.To, out.Total)
				case vocab.Settled:
					fmt.Printf("box %d, %s: %s (%s), %d back and %d won\n", out.Box, out.Bettor, out.Outcome, out.Why,
						out.Returned, out.Won)
				}
			}
		}
	}

	step(
		vocab.Input{Kind: vocab.InSetup, Setup: &setup, Rules: played},
		vocab.Input{Kind: vocab.InOpen},
		vocab.Input{Kind: vocab.InStake, Box: 1, Bettor: "anna", Wager: vocab.WagerMain, Amount: 2000, Stated: true},
		vocab.Input{Kind: vocab.InClose},
	)
	step(cards(card.Of(6, card.Spades), card.Of(9, card.Hearts), card.Of(5, card.Clubs))...)
	fmt.Println("due:", t.Due().To, t.Due().Allowed.Has(vocab.CallDouble))
	step(vocab.Input{Kind: vocab.InCall, Call: vocab.CallDouble})
	step(cards(card.Of(card.Ten, card.Diamonds), card.Of(card.King, card.Spades))...)
	fmt.Println("due:", t.Due().To)
	step(vocab.Input{Kind: vocab.InPaid})

	// Output:
	// 6S to the box: 6
	// 9H to the bank: 9
	// 5C to the box: 11
	// due: call true
	// TD to the box: 21
	// KS to the bank: 19
	// box 1, anna: win (higher-total), 4000 back and 4000 won
	// due: payment
}

// What is not allowed now changes nothing, and the answer says why.
func ExampleTable_Step_rejected() {
	setup := rules.Setup{House: "wiesbaden"}
	played, _ := profile.Built()["wiesbaden"].With(setup)
	var t table.Table
	t.Step(&vocab.Input{Kind: vocab.InSetup, Setup: &setup, Rules: played})
	for _, out := range t.Step(&vocab.Input{
		Kind: vocab.InStake, Box: 1, Bettor: "anna", Wager: vocab.WagerMain,
		Amount: 2000, Stated: true,
	}) {
		fmt.Println(out.Kind, out.Reason)
	}

	// Output:
	// rejected no-round
}
