package vocab

import "github.com/sabot-table/sabot/shoe/card"

// Correct is what a supervisor corrects in the round.
type Correct struct {
	What Correction
	// Nth is the number of the card or of the key press in the round, from 1.
	Nth int
	// To is where a card lies. (Move)
	To To
	// Outcome is what becomes of dead stakes, 0 where they go back. (Dead)
	Outcome Outcome
}

var correctInput = Line[Input]{
	Name: "correct", Meaning: "a supervisor corrects the round while it is held", By: "what",
	Forms: correctionNames, Form: func(in *Input) uint8 { return uint8(in.Correct.What) },
	Fields: []*Field[Input]{
		named("what", Required, correctionNames, "what is corrected", func(in *Input) *Correction {
			return &in.Correct.What
		}),
		count("nth", Required, "the number of the key press or of the card in the round, from 1",
			func(in *Input) *int {
				return &in.Correct.Nth
			}).only(set(TakeBack, Rename, Move, Missed)),
		playing(Required, "the card's right name", func(in *Input) *card.Card {
			return &in.Card
		}).only(set(Rename)),
		count("nth", Optional, "the number of the card before which it came; after all of them by default",
			func(in *Input) *int {
				return &in.Correct.Nth
			}).only(set(Came)),
		playing(Required, "the card that the shoe did not tell", func(in *Input) *card.Card {
			return &in.Card
		}).only(set(Came)),
		named("to", Required, some(toNames, ToBox, ToBank, ToAside), "where the card lies", func(in *Input) *To {
			return &in.Correct.To
		}).only(set(Move)),
		count("box", Optional, "the box where it lies", boxOf).only(set(Move)),
		count("hand", Optional, "the hand on it, 1 by default", func(in *Input) *uint8 {
			return &in.Hand
		}).only(set(Move)),
		count("box", Required, "the box", boxOf).only(set(SetStake)),
		person("bettor", Required, "whose stake it is", bettorOf).only(set(SetStake)),
		onWager(func(in *Input) *Wager {
			return &in.Wager
		}).otherwise(WagerUnknown.String()).only(set(SetStake)),
		amount("amount", Optional, "the right stake, as it was placed; 0 for none, and without it nobody knows it",
			amountOf).given(statedOf).only(set(SetStake)),
		count("box", Required, "the box whose wagers are dead", boxOf).only(set(Dead)),
		count("hand", Optional,
			"the hand on it whose main wagers are dead; by default all hands, insurances and side bets",
			func(in *Input) *uint8 {
				return &in.Hand
			}).only(set(Dead)),
		text("bettor", Optional, "whose wagers; all bettors' by default", bettorOf).called().only(set(Dead)),
		onWager(func(in *Input) *Wager {
			return &in.Wager
		}).otherwise(WagerUnknown.String()).optional("the wager; all by default").only(set(Dead)),
		named("outcome", Optional, some(outcomeNames, Lose), "what becomes of the stakes; by default they go back",
			func(in *Input) *Outcome {
				return &in.Correct.Outcome
			}).only(set(Dead)),
		text("by", Optional, "who it is", byOf).called(),
		role(),
		text("reason", Optional, "why", becauseOf).said(),
	},
}
