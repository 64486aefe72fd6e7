package practice

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/secondbook"
	"github.com/sabot-table/sabot/table/vocab"
)

// round is a round that the engine plays for an exercise, and the second book keeps. The dice decide all of it.
type round struct {
	house *rules.Rules
	kind  Kind
	level int
	dice  *rand.Rand
	table *table.Table
	book  secondbook.Book
	shoe  []card.Card
	theme theme
	laid  card.Card // the last one that was drawn, except for Jokers
	asks  func(moment)
}

// moment is a table after an input.
type moment struct {
	table *table.Table
	in    vocab.Input
	outs  []vocab.Output
}

// view draws it.
func (m moment) view() display.View { return display.From(m.table, "", 1) }

// What each level adds.
func (r *round) sideBets() bool   { return r.level >= 2 }
func (r *round) uneven() bool     { return r.level >= 2 }
func (r *round) insures() bool    { return r.level >= 2 }
func (r *round) doubles() bool    { return r.level >= 3 || r.kind == Calls }
func (r *round) bettorsMost() int { return [...]int{1: 1, 1, 2, 3}[r.level] }

// guests are the names of the bettors, box by box.
var guests = [...][]string{{"anna", "ben", "chiara"}, {"david", "emma", "fabio"}, {"greta", "hugo", "ida"}}

// errRefused is a fault of this package.
var errRefused = errors.New("the engine refused what an exercise put in")

// play plays one round, and calls asks at each moment.
func play(house *rules.Rules, kind Kind, level int, dice *rand.Rand, asks func(moment)) error {
	r := &round{house: house, kind: kind, level: level, dice: dice, asks: asks}
	return r.play(house)
}

// play plays the round, of which the second book is kept by those rules.
func (r *round) play(kept *rules.Rules) error {
	house, dice := r.house, r.dice
	jackpot := house.Meter.Seed
	if jackpot > 0 {
		jackpot += 5 * dice.Int64N(jackpot/5+1)
	}
	r.table = table.Resume(house, table.Carry{Kept: table.Kept{Jackpot: jackpot}})
	r.book.SetUp(kept, jackpot)
	r.fill()
	r.theme = themes[dice.IntN(len(themes))]
	if err := r.must(vocab.Input{Kind: vocab.InOpen}); err != nil {
		return err
	}
	if err := r.stakes(); err != nil {
		return err
	}
	if err := r.must(vocab.Input{Kind: vocab.InClose}); err != nil {
		return err
	}
	const most = 200 // inputs of the strangest round
	for range most {
		if r.table.Phase() == vocab.Payment {
			return nil
		}
		if err := r.next(); err != nil {
			return err
		}
	}
	return fmt.Errorf("a round does not end after %d inputs", most)
}

// next puts in what is due.
func (r *round) next() error {
	switch due := r.table.Due(); due.To {
	case vocab.ToBox, vocab.ToBank:
		return r.must(vocab.Input{Kind: vocab.InCard, Card: r.draw()})
	case vocab.ToCall:
		return r.must(r.call(due))
	case vocab.ToInsurance:
		if err := r.insurance(); err != nil {
			return err
		}
		return r.must(vocab.Input{Kind: vocab.InCall, Call: vocab.CallInsuranceClosed})
	default:
		return fmt.Errorf("a round of an exercise waits for %s", due.To)
	}
}

// must puts in what the engine has to take.
func (r *round) must(in vocab.Input) error {
	taken, err := r.put(in)
	if err == nil && !taken {
		err = fmt.Errorf("%w: %s %s %s: %s", errRefused, in.Kind, in.Call, in.Card, r.table.Rejected())
	}
	return err
}

// put puts something in, and says whether it was taken. The error is the second book's.
func (r *round) put(in vocab.Input) (taken bool, err error) {
	outs := r.table.Step(&in)
	if err := r.book.Enter(&in, outs); err != nil {
		return false, fmt.Errorf("the second book disagrees with the engine: %w", err)
	}
	if _, held := r.table.Held(); held {
		return false, fmt.Errorf("%w: the round is held after %s", errRefused, in.Kind)
	}
	if r.asks != nil {
		r.asks(moment{r.table, in, outs})
	}
	return r.table.Rejected() == 0, nil
}

