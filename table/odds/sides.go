package odds

import (
	"math/big"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/sidebet"
)

// ByPlay says whether the holder's play decides a bet too, and not the cards alone.
func ByPlay(bet sidebet.Bet) bool { return bet.At(sidebet.LastHand) }

// Lines is how likely each line of a bet is, exactly; that of line 0 is that none wins. hands says how the box ends,
// for the bets that its play decides, too.
func Lines(s *Shoe, bet sidebet.Bet, hands sidebet.Hands) map[sidebet.Line]*big.Rat {
	if bet.Bank() == sidebet.ToTheEnd {
		over := s.totals(0)[EndOver]
		return map[sidebet.Line]*big.Rat{bet.Lines()[0]: over, 0: rest(over)}
	}
	p := map[sidebet.Line]*big.Rat{}
	laid := s.OnBox(boxPlaces)
	for _, with := range []struct {
		joker bool
		part  *big.Rat
	}{{true, laid}, {false, rest(laid)}} {
		if with.part.Sign() == 0 {
			continue
		}
		for line, part := range s.judged(bet, with.joker, hands) {
			if p[line] == nil {
				p[line] = new(big.Rat)
			}
			p[line].Add(p[line], part.Mul(part, with.part))
		}
	}
	return p
}

// rest is what is left of one.
func rest(part *big.Rat) *big.Rat { return new(big.Rat).Sub(big.NewRat(1, 1), part) }

// boxPlaces are the cards of a box's initial deal.
const boxPlaces = 2

// OnBox is how likely a Joker is laid to one of so many given places: one comes before an ordinary card, or after the
// last, and each arrangement is as likely as any other.
func (s *Shoe) OnBox(places int) *big.Rat {
	size, jokers := int64(s.Size()), int64(s.jokers)
	without := new(big.Int).Binomial(size-int64(places)+jokers, jokers)
	return rest(new(big.Rat).SetFrac(without, new(big.Int).Binomial(size+jokers, jokers)))
}

// judged judges every deal of the box's two cards and the bank's two. The bank's second card comes after the boxes have
// drawn as they like, which changes nothing: whatever was dealt and why, the next card is any of those left.
func (s *Shoe) judged(bet sidebet.Bet, joker bool, hands sidebet.Hands) map[sidebet.Line]*big.Rat {
	j := judge{bet: bet, left: *s, lies: sidebet.Cards{Joker: joker, Hands: hands}}
	for c := range card.All {
		if s.Of(c) > 0 {
			j.all = append(j.all, c)
		}
	}
	cards := []*card.Card{&j.lies.First, &j.lies.Second, &j.lies.Bank, &j.lies.BankSecond}
	if !bet.At(sidebet.BoxSecond) && !ByPlay(bet) {
		cards = cards[boxPlaces:] // the bank's cards alone decide
	}
	j.last = s.Size() - len(cards) + 1
	j.deal(cards, 1)
	p := map[sidebet.Line]*big.Rat{}
	for line, n := range j.ways {
		if n > 0 {
			p[sidebet.Line(line)] = new(big.Rat).SetFrac(big.NewInt(n), falling(s.Size(), len(cards)))
		}
	}
	return p
}

// judge counts, for each line, the ordered ways of the cards that win it.
type judge struct {
	bet  sidebet.Bet
	all  []card.Card
	left Shoe
	lies sidebet.Cards
	last int // how many cards the bank's second can be
	ways [sidebet.LineCount]int64
}

// deal deals the cards in each possible way. Before the last, the bank's second, it asks whether that matters.
func (j *judge) deal(cards []*card.Card, ways int64) {
	if len(cards) == 1 {
		if line, decided := j.bet.Judge(j.lies); decided {
			j.ways[line] += ways * int64(j.last)
			return
		}
	}
	for _, c := range j.all {
		n := j.left.cards[c]
		if n == 0 {
			continue
		}
		*cards[0] = c
		if len(cards) == 1 {
			line, _ := j.bet.Judge(j.lies)
			j.ways[line] += ways * int64(n)
			continue
		}
		j.left.cards[c]--
		j.deal(cards[1:], ways*int64(n))
		j.left.cards[c]++
	}
	*cards[0] = card.None
}
