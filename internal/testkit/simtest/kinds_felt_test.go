package simtest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/sim-hardware/keysim"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/vocab"
)

// What goes wrong on the felt, beside cards: a supervisor stops the round and corrects it, somebody pays another
// amount, and a payment is taken back.
const (
	mishap    = "mishap"
	wrongPay  = "wrong-pay"
	takenBack = "taken-back"
)

// correction is one that a supervisor makes in a round that was stopped for it, nil where there is nothing to correct.
// What he says is true: the cards that the display shows afterwards are those that lie on the felt.
type correction func(*rand.Rand, display.View) []vocab.Input

// corrections are what a mishap may need, by its name.
var corrections = map[string]correction{
	"take-back": byNumber(vocab.TakeBack),
	"missed":    byNumber(vocab.Missed),
	"rename":    renamedTwice,
	"move":      moved,
	"stake":     otherStake,
	"dead":      dead,
	"end-shoe":  plainly(vocab.EndShoe),
	"refill":    plainly(vocab.Refill),
	"came":      came,
}

// mishaps are their names.
var mishaps = []string{
	"take-back", "missed", "rename", "move", "move", "stake", "stake", "dead", "dead", "end-shoe",
	"refill", "came", "came",
}

// Corrections are all that a supervisor may correct, as they are counted on record.
func Corrections() (all []string) {
	for what := range vocab.EveryCorrection {
		all = append(all, vocab.InCorrect.String()+" "+what.String())
	}
	return all
}

func drawMishap(dice *rand.Rand) Args {
	return Args{
		"what=" + pick(dice, mishaps...), fmt.Sprint("dice=", 1+dice.IntN(1e6)),
		"after=" + pick(dice, "0s", "120ms", "1s"),
	}
}

func byNumber(what vocab.Correction) correction {
	return func(dice *rand.Rand, v display.View) []vocab.Input {
		return one(vocab.Input{Correct: vocab.Correct{What: what, Nth: 1 + dice.IntN(2+len(shown(v)))}})
	}
}

func plainly(what vocab.Correction) correction {
	return func(*rand.Rand, display.View) []vocab.Input {
		return one(vocab.Input{Correct: vocab.Correct{What: what}})
	}
}

func one(in vocab.Input) []vocab.Input { return []vocab.Input{in} }

// renamedTwice gives a card another name, and its own again: the first one that was drawn is the first box's.
func renamedTwice(dice *rand.Rand, v display.View) []vocab.Input {
	at := slices.IndexFunc(v.Boxes, func(b display.Box) bool { return len(b.Hands) > 0 && len(b.Hands[0].Cards) > 0 })
	if at < 0 || v.Boxes[at].Hands[0].Cards[0] == card.Unread {
		return nil
	}
	is := v.Boxes[at].Hands[0].Cards[0]
	first := vocab.Correct{What: vocab.Rename, Nth: 1}
	return []vocab.Input{{Correct: first, Card: another(dice, is)}, {Correct: first, Card: is}}
}

func another(dice *rand.Rand, than card.Card) card.Card {
	for {
		if c := anyCard(dice); c != than {
			return c
		}
	}
}

func anyCard(dice *rand.Rand) card.Card {
	return card.Of(card.Rank(1+dice.IntN(13)), card.Suit(dice.IntN(4)))
}

func moved(dice *rand.Rand, v display.View) []vocab.Input {
	in := vocab.Input{
		Correct: vocab.Correct{
			What: vocab.Move, Nth: 1 + dice.IntN(1+len(shown(v))),
			To: pick(dice, vocab.ToBox, vocab.ToBank, vocab.ToAside),
		},
	}
	if in.Correct.To == vocab.ToBox {
		in.Box, in.Hand = 1+dice.IntN(max(1, len(v.Boxes))), uint8(dice.IntN(3))
	}
	return one(in)
}

// otherStake is another amount on a wager that lies there.
func otherStake(dice *rand.Rand, v display.View) []vocab.Input {
	b, ok := played(dice, v)
	if !ok {
		return nil
	}
	in := vocab.Input{
		Correct: vocab.Correct{What: vocab.SetStake}, Box: b.Number, Bettor: pick(dice, b.Bettors...).Name,
		Wager: vocab.WagerMain, Stated: true,
	}
	in.Amount = pick(dice, 0, v.Min, 2*v.Min, v.Min+v.Unit)
	if len(b.Sides) > 0 && dice.IntN(2) == 0 {
		side := pick(dice, b.Sides...)
		in.Bettor, in.Wager, in.Amount = side.Bettor, side.Wager, pick(dice, 0, side.Stake/2, 2*side.Stake)
	}
	return one(in)
}