// stakes places the stakes on two or three boxes: in some houses one guest on one box is too few.
func (r *round) stakes() error {
	all := r.dice.Perm(r.table.Boxes())
	played := all[:min(len(all), 2+r.dice.IntN(2))]
	slices.Sort(played)
	for i, at := range played {
		box, bettors := at+1, guests[i][:1+r.dice.IntN(r.bettorsMost())]
		if len(all) == 1 {
			bettors = guests[i][:2]
		}
		for _, name := range bettors {
			in := vocab.Input{
				Kind: vocab.InStake, Box: box, Bettor: name, Wager: vocab.WagerMain, Amount: r.amount(),
				Stated: true, Seat: vocab.Seated,
			}
			if _, err := r.put(in); err != nil {
				return err
			}
		}
		if err := r.sides(box, bettors); err != nil {
			return err
		}
	}
	return nil
}

// amount is a main stake. Above the first level it need not be a multiple of the least one.
func (r *round) amount() int64 {
	limits, step := r.house.Table, r.house.Step()
	amount := limits.Min * int64(1+r.dice.IntN(6))
	if r.uneven() {
		amount += step * r.dice.Int64N(limits.Min/step+1)
	}
	return min(amount, limits.BoxMax/step*step)
}

// sides places side bets. What the house does not take of a guest, the engine refuses.
func (r *round) sides(box int, bettors []string) error {
	if !r.sideBets() {
		return nil
	}
	for _, bet := range r.house.SideBets {
		offer := r.house.Offer(bet.Bet)
		for _, name := range bettors {
			if r.dice.IntN(2) == 0 || offer.Step == 0 {
				continue
			}
			amount := (offer.Least + offer.Step - 1) / offer.Step * offer.Step
			amount = min(amount+offer.Step*r.dice.Int64N(4), max(amount, offer.Most/offer.Step*offer.Step))
			in := vocab.Input{
				Kind: vocab.InStake, Box: box, Bettor: name, Wager: vocab.SideWager(bet.Bet),
				Amount: amount, Stated: true,
			}
			if _, err := r.put(in); err != nil {
				return err
			}
		}
	}
	return nil
}

// insurance takes what some of the bettors do against the bank's ace.
func (r *round) insurance() error {
	view := display.From(r.table, "", 1)
	for _, b := range view.Boxes {
		for _, one := range b.Bettors {
			if !r.insures() || r.dice.IntN(2) == 0 || len(b.Offers) == 0 {
				continue
			}
			in := vocab.Input{
				Kind: vocab.InCall, Call: b.Offers[r.dice.IntN(len(b.Offers))], Box: b.Number,
				Bettor: one.Name,
			}
			if in.Call == vocab.CallInsurance {
				in.Amount, in.Stated = display.MostInsured(view, one), true
			}
			if _, err := r.put(in); err != nil {
				return err
			}
		}
	}
	return nil
}

// call is what a guest calls: often what a strategy table has, at times not.
func (r *round) call(due vocab.Due) vocab.Input {
	in := vocab.Input{Kind: vocab.InCall, Call: vocab.CallRest}
	h := r.table.Hand(int(due.Box), int(due.Hand))
	on := func(c vocab.Call) bool { return due.Allowed.Has(c) }
	last := h.Cards[len(h.Cards)-1]
	switch {
	case on(vocab.CallHigher):
		if h.Total < 3 || r.dice.IntN(2) == 0 {
			in.Call = vocab.CallLower
			if last.Rank().Height() <= 8 {
				in.Call = vocab.CallHigher
			}
		}
	case on(vocab.CallSplit) && r.doubles() && r.table.Hands(int(due.Box)) < 3 && r.dice.IntN(2) == 0:
		in.Call = vocab.CallSplit
	case on(vocab.CallDouble) && r.doubles() && h.Total <= 12 && r.dice.IntN(3) > 0:
		in.Call = vocab.CallDouble
	case on(vocab.CallCard) && (h.Total < 15 || h.Total < 18 && (h.Soft || r.dice.IntN(3) == 0)):
		in.Call = vocab.CallCard
	}
	return in
}
