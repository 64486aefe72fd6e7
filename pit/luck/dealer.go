package luck

import (
	"fmt"
	"math/rand/v2"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

// dealer deals rounds with the engine: croupier, guests and cards in one.
type dealer struct {
	table table.Table
	rules *rules.Rules
	play  Strategy
	rng   *rand.Rand
	cards []card.Card
	next  int
	// fresh shuffles before each round; otherwise a shoe is dealt to three quarters.
	fresh bool
	// insure, if set, has who insures next while insurance is offered, and how much.
	insure func() (vocab.Input, bool)
}

func newDealer(r *rules.Rules, play Strategy, seed uint64) *dealer {
	d := &dealer{rules: r, play: play, rng: rand.New(rand.NewPCG(seed, 21)), fresh: r.Cards.Source == rules.Shuffler}
	for range r.Cards.Decks {
		for c := range card.All {
			d.cards = append(d.cards, c)
		}
	}
	for range r.Cards.Jokers {
		d.cards = append(d.cards, card.Joker)
	}
	d.table.Step(&vocab.Input{Kind: vocab.InSetup, Setup: &rules.Setup{House: r.House}, Rules: r})
	d.next = len(d.cards)
	return d
}

// draw is one step of a shuffle: only the cards that are dealt are shuffled.
func (d *dealer) draw() card.Card {
	at := d.next + d.rng.IntN(len(d.cards)-d.next)
	d.cards[d.next], d.cards[at] = d.cards[at], d.cards[d.next]
	d.next++
	return d.cards[d.next-1]
}

// deal deals a round on stakes and hands each output on. An error is a fault of this package.
func (d *dealer) deal(stakes []vocab.Input, each func(*vocab.Output)) error {
	if d.fresh {
		d.next = 0
	}
	if d.fresh && d.rules.Cards.Source != rules.Shuffler || d.next >= len(d.cards)*3/4 {
		d.next = 0
		if err := d.put(vocab.Input{Kind: vocab.InShoe, Shoe: vocab.ShoeLoaded}, each); err != nil {
			return err
		}
	}
	if err := d.put(vocab.Input{Kind: vocab.InOpen}, each); err != nil {
		return err
	}
	for _, in := range stakes {
		if err := d.put(in, each); err != nil {
			return err
		}
	}
	if err := d.put(vocab.Input{Kind: vocab.InClose}, each); err != nil {
		return err
	}
	for d.table.Phase() != vocab.Idle {
		if err := d.put(d.due(), each); err != nil {
			return err
		}
	}
	return nil
}

// due is what the table waits for.
func (d *dealer) due() vocab.Input {
	switch due := d.table.Due(); due.To {
	case vocab.ToBox, vocab.ToBank:
		return vocab.Input{Kind: vocab.InCard, Card: d.draw()}
	case vocab.ToCall:
		h := d.table.Hand(int(due.Box), int(due.Hand))
		in := vocab.Input{Kind: vocab.InCall, Call: d.play(h, d.table.Bank().Cards[0], due.Allowed)}
		if in.Call == vocab.CallSurrender {
			for name := range d.table.Stakes(int(due.Box), int(due.Hand)) {
				in.Bettors = append(in.Bettors, name)
			}
		}
		return in
	case vocab.ToInsurance:
		if d.insure != nil {
			if in, more := d.insure(); more {
				return in
			}
		}
		return vocab.Input{Kind: vocab.InCall, Call: vocab.CallInsuranceClosed}
	}
	return vocab.Input{Kind: vocab.InPaid}
}

func (d *dealer) put(in vocab.Input, each func(*vocab.Output)) error {
	outs := d.table.Step(&in)
	for i := range outs {
		if out := &outs[i]; out.Kind == vocab.Rejected || out.Kind == vocab.Irregular {
			return fmt.Errorf("dealing %s: %s: %s %s", d.rules.House, in.Kind, out.Reason, out.Code)
		}
		each(&outs[i])
	}
	return nil
}

// stake is what a guest puts on a box.
func stake(box int, bettor string, wager vocab.Wager, amount int64) vocab.Input {
	return vocab.Input{Kind: vocab.InStake, Box: box, Bettor: bettor, Player: bettor, Wager: wager, Amount: amount, Stated: true}
}
