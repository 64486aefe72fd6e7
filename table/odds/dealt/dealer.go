package dealt

import (
	"fmt"
	"math/rand/v2"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/hand"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/odds"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

// Dealer deals rounds with the engine: croupier, guests and cards in one.
type Dealer struct {
	// Fresh shuffles before each round; otherwise a shoe is dealt to three quarters.
	Fresh bool
	// Play is how all guests play.
	Play Play
	// Insure, if set, has who insures or takes even money next while that is offered, and how much.
	Insure func() (vocab.Input, bool)

	table table.Table
	rules *rules.Rules
	rng   *rand.Rand
	cards []card.Card
	next  int
	// What is put in and played: one of each kind, changed in place, so that nothing is allocated or cleared.
	open, close, card, under, call, paid, hole, other vocab.Input
	// down is the bank's card that lies face down, which is put in as under.
	down card.Card
	// asked is how many boxes were asked whether they surrender before the dealer looks, and left how many bettors of
	// the next one have.
	asked, left int
	hand        Hand
}

// Play is how a guest plays a hand: one of the calls that are allowed.
type Play func(h *Hand) vocab.Call

// Hand is a hand that waits for a call. Its cards are valid until the call.
type Hand struct {
	table.Hand
	// Box is its box's number, from 1.
	Box int
	// Hands is how many hands the box has: more than one after a split.
	Hands   int
	Up      card.Card
	Allowed vocab.Calls
}

// NewDealer is a dealer at a table of the rules, who draws from what is left in a shoe.
func NewDealer(r *rules.Rules, shoe *odds.Shoe, play Play, rng *rand.Rand) *Dealer {
	r = r.WithoutBurning()
	d := &Dealer{
		rules: r, Play: play, rng: rng, Fresh: r.Cards.Source == rules.Shuffler, cards: inOrder(shoe),
		open: vocab.Input{Kind: vocab.InOpen}, close: vocab.Input{Kind: vocab.InClose},
		card: vocab.Input{Kind: vocab.InCard}, under: vocab.Input{Kind: vocab.InCard, Card: card.Down},
		call: vocab.Input{Kind: vocab.InCall}, paid: vocab.Input{Kind: vocab.InPaid},
	}
	d.table.Step(&vocab.Input{Kind: vocab.InSetup, Setup: &rules.Setup{House: r.House}, Rules: r})
	d.next = len(d.cards)
	return d
}

// inOrder are the cards of a shoe, pack by pack, the Jokers last.
func inOrder(shoe *odds.Shoe) (cards []card.Card) {
	for pack := range shoe.Packs {
		for c := range card.All {
			if pack < shoe.Of(c) {
				cards = append(cards, c)
			}
		}
	}
	for range shoe.Of(card.Joker) {
		cards = append(cards, card.Joker)
	}
	return cards
}

// Table is the table at which rounds are dealt. After Deal it has the last one.
func (d *Dealer) Table() *table.Table { return &d.table }

// Shuffle puts all cards back.
func (d *Dealer) Shuffle() { d.next = 0 }

// Draw is one step of a shuffle: only the cards that are dealt are shuffled.
func (d *Dealer) Draw() card.Card {
	at := d.next + d.rng.IntN(len(d.cards)-d.next)
	d.cards[d.next], d.cards[at] = d.cards[at], d.cards[d.next]
	d.next++
	return d.cards[d.next-1]
}

// Deal deals a round on stakes and hands each output on, to each unless it is nil. An error is that the cards ran out
// in the middle of it, odds.ErrFew, or a fault of this package.
func (d *Dealer) Deal(stakes []vocab.Input, each func(*vocab.Output)) error {
	if d.Fresh {
		d.Shuffle()
	}
	if d.Fresh && d.rules.Cards.Source != rules.Shuffler || d.next >= len(d.cards)*3/4 {
		d.Shuffle()
		if err := d.putInput(&vocab.Input{
			Kind: vocab.InShoe, Shoe: vocab.ShoeSaid{Event: vocab.ShoeLoaded},
		}, each); err != nil {
			return err
		}
	}
	if err := d.putInput(&d.open, each); err != nil {
		return err
	}
	for i := range stakes {
		if err := d.putInput(&stakes[i], each); err != nil {
			return err
		}
	}
	for in := &d.close; in != nil; in = d.due() {
		switch {
		case in.Kind == vocab.InCard && d.next == len(d.cards):
			return d.ranOut()
		case in == &d.card:
			d.card.Card = d.Draw()
		case in == &d.under:
			d.down = d.Draw()
		}
		if err := d.putInput(in, each); err != nil {
			return err
		}
	}
	return nil
}

// ranOut is that no card is left for one that is due.
func (d *Dealer) ranOut() error {
	return fmt.Errorf("dealing %s: %w: all %d were dealt in the middle of one; take more packs, or fewer boxes",
		d.rules.House, odds.ErrFew, len(d.cards))
}

// due is the input for which the table waits, nil after the round.
func (d *Dealer) due() *vocab.Input {
	switch due := d.table.Due(); due.To {
	case vocab.ToBox, vocab.ToBank:
		return &d.card
	case vocab.ToHole:
		return &d.under
	case vocab.ToLook, vocab.ToTurn:
		d.seen(due.To)
		return &d.hole
	case vocab.ToCall:
		d.call.Call, d.call.Bettors = d.plays(int(due.Box), int(due.Hand), due.Allowed), nil
		if d.call.Call == vocab.CallSurrender {
			d.call.Bettors = d.bettors(int(due.Box), int(due.Hand))
		}
		return &d.call
	case vocab.ToInsurance:
		return d.insured()
	case vocab.ToPayment:
		return &d.paid
	}
	return nil
}

// seen is what is seen in the bank's card that lies face down.
func (d *Dealer) seen(due vocab.To) {
	d.hole = vocab.Input{Kind: vocab.InHole, Hole: vocab.HoleNoBlackJack}
	switch {
	case due == vocab.ToTurn:
		d.hole.Hole, d.hole.Card = vocab.HoleTurned, d.down
	case hand.BlackJack([]card.Card{d.table.Bank().Cards[0], d.down}):
		d.hole.Hole = vocab.HoleBlackJack
	}
}

// insured is the next insurance, or the end of the offer.
func (d *Dealer) insured() *vocab.Input {
	if d.Insure != nil {
		if in, more := d.Insure(); more {
			d.other = in
			return &d.other
		}
	}
	if d.leaves() {
		return &d.other
	}
	d.call.Call, d.call.Bettors = vocab.CallInsuranceClosed, nil
	return &d.call
}

// plays is the call of a hand.
func (d *Dealer) plays(box, hand int, allowed vocab.Calls) vocab.Call {
	d.hand = Hand{d.table.Hand(box, hand), box, d.table.Hands(box), d.table.Bank().Cards[0], allowed}
	return d.Play(&d.hand)
}

// leaves has the bettors of the next box surrender that does so before the dealer looks, one after the other. It begins
// anew after the last.
func (d *Dealer) leaves() bool {
	for ; d.asked < d.table.Boxes(); d.asked, d.left = d.asked+1, 0 {
		box := d.asked + 1
		allowed, may := d.table.SurrenderOffered(box)
		if may && d.plays(box, 1, allowed) == vocab.CallSurrender {
			d.other = vocab.Input{
				Kind: vocab.InCall, Call: vocab.CallSurrender, Box: box, Bettor: d.bettors(box, 1)[d.left],
			}
			d.left++
			return true
		}
	}
	d.asked = 0
	return false
}

// bettors are those of a hand.
func (d *Dealer) bettors(box, hand int) (names []string) {
	for name := range d.table.Stakes(box, hand) {
		names = append(names, name)
	}
	return names
}

func (d *Dealer) putInput(in *vocab.Input, each func(*vocab.Output)) error {
	outs := d.table.Step(in)
	for i := range outs {
		if out := &outs[i]; out.Kind == vocab.Irregular && out.Code == irregularity.ShoeExhausted {
			return d.ranOut()
		} else if out.Kind == vocab.Rejected || out.Kind == vocab.Irregular {
			return fmt.Errorf("dealing %s: %s: %s %s", d.rules.House, in.Kind, out.Reason, out.Code)
		}
		if each != nil {
			each(&outs[i])
		}
	}
	return nil
}

// Stake is what a guest puts on a box.
func Stake(box int, bettor string, wager vocab.Wager, amount int64) vocab.Input {
	return vocab.Input{
		Kind: vocab.InStake, Box: box, Bettor: bettor, Player: bettor, Wager: wager, Amount: amount,
		Stated: true,
	}
}
