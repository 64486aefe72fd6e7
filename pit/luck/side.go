package luck

import (
	"math/big"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/odds"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/sidebet"
)

// cards are the packs from which a round is dealt.
type cards struct {
	odds.Shoe
	all []card.Card
}

func packs(r *rules.Rules) *cards {
	c := &cards{Shoe: odds.Full(r)}
	for one := range card.All {
		c.all = append(c.all, one)
	}
	return c
}

// left is how many of a card are left after others.
func (c *cards) left(one card.Card, gone ...card.Card) int64 {
	n := int64(c.Of(one))
	for _, g := range gone {
		if g == one {
			n--
		}
	}
	return n
}

// pays is what a line pays on a stake of one. A prize that is an amount is paid on the least stake: such bets have no
// other. The jackpot is taken at its seed.
func pays(r *rules.Rules, offer *rules.Offer, line sidebet.Line) *big.Rat {
	switch prize := offer.Prize(line); {
	case prize.Part.Den != 0:
		return big.NewRat(r.Meter.Seed*prize.Part.Num, offer.Least*prize.Part.Den)
	case prize.Jackpot:
		return big.NewRat(r.Meter.Seed, offer.Least)
	case prize.Amount != 0:
		return big.NewRat(prize.Amount, offer.Least)
	case prize.Odds.Den != 0:
		return big.NewRat(prize.Odds.Num, prize.Odds.Den)
	}
	return new(big.Rat)
}

// side is a side bet that the cards alone decide.
func side(r *rules.Rules, bet *rules.Offer) *Odds {
	c := packs(r)
	o := chances(r, bet, odds.Lines(&c.Shoe, bet, sidebet.HandsOpen)).finish()
	o.pair = c.pair(r, bet, o)
	return o
}

// chances are the ends of a side bet, the highest line first.
func chances(r *rules.Rules, bet *rules.Offer, p map[sidebet.Line]*big.Rat) *Odds {
	o := &Odds{Wager: bet.Bet.String()}
	for _, line := range bet.Lines() {
		if p[line] != nil {
			o.Chances = append(o.Chances, Chance{line.String(), new(big.Rat).Neg(pays(r, bet, line)), p[line]})
		}
	}
	o.Chances = append(o.Chances, Chance{"", big.NewRat(1, 1), p[""]})
	return o
}

// insurance wins if the bank's second card counts ten: 16 of each pack's 52 cards, or 12 of 48, after the ace. Who
// insures without looking at the cards on the table has these odds; looking at them moves the edge by less than two
// hundredths.
func insurance(r *rules.Rules) *Odds {
	decks, pays, tens, pack := int64(r.Cards.Decks), r.Pays.Insurance, int64(16), int64(52)
	if !r.Cards.HasTens() {
		tens, pack = 12, 48
	}
	ten := big.NewRat(tens*decks, pack*decks-1)
	o := (&Odds{Wager: "insurance", Chances: []Chance{
		{"", big.NewRat(-pays.Num, pays.Den), ten},
		{"", big.NewRat(1, 1), new(big.Rat).Sub(big.NewRat(1, 1), ten)},
	}}).finish()
	o.pair = o.variance // one second card decides them all
	return o
}
