package croupier

import (
	"cmp"

	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/sidebet"
	"github.com/sabot-table/sabot/table/vocab"
)

// passing is the place at a box of a guest who passes by.
const passing = 25

// sideBets places side bets that the house takes, beside main stakes in the order
// in which those will be placed.
func (c *Croupier) sideBets(r *rules.Rules, stakes []vocab.Input) []vocab.Input {
	s := sides{placed: map[sideOf]bool{}, onBox: map[boxBet]int64{}}
	var plan []vocab.Input
	for i, stake := range stakes {
		opens := i == 0 || stakes[i-1].Box != stake.Box
		for _, offer := range r.Offers() {
			if !c.oneIn(3) || !mayBet(offer, stake, opens) {
				continue
			}
			amount := c.sideAmount(offer)
			if offer.UpToStake && stake.Stated {
				amount = min(amount, stake.Amount/offer.Step*offer.Step)
			}
			if c.Some && offer.Bettors == rules.Anybody && c.oneIn(3) { // somebody who has no other stake there
				stake.Bettor, stake.Player = c.named(stake.Box, passing)
			}
			if in, fits := s.place(offer, stake, amount, c.Freely && c.oneIn(8)); fits {
				plan = append(plan, in)
			}
		}
	}
	return plan
}

// mayBet says whether the guest of a main stake may place a side bet; opens says
// that the stake opens its box.
func mayBet(o *rules.Offer, stake vocab.Input, opens bool) bool {
	switch o.Bettors {
	case rules.SeatedOnly:
		return stake.Seat == vocab.Seated || stake.Seat == vocab.SeatDefault && opens
	case rules.HoldersOnly:
		return opens
	default:
		return true
	}
}

// sideAmount is between the least and the most that the bet takes, and mostly the least where guests play for little.
func (c *Croupier) sideAmount(o *rules.Offer) int64 {
	least := (o.Least + o.Step - 1) / o.Step
	if c.Some {
		return min(least+int64(max(0, c.Dice.IntN(6)-3)), max(least, o.Most/o.Step)) * o.Step
	}
	return (least + int64(c.Dice.IntN(int(min(o.Most/o.Step-least+1, 1000))))) * o.Step
}

// sides are the side bets of a plan, as far as they bound each other.
type sides struct {
	placed map[sideOf]bool
	onBox  map[boxBet]int64
}

type sideOf struct {
	bet    sidebet.Bet
	player string
}

type boxBet struct {
	box int
	bet sidebet.Bet
}

// place makes a side bet beside a main stake, of an amount or of none. It does not
// fit where the guest has one at the table already, or the box is full.
func (s *sides) place(o *rules.Offer, stake vocab.Input, amount int64, unstated bool) (vocab.Input, bool) {
	who, where := sideOf{o.Bet, cmp.Or(stake.Player, stake.Bettor)}, boxBet{stake.Box, o.Bet}
	full := o.BoxMost != 0 && s.onBox[where]+amount > o.BoxMost
	if o.OnePerBettor && s.placed[who] || full {
		return vocab.Input{}, false
	}
	s.placed[who] = true
	in := vocab.Input{
		Kind: vocab.InStake, Box: stake.Box, Bettor: stake.Bettor, Player: stake.Player,
		Wager: vocab.SideWager(o.Bet),
	}
	if !unstated {
		s.onBox[where] += amount
		in.Amount, in.Stated = amount, true
	}
	return in, true
}
