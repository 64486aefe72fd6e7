package odds

import (
	"math/big"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/hand"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/sidebet"
)

// Lines is how likely each line of a bet is, exactly; that of line "" is that none wins. hands says how the box ends,
// for the bets that its play decides, too.
func Lines(s *Shoe, bet *rules.Offer, hands sidebet.Hands) map[sidebet.Line]*big.Rat {
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

// judged judges every deal of the cards at which a bet looks, and every hand that the bank draws. The bank's second card
// comes after the boxes have drawn as they like, which changes nothing: whatever was dealt and why, the next card is any
// of those left.
func (s *Shoe) judged(bet *rules.Offer, joker bool, hands sidebet.Hands) map[sidebet.Line]*big.Rat {
	j := judge{bet: bet, size: s.Size(), lies: sidebet.Cards{Joker: joker, Hands: hands}, sums: map[sidebet.Line]*sums{}}
	at := bet.Needs()
	j.deep = at&sidebet.BankHand != 0
	for _, kind := range bet.Kinds(at) {
		n := 0
		for _, c := range kind.Cards {
			n += s.Of(c)
		}
		j.all, j.left = append(j.all, kind.Card), append(j.left, n)
	}
	var cards []*card.Card
	for _, one := range []struct {
		at sidebet.Places
		to *card.Card
	}{
		{sidebet.First, &j.lies.First},
		{sidebet.Second, &j.lies.Second},
		{sidebet.Up, &j.lies.Bank},
		{sidebet.Down, &j.lies.BankSecond},
	} {
		if at&one.at != 0 {
			cards = append(cards, one.to)
		}
	}
	j.places, j.waits = len(cards), at&sidebet.Down != 0
	j.deal(cards, big.NewInt(1))
	return j.likely()
}

// sums are in how many ways a line wins, by how many cards it takes.
type sums [32]big.Int

// judge counts, for each line, the ordered ways of the cards that win it.
type judge struct {
	bet  *rules.Offer
	size int
	// all are the kinds of cards, and left how many there are of each.
	all  []card.Card
	left []int
	lies sidebet.Cards
	// places is how many cards are dealt; waits says that the last is the bank's second, and deep that the bank then
	// draws to its end.
	places      int
	waits, deep bool
	sums        map[sidebet.Line]*sums
}

// deal deals the cards in each possible way. Before the bank's second it asks whether that matters.
func (j *judge) deal(cards []*card.Card, ways *big.Int) {
	dealt := j.places - len(cards)
	if len(cards) == 0 || len(cards) == 1 && j.waits {
		if line, decided := j.bet.Judge(j.lies); decided {
			j.add(line, dealt, ways)
			return
		}
	}
	if len(cards) == 0 {
		j.draw(nil, hand.Value{}, ways)
		return
	}
	j.each(ways, func(c card.Card, more *big.Int) {
		*cards[0] = c
		j.deal(cards[1:], more)
	})
	*cards[0] = card.None
}

// each takes a card of each kind out.
func (j *judge) each(ways *big.Int, then func(card.Card, *big.Int)) {
	for k, c := range j.all {
		if n := j.left[k]; n > 0 {
			j.left[k]--
			then(c, new(big.Int).Mul(ways, big.NewInt(int64(n))))
			j.left[k]++
		}
	}
}

// draw draws the bank's hand to its end.
func (j *judge) draw(cards []card.Card, value hand.Value, ways *big.Int) {
	if len(cards) > 1 && value.Total() >= 17 {
		lies := j.lies
		lies.BankHand = cards
		line, _ := j.bet.Judge(lies)
		j.add(line, j.places+len(cards), ways)
		return
	}
	j.each(ways, func(c card.Card, more *big.Int) { j.draw(append(cards, c), value.Add(c), more) })
}

func (j *judge) add(line sidebet.Line, cards int, ways *big.Int) {
	if j.sums[line] == nil {
		j.sums[line] = new(sums)
	}
	to := &j.sums[line][cards]
	to.Add(to, ways)
}

// likely is how likely each line is.
func (j *judge) likely() map[sidebet.Line]*big.Rat {
	p := map[sidebet.Line]*big.Rat{}
	for line, sum := range j.sums {
		p[line] = new(big.Rat)
		for cards := range sum {
			if ways := &sum[cards]; ways.Sign() > 0 {
				p[line].Add(p[line], new(big.Rat).SetFrac(ways, falling(j.size, cards)))
			}
		}
	}
	return p
}