// dead is a box, one of its hands, or what somebody has there.
func dead(dice *rand.Rand, v display.View) []vocab.Input {
	b, ok := played(dice, v)
	if !ok {
		return nil
	}
	in := vocab.Input{Correct: vocab.Correct{What: vocab.Dead}, Box: b.Number}
	if dice.IntN(2) == 0 {
		in.Bettor = pick(dice, b.Bettors...).Name
	}
	switch dice.IntN(3) {
	case 0:
		in.Hand = uint8(1 + dice.IntN(2))
	case 1:
		in.Wager = vocab.WagerMain
	}
	if dice.IntN(4) == 0 {
		in.Correct.Outcome = vocab.Lose
	}
	return one(in)
}

// came is a card that stuck to another one, and that the shoe did not tell.
func came(dice *rand.Rand, v display.View) []vocab.Input {
	in := vocab.Input{Correct: vocab.Correct{What: vocab.Came}, Card: anyCard(dice)}
	if dice.IntN(2) == 0 {
		in.Correct.Nth = 1 + dice.IntN(1+len(shown(v)))
	}
	return one(in)
}

// played is a box with stakes.
func played(dice *rand.Rand, v display.View) (display.Box, bool) {
	boxes := slices.DeleteFunc(slices.Clone(v.Boxes), func(b display.Box) bool { return len(b.Bettors) == 0 })
	if len(boxes) == 0 {
		return display.Box{}, false
	}
	return pick(dice, boxes...), true
}

// stopRound has somebody stop the round, in which the supervisor will find what is to be corrected.
func (w *World) stopRound(a Args) {
	w.mu.Lock()
	w.mishaps = append(w.mishaps, a)
	w.mu.Unlock()
	w.besides(a.time("after"), vocab.Input{Kind: vocab.InHold, By: "supervisor", Because: a.get("what")})
}

// besides puts something in that is not the dealer's, after a while. It may be refused.
func (w *World) besides(after time.Duration, inputs ...vocab.Input) {
	w.mu.Lock()
	s, ok := w.dealer.Display.(screen)
	w.mu.Unlock()
	if !ok {
		return
	}
	ctx, stop := context.WithTimeout(context.Background(), time.Minute)
	go func() {
		defer stop()
		pause(ctx, after)
		for _, in := range inputs {
			_, _ = w.press(ctx, s.Table, in, false)
		}
	}()
}

// correct makes the corrections for which the round was stopped. Of one may follow what is to be put right first.
func (w *World) correct(ctx context.Context, v display.View) error {
	w.mu.Lock()
	table, todo := w.dealer.Display.(screen).Table, w.mishaps
	w.mishaps = nil
	w.mu.Unlock()
	for _, a := range todo {
		dice := rand.New(rand.NewPCG(w.script.Seed, uint64(a.number("dice"))))
		list := corrections[a.get("what")](dice, v)
		for i := range list {
			list[i].Kind, list[i].By, list[i].Because = vocab.InCorrect, "supervisor", a.get("what")
		}
		if err := w.correctAll(ctx, table, list); err != nil {
			return err
		}
	}
	now, err := w.look(ctx)
	if err != nil || now.Held == nil || now.Held.Code != v.Held.Code {
		return errors.Join(err, keysim.ErrLookAgain)
	}
	return nil
}

// correctAll makes corrections that belong together. A card that is named by hand lies on the felt from then on. Until
// all are made, and where only some of them were taken or nobody knows which, the felt is in doubt.
func (w *World) correctAll(ctx context.Context, table Table, list []vocab.Input) error {
	sure := w.hand.doubts()
	taken := 0
	for _, in := range list {
		refused, err := w.press(ctx, table, in, false)
		if err != nil {
			return err
		}
		w.log.Info("corrected", "what", in.Correct.What, "nth", in.Correct.Nth, "card", in.Card, "refused", refused)
		if refused != 0 {
			continue
		}
		taken++
		switch in.Correct.What {
		case vocab.Came:
			w.hand.untold(in.Card)
		case vocab.Refill:
			if err := w.hand.Reload(); err != nil {
				return err
			}
		}
	}
	if taken == 0 || taken == len(list) {
		sure()
	}
	return nil
}

// paysWrong is a payment of another amount, or the one that it would have been.
func (w *World) paysWrong(in vocab.Input, v display.View) vocab.Input {
	if !w.takes(wrongPay) {
		return in
	}
	dice := rand.New(rand.NewPCG(w.script.Seed, v.Seq))
	b, ok := played(dice, v)
	if !ok || b.Paid {
		return in
	}
	in.Box, in.Stated, in.Amount = b.Number, true, pick(dice, 0, v.Unit, v.Min, 3*v.Min)
	if dice.IntN(2) == 0 {
		in.Bettor = pick(dice, b.Bettors...).Name
	}
	return in
}

// mismatch is what the supervisor says of a payment of another amount: it was put right, or it stays.
func mismatch(v display.View) irregularity.Choice {
	if v.Seq%2 == 0 {
		return irregularity.Accept
	}
	return irregularity.Corrected
}
