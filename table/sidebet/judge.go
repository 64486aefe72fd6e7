package sidebet

import (
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/hand"
)

// This file decides which line cards win.

// truth is what is known of a test.
type truth uint8

const (
	no   truth = iota
	open       // cards to come decide it
	yes
)

func known(is bool) truth {
	if is {
		return yes
	}
	return no
}

// Judge returns the line that the bet wins, "" for none; false while cards to come can change it.
func (d *Def) Judge(c Cards) (line Line, decided bool) {
	at, decided := d.fits(&c)
	if !decided {
		if at, decided = d.whatever(&c); !decided {
			return "", false
		}
	}
	if at < 0 {
		return "", true
	}
	return d.rows[at].Line, true
}

// fits finds the first line that fits, -1 for none.
func (d *Def) fits(c *Cards) (at int, decided bool) {
	for i := range d.rows {
		switch d.line(i, c) {
		case yes:
			return i, true
		case open:
			return -1, false
		}
	}
	return -1, true
}

// whatever is the line that fits whatever the one card is that is still to come.
func (d *Def) whatever(c *Cards) (at int, decided bool) {
	missing := d.needs & deal &^ c.laid()
	if missing == 0 || missing&(missing-1) != 0 {
		return -1, false
	}
	filled := *c
	to := filled.at(missing)
	for i, one := range &pack {
		*to = one
		is, sure := d.fits(&filled)
		if !sure || i > 0 && is != at {
			return -1, false
		}
		at = is
	}
	return at, true
}

// pack is one of each card.
var pack = func() (list [52]card.Card) {
	n := 0
	for c := range card.All {
		list[n] = c
		n++
	}
	return list
}()

// line says whether a line's condition holds: one of its alternatives.
func (d *Def) line(at int, c *Cards) truth {
	best, one := no, yes
	tests := d.rows[at].When.tests
	for i := range tests {
		t := &tests[i]
		if t.or {
			best, one = max(best, one), yes
		}
		if one != no {
			one = min(one, t.holds(c, d.cards))
		}
	}
	return max(best, one)
}

func (t *test) holds(c *Cards, own Places) truth {
	is := t.is(c, own)
	if t.not {
		return yes - is
	}
	return is
}

// is says what is known of a test, but for its not.
func (t *test) is(c *Cards, own Places) truth {
	switch t.what {
	case kept:
		if c.Hands == HandsOpen {
			return open
		}
		return known(c.Hands == HandsKept)
	case joker:
		if c.JokerMayCome && !c.Joker {
			return open
		}
		return known(c.Joker)
	case spread:
		return t.between(c)
	}
	in := t.in
	if in == 0 {
		in = own
	}
	var room [4]card.Card
	cards, missing := c.in(in, &room)
	if missing == toItsEnd {
		return open
	}
	switch t.what {
	case count, upRank, upCard:
		return t.counts(c, cards, missing)
	case all, suited, oneColour, oneRank, identical:
		return t.alike(cards, missing)
	case blackjack:
		return twentyOne(cards, missing)
	case number:
		return t.within(len(cards)+missing, 0)
	}
	if missing > 0 {
		return open
	}
	return t.whole(cards)
}

// within says whether a number is between the bounds to which as many as missing may be added.
func (t *test) within(n, missing int) truth {
	switch low, high := int(t.from), int(t.to); {
	case n >= low && n+missing <= high || n >= low && t.to == endless:
		return yes
	case n > high || n+missing < low:
		return no
	}
	return open
}

// counts counts cards.
func (t *test) counts(c *Cards, cards []card.Card, missing int) truth {
	if t.what != count && c.Bank == card.None {
		return open
	}
	n := 0
	for _, one := range cards {
		switch {
		case t.what == upRank && one.Rank() == c.Bank.Rank(), t.what == upCard && one == c.Bank,
			t.what == count && t.cards>>one&1 == 1:
			n++
		}
	}
	return t.within(n, missing)
}

