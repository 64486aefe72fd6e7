package tabletest

import (
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/sidebet"
	"github.com/sabot-table/sabot/table/vocab"
)

// freely changes a main stake: the guest sits or stands, and at times nobody
// enters the amount.
func (p *Player) freely(in *vocab.Input) {
	in.Seat = vocab.Seat(p.Dice.IntN(3))
	if p.oneIn(8) {
		in.Amount, in.Stated = 0, false
	}
}

// sideBets places side bets that the house takes, beside main stakes in the order
// in which those will be placed.
func (p *Player) sideBets(r *rules.Rules, stakes []vocab.Input) []vocab.Input {
	s := sides{placed: map[sideOf]bool{}, onBox: map[boxBet]int64{}}
	var plan []vocab.Input
	for i, stake := range stakes {
		opens := i == 0 || stakes[i-1].Box != stake.Box
		for bet := range sidebet.EveryBet {
			offer := r.Offer(bet)
			if offer == nil || !p.oneIn(3) || !mayBet(offer, stake, opens) {
				continue
			}
			amount := p.sideAmount(offer)
			if offer.UpToStake && stake.Stated {
				amount = min(amount, stake.Amount/offer.Step*offer.Step)
			}
			if in, fits := s.place(offer, stake, amount, p.oneIn(8)); fits {
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

// sideAmount is between the least and the most that the bet takes.
func (p *Player) sideAmount(o *rules.Offer) int64 {
	least := (o.Least + o.Step - 1) / o.Step
	return (least + int64(p.Dice.IntN(int(min(o.Most/o.Step-least+1, 1000))))) * o.Step
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
	who, where := sideOf{o.Bet, stake.Player}, boxBet{stake.Box, o.Bet}
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
