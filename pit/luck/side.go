package luck

import (
	"maps"
	"math/big"
	"slices"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/sidebet"
)

// cards are the packs from which a round is dealt: the 52 cards, each so often.
type cards struct {
	decks, jokers int64
	all           []card.Card
}

func packs(r *rules.Rules) cards {
	c := cards{decks: int64(r.Cards.Decks), jokers: int64(r.Cards.Jokers)}
	for one := range card.All {
		c.all = append(c.all, one)
	}
	return c
}

// size is the number of cards without the Jokers.
func (c cards) size() int64 { return 52 * c.decks }

// left is how many of a card are left after others.
func (c cards) left(one card.Card, gone ...card.Card) int64 {
	n := c.decks
	for _, g := range gone {
		if g == one {
			n--
		}
	}
	return n
}

// ways counts, for each line, the ordered ways of four cards (the box's two, the bank's two) that win it.
type ways [sidebet.LineCount]int64

// count judges every deal of the box's two cards and the bank's two. The bank's second card comes after the boxes have
// drawn as they like, which changes nothing: whatever was dealt and why, the next card is any of those left.
func (c cards) count(bet sidebet.Bet, joker bool, hands sidebet.Hands) (w ways) {
	size := c.size()
	for _, a := range c.all {
		for _, b := range c.all {
			two := c.left(a) * c.left(b, a)
			for _, up := range c.all {
				three := two * c.left(up, a, b)
				lies := sidebet.Cards{First: a, Second: b, Bank: up, Joker: joker, Hands: hands}
				if line, decided := bet.Judge(&lies); decided {
					w[line] += three * (size - 3)
					continue
				}
				for _, lies.BankSecond = range c.all {
					line, _ := bet.Judge(&lies)
					w[line] += three * c.left(lies.BankSecond, a, b, up)
				}
			}
		}
	}
	return w
}

// onBox is how likely it is that a Joker is laid to one of so many given places: one comes before an ordinary card,
// or after the last, and each arrangement is as likely as any other.
func (c cards) onBox(places int64) *big.Rat {
	without := new(big.Int).Binomial(c.size()-places+c.jokers, c.jokers)
	all := new(big.Int).Binomial(c.size()+c.jokers, c.jokers)
	none := new(big.Rat).SetFrac(without, all)
	return none.Sub(big.NewRat(1, 1), none)
}

// boxPlaces are the cards of a box's initial deal.
const boxPlaces = 2

// lines returns how likely each line is; hands says how the box ends, for the bets that ask.
func (c cards) lines(bet sidebet.Bet, hands sidebet.Hands) map[sidebet.Line]*big.Rat {
	if bet.Bank() == sidebet.ToTheEnd {
		over := c.bankBust()
		return map[sidebet.Line]*big.Rat{bet.Lines()[0]: over, 0: new(big.Rat).Sub(big.NewRat(1, 1), over)}
	}
	size := c.size()
	all := size * (size - 1) * (size - 2) * (size - 3)
	p := map[sidebet.Line]*big.Rat{}
	joker := c.onBox(boxPlaces)
	for with, part := range map[bool]*big.Rat{true: joker, false: new(big.Rat).Sub(big.NewRat(1, 1), joker)} {
		if part.Sign() == 0 {
			continue
		}
		for line, n := range c.count(bet, with, hands) {
			if n == 0 {
				continue
			}
			if p[sidebet.Line(line)] == nil {
				p[sidebet.Line(line)] = new(big.Rat)
			}
			p[sidebet.Line(line)].Add(p[sidebet.Line(line)], new(big.Rat).Mul(part, big.NewRat(n, all)))
		}
	}
	return p
}

// pays is what a line pays on a stake of one. A prize that is an amount is paid on the least stake: such bets have no
// other. The jackpot is taken at its seed.
func pays(r *rules.Rules, bet sidebet.Bet, line sidebet.Line) *big.Rat {
	offer := r.Offer(bet)
	switch prize := offer.Prize(line); {
	case prize.Jackpot:
		return big.NewRat(r.Meter.Seed, offer.Least)
	case prize.Amount != 0:
		return big.NewRat(prize.Amount, offer.Least)
	case prize.Odds.Den != 0:
		return big.NewRat(prize.Odds.Num, prize.Odds.Den)
	}
	return new(big.Rat)
}

// byPlay says whether the holder's play decides a bet too, and not the cards alone.
func byPlay(bet sidebet.Bet) bool { return bet.At(sidebet.LastHand) }

// side is a side bet that the cards alone decide.
func side(r *rules.Rules, bet sidebet.Bet) *Odds {
	o := chances(r, bet, packs(r).lines(bet, sidebet.HandsOpen)).finish()
	o.pair = packs(r).pair(r, bet, o)
	return o
}

// chances are the ends of a side bet, the highest line first.
func chances(r *rules.Rules, bet sidebet.Bet, p map[sidebet.Line]*big.Rat) *Odds {
	o := &Odds{Wager: bet.String()}
	for _, line := range slices.Sorted(maps.Keys(p)) {
		if line != 0 {
			o.Chances = append(o.Chances, Chance{line.String(), new(big.Rat).Neg(pays(r, bet, line)), p[line]})
		}
	}
	o.Chances = append(o.Chances, Chance{"", big.NewRat(1, 1), p[0]})
	return o
}

// insurance wins if the bank's second card counts ten: 16 of each pack's 52 cards, after the ace. Who insures without
// looking at the cards on the table has these odds; looking at them moves the edge by less than two hundredths.
func insurance(r *rules.Rules) *Odds {
	c := packs(r)
	ten := big.NewRat(16*c.decks, c.size()-1)
	odds := r.Pays.Insurance
	o := (&Odds{Wager: "insurance", Chances: []Chance{
		{"", big.NewRat(-odds.Num, odds.Den), ten},
		{"", big.NewRat(1, 1), new(big.Rat).Sub(big.NewRat(1, 1), ten)},
	}}).finish()
	o.pair = o.variance // one second card decides them all
	return o
}