// alike says whether each card is of some, or like the first.
func (t *test) alike(cards []card.Card, missing int) truth {
	for _, one := range cards {
		first, fits := cards[0], false
		switch t.what {
		case all:
			fits = t.cards>>one&1 == 1
		case suited:
			fits = one.Suit() == first.Suit()
		case oneColour:
			fits = one.Red() == first.Red()
		case oneRank:
			fits = one.Rank() == first.Rank()
		case identical:
			fits = one == first
		}
		if !fits {
			return no
		}
	}
	if missing > 0 {
		return open
	}
	return yes
}

// twentyOne says whether two cards are an ace and a ten-value.
func twentyOne(cards []card.Card, missing int) truth {
	for _, one := range cards {
		if one.Rank() != card.Ace && !hand.TenValue(one.Rank()) {
			return no
		}
	}
	switch {
	case len(cards)+missing != 2:
		return no
	case missing > 0:
		return open
	}
	return known(hand.BlackJack(cards))
}

// whole is about cards that all lie.
func (t *test) whole(cards []card.Card) truth {
	switch t.what {
	case straight:
		return known(inARow(cards))
	case hardTotal:
		sum := 0
		for _, one := range cards {
			sum += hand.Points(one.Rank())
		}
		return t.within(sum, 0)
	}
	value := hand.Of(cards)
	switch t.what {
	case bust:
		return known(value.Bust())
	case soft:
		return known(value.Soft())
	}
	return t.within(value.Total(), 0)
}

// inARow says whether each rank follows another, an ace before the two or behind the king.
func inARow(cards []card.Card) bool {
	var ranks uint16
	for _, one := range cards {
		ranks |= 1 << one.Rank()
	}
	run := uint16(1)<<len(cards) - 1
	high := ranks
	if ranks>>card.Ace&1 == 1 {
		high = ranks&^(1<<card.Ace) | 1<<(card.King+1)
	}
	return isRun(ranks, run) || isRun(high, run)
}

// isRun says whether ranks are a run of so many.
func isRun(ranks, run uint16) bool {
	for ; run != 0 && run < 1<<15; run <<= 1 {
		if ranks == run {
			return true
		}
	}
	return false
}

// between says whether the bank's first card lies between the box's two, aces high, with so many ranks between these.
func (t *test) between(c *Cards) truth {
	if c.First == card.None || c.Second == card.None || c.Bank == card.None {
		return open
	}
	low, high, up := c.First.Rank().Height(), c.Second.Rank().Height(), c.Bank.Rank().Height()
	if low > high {
		low, high = high, low
	}
	return known(low < up && up < high && t.within(high-low-1, 0) == yes)
}

// toItsEnd is how many cards are missing of a hand that has not ended.
const toItsEnd = -1

// in are the cards at some places, as far as they lie.
func (c *Cards) in(p Places, room *[4]card.Card) (cards []card.Card, missing int) {
	switch {
	case p == Hand && c.Hand == nil, p == BankHand && c.BankHand == nil:
		return nil, toItsEnd
	case p == Hand:
		return c.Hand, 0
	case p == BankHand:
		return c.BankHand, 0
	}
	n := 0
	for one := First; one <= Down; one <<= 1 {
		switch lies := *c.at(one); {
		case p&one == 0:
		case lies == card.None:
			missing++
		default:
			room[n] = lies
			n++
		}
	}
	return room[:n], missing
}

// at is where a card of the deal is kept.
func (c *Cards) at(p Places) *card.Card {
	switch p {
	case First:
		return &c.First
	case Second:
		return &c.Second
	case Up:
		return &c.Bank
	}
	return &c.BankSecond
}

// laid are the places of the deal that have their card.
func (c *Cards) laid() (p Places) {
	for one := First; one <= Down; one <<= 1 {
		if *c.at(one) != card.None {
			p |= one
		}
	}
	return p
}
