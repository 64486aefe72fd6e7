package odds

import (
	"math/big"
	"slices"

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

// judged judges every deal of the cards at which a bet looks, and every hand that the bank draws. The bank's second
// card comes after the boxes have drawn as they like, which changes nothing: whatever was dealt and why, the next card
// is any of those left.
func (s *Shoe) judged(bet *rules.Offer, joker bool, hands sidebet.Hands) map[sidebet.Line]*big.Rat {
	j := judge{bet: bet, shoe: s, size: s.Size(), sums: map[sidebet.Line]*sums{}}
	j.lies = sidebet.Cards{Joker: joker, Hands: hands}
	at := bet.Needs()
	j.kinds = bet.Kinds(sidebet.BankHand)
	j.kindsLeft(bet.Kinds(at))
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
	j.bank()
	return j.likely()
}

// sums are in how many ways a line wins, by how many cards it takes.
type sums [32]big.Int

// judge counts, for each line, the ordered ways of the cards that win it.
type judge struct {
	bet  *rules.Offer
	shoe *Shoe
	size int
	// all are the kinds of cards, and left how many there are of each.
	all  []card.Card
	left []int
	lies sidebet.Cards
	// places is how many cards are dealt; waits says that the last is the bank's second.
	places int
	waits  bool
	sums   map[sidebet.Line]*sums
	boxes  map[boxed]*boxes
	// kinds are those of the bank's hand.
	kinds []sidebet.Kind
}

// boxed is what a bank that draws to its end knows of a box's cards: what they take out of the packs, and which tests
// they pass.
type boxed struct {
	taken [boxPlaces]card.Card // as kinds, the lower first
	holds uint64
}

// boxes are those that are alike for the bank.
type boxes struct {
	lies sidebet.Cards
	ways big.Int
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
		j.put(ways)
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

// put keeps the box that is dealt, for the bank to draw.
func (j *judge) put(ways *big.Int) {
	is := boxed{holds: j.bet.Holding(&j.lies, ^sidebet.BankHand)}
	for i, c := range [...]card.Card{j.lies.First, j.lies.Second} {
		if k := slices.IndexFunc(j.kinds, func(k sidebet.Kind) bool { return slices.Contains(k.Cards, c) }); k >= 0 {
			is.taken[i] = j.kinds[k].Card
		}
	}
	slices.Sort(is.taken[:])
	if j.boxes == nil {
		j.boxes = map[boxed]*boxes{}
	}
	if j.boxes[is] == nil {
		j.boxes[is] = &boxes{lies: j.lies}
	}
	one := j.boxes[is]
	one.ways.Add(&one.ways, ways)
}

// bank lets the bank draw for each kind of box.
func (j *judge) bank() {
	for is, one := range j.boxes {
		j.lies = one.lies
		j.kindsLeft(j.kinds)
		for k, c := range j.all {
			for _, taken := range is.taken {
				if taken == c {
					j.left[k]--
				}
			}
		}
		j.draw(nil, hand.Value{}, &one.ways)
	}
}

// kindsLeft counts the cards of each kind.
func (j *judge) kindsLeft(kinds []sidebet.Kind) {
	j.all, j.left = nil, nil
	for _, kind := range kinds {
		n := 0
		for _, c := range kind.Cards {
			n += j.shoe.Of(c)
		}
		j.all, j.left = append(j.all, kind.Card), append(j.left, n)
	}
}

// draw draws the bank's hand to its end.
func (j *judge) draw(cards []card.Card, value hand.Value, ways *big.Int) {
	if len(cards) > 1 && j.shoe.bank.standsOn(value) {
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
