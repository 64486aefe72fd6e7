package sidebet

import (
	"errors"
	"strconv"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/hand"
)

// Row is a line of a paytable, and when it wins.
type Row struct {
	Line Line
	When When
}

// Def is a side bet as a paytable defines it: of its lines the first that fits wins. It never changes once it is made.
type Def struct {
	cards Places
	rows  []Row
	lines []Line
	// needs are all places that a line looks at.
	needs Places
	at    Moment
	bank  int
	// play says that the box's play decides it, too, and joker that a Joker does.
	play, joker bool
}

// Define puts a side bet together: cards are where a test looks that does not say where. The error is about a row, -1
// for the bet.
func Define(cards Places, rows []Row) (d *Def, row int, err error) {
	d = &Def{cards: cards, rows: rows}
	sum := 0
	for i := range rows {
		tests := rows[i].When.tests
		if sum += len(tests); sum > mostTests {
			return nil, i, errors.New("the bet has more than " + strconv.Itoa(mostTests) + " tests: write fewer")
		}
		for k := range tests {
			if err := d.add(&tests[k]); err != nil {
				return nil, i, err
			}
		}
		d.lines = append(d.lines, rows[i].Line)
	}
	if d.needs&BankHand != 0 && d.needs&(Up|Down) != 0 {
		return nil, -1, errors.New("it looks at the bank's whole hand, and at its first cards too: look at one of them")
	}
	d.times()
	return d, 0, nil
}

// add takes in where a test looks, and refuses one that has no meaning there.
func (d *Def) add(t *test) error {
	in := t.in
	switch t.what {
	case kept:
		d.play = true
		return nil
	case joker:
		d.joker = true
		return nil
	case spread:
		in = First | Second | Up
	case upRank, upCard:
		d.needs |= Up
	}
	if in == 0 {
		in = d.cards
	}
	d.needs |= in
	d.play = d.play || in == Hand
	switch {
	case in == 0:
		return errors.New("nobody says which cards it looks at: write cards for the bet, or in with the test")
	case in&(Hand|BankHand) != 0 && (t.what == upRank || t.what == upCard || t.what == blackjack):
		return errors.New("this test looks at the first cards alone: write in box, or in bank")
	case in == BankHand && t.bySuit():
		return errors.New("the bank's whole hand is looked at by rank alone: leave suits and colours out")
	}
	return nil
}

// bySuit says whether suits decide the test.
func (t *test) bySuit() bool {
	switch t.what {
	case suited, oneColour, identical:
		return true
	case count, all:
		for rank := card.Ace; rank <= card.King; rank++ {
			if of := t.cards & cardsOf(func(c card.Card) bool { return c.Rank() == rank }); of != 0 &&
				of != cardsOf(func(c card.Card) bool { return c.Rank() == rank }) {
				return true
			}
		}
	}
	return false
}

// times works out at which moments the bet can be decided, and how many cards it needs of the bank.
func (d *Def) times() {
	if d.needs&Second != 0 || d.needs&(Up|Down|BankHand) == 0 {
		d.at = BoxSecond
	} else if d.needs&(Up|Down) != 0 {
		d.at = BankFirst
	}
	if d.joker || d.needs&BankHand != 0 {
		d.at |= BoxSecond // no Joker can be laid to the box after it, and its first card may have decided the bet
	}
	if d.needs&Down != 0 {
		d.at |= BankSecond
		d.bank = 2
	}
	if d.play {
		d.at |= LastHand
	}
	if d.needs&BankHand != 0 {
		d.at |= BankEnd
		d.bank = ToTheEnd
	}
}

// Lines are the lines that the bet can win, the highest first.
func (d *Def) Lines() []Line { return d.lines }

// Rows are the lines, and when each wins.
func (d *Def) Rows() []Row { return d.rows }

// Cards are where a test looks that does not say where.
func (d *Def) Cards() Places { return d.cards }

// Needs are all places at which the bet looks.
func (d *Def) Needs() Places { return d.needs }

// ByPlay says whether the box's play decides the bet, too, and not the cards alone.
func (d *Def) ByPlay() bool { return d.play }

// OnlyKept says whether the play decides of every line that it is won, or that none is: by whether the box loses. The
// rest is decided by cards that are sure to be dealt.
func (d *Def) OnlyKept() bool {
	return d.needs&^(First|Second|Up) == 0 && d.each(func(t *test) bool { return t.what == kept && !t.not })
}

// each says whether each alternative of each line has such a test.
func (d *Def) each(is func(*test) bool) bool {
	for _, row := range d.rows {
		has := false
		for i := range row.When.tests {
			if t := &row.When.tests[i]; t.or && !has {
				return false
			} else if t.or {
				has = is(t)
			} else {
				has = has || is(t)
			}
		}
		if !has {
			return false
		}
	}
	return true
}

// At says whether the bet can be decided at a moment.
func (d *Def) At(m Moment) bool { return d.at&m != 0 }

// Bank is how many cards the bank must have for the bet to be decided.
func (d *Def) Bank() int { return d.bank }

// Joker says whether a line is won with a Joker alone.
func (d *Def) Joker(l Line) bool {
	for _, row := range d.rows {
		if row.Line == l {
			one := Def{rows: []Row{row}}
			return one.each(func(t *test) bool { return t.what == joker && !t.not })
		}
	}
	return false
}

// Unreachable are the lines that no cards win: lines before them win with all of theirs. It deals every card.
func (d *Def) Unreachable() []Line {
	v := vectors{def: d, dealt: map[uint64]bool{}, drawn: map[uint64]bool{}, won: map[int]bool{}}
	for place := First; place <= Down; place <<= 1 {
		v.kinds[place], v.decided[place] = d.Kinds(place), d.decidedAt(place)
	}
	v.drawn[0] = d.needs&BankHand == 0
	if !v.drawn[0] {
		delete(v.drawn, 0)
		EachBankHand(d.Kinds(BankHand), func(cards []card.Card) bool {
			v.drawn[d.Holding(&Cards{BankHand: cards}, BankHand)] = true
			return true
		})
	}
	v.deal(&Cards{}, First, dealing{})
	var never []Line
	for i, line := range d.lines {
		if !v.won[i] {
			never = append(never, line)
		}
	}
	return never
}

// vectors are which tests can hold together: one bit for each test, by the cards of the deal and by the bank's hand.
type vectors struct {
	def          *Def
	kinds        [Down + 1][]Kind     // by place
	decided      [Down + 1][]numbered // by place
	dealt, drawn map[uint64]bool
	// won are the lines that were won so far.
	won map[int]bool
}

// dealing is what lies of a deal: nth of the kinds at the last place, and the tests that hold there and before.
type dealing struct {
	last  Places
	nth   int
	holds uint64
}

// deal deals the cards at which the bet looks in each possible way, and cards of two places that no test tells apart in
// one order.
func (v *vectors) deal(c *Cards, place Places, lies dealing) {
	if place > Down {
		if !v.dealt[lies.holds] {
			v.dealt[lies.holds] = true
			v.wins(lies.holds)
		}
		return
	}
	if v.def.needs&place == 0 {
		v.deal(c, place<<1, lies)
		return
	}
	next := dealing{last: place}
	if lies.last != 0 && !v.def.apart(lies.last, place) {
		next.nth = lies.nth
	}
	to, kinds := c.at(place), v.kinds[place]
	for ; next.nth < len(kinds) && !v.all(); next.nth++ {
		*to = kinds[next.nth].Card
		next.holds = lies.holds
		for _, one := range v.decided[place] {
			if one.is(c, v.def.cards) == yes {
				next.holds |= one.bit
			}
		}
		v.deal(c, place<<1, next)
	}
	*to = card.None
}

// numbered is a test with its bit.
type numbered struct {
	*test
	bit uint64
}

// decidedAt are the tests that the card at a place decides, with those at the places before it.
func (d *Def) decidedAt(place Places) (some []numbered) {
	bit := uint64(1)
	for i := range d.rows {
		tests := d.rows[i].When.tests
		for k := range tests {
			if at := d.compares(&tests[k]); at&deal != 0 && at&place != 0 && at < place<<1 {
				some = append(some, numbered{&tests[k], bit})
			}
			bit <<= 1
		}
	}
	return some
}

// apart says whether a test tells a card at one of two places from the same card at the other one.
func (d *Def) apart(one, other Places) bool {
	for i := range d.rows {
		tests := d.rows[i].When.tests
		for k := range tests {
			t := &tests[k]
			if t.what == upRank || t.what == upCard || t.what == spread {
				if (one|other)&Up != 0 { // it is compared with the others
					return true
				}
			}
			if at := d.where(t); at&one == 0 != (at&other == 0) {
				return true
			}
		}
	}
	return false
}

// Holding are the tests that hold at some places, a bit for each: which line wins depends on nothing else there.
func (d *Def) Holding(c *Cards, at Places) (bits uint64) {
	bit := uint64(1)
	for i := range d.rows {
		tests := d.rows[i].When.tests
		for k := range tests {
			if d.where(&tests[k])&at != 0 && tests[k].is(c, d.cards) == yes {
				bits |= bit
			}
			bit <<= 1
		}
	}
	return bits
}

// where is at which cards a test looks, 0 for one that looks at none, such as whether a Joker was laid.
func (d *Def) where(t *test) Places {
	switch {
	case t.what == kept || t.what == joker:
		return 0
	case t.what == spread:
		return First | Second | Up
	case t.in == 0:
		return d.cards
	}
	return t.in
}

// compares are the places whose cards decide a test.
func (d *Def) compares(t *test) Places {
	if t.what == upRank || t.what == upCard {
		return d.where(t) | Up
	}
	return d.where(t)
}

// free are the tests that may hold with any cards: they look at no cards, or at those that the play brings.
func (v *vectors) free() (all []uint64) {
	bit := uint64(1)
	shared := map[what]uint64{}
	for i := range v.def.rows {
		tests := v.def.rows[i].When.tests
		for k := range tests {
			switch t := &tests[k]; {
			case t.what == kept || t.what == joker:
				shared[t.what] |= bit
			case v.def.where(t) == Hand:
				all = append(all, bit)
			}
			bit <<= 1
		}
	}
	for _, what := range [...]what{kept, joker} {
		if shared[what] != 0 {
			all = append(all, shared[what])
		}
	}
	return all
}

// mostFree bounds how many tests of the box's own hand are put together.
const mostFree = 8

// wins notes the lines that win where these tests hold of the cards of the deal.
func (v *vectors) wins(dealt uint64) {
	free := v.free()
	free = free[max(0, len(free)-mostFree):]
	for drawn := range v.drawn {
		for choice := range 1 << len(free) {
			bits := dealt | drawn
			for i, some := range free {
				if choice>>i&1 == 1 {
					bits |= some
				}
			}
			if at := v.line(bits); at >= 0 {
				v.won[at] = true
			}
		}
	}
}

// all says that every line was won.
func (v *vectors) all() bool { return len(v.won) == len(v.def.rows) }

// line is the line that wins where these tests hold, -1 for none.
func (v *vectors) line(bits uint64) int {
	for i := range v.def.rows {
		any, one := false, true
		tests := v.def.rows[i].When.tests
		for k := range tests {
			if tests[k].or {
				any, one = any || one, true
			}
			one = one && (bits&1 == 1) != tests[k].not
			bits >>= 1
		}
		if any || one {
			return i
		}
	}
	return -1
}

// Kind is a card that stands for all that a bet does not tell from it.
type Kind struct {
	Card  card.Card
	Cards []card.Card
}

// traits are by what a bet tells cards apart.
type traits struct {
	counted            uint64 // by which tests it is counted
	points, rank, suit uint8
	red                bool
}

// Kinds are the cards that the tests at some places tell apart.
func (d *Def) Kinds(at Places) (kinds []Kind) {
	places := map[traits]int{}
	for _, c := range pack {
		is := d.traits(c, at)
		k, known := places[is]
		if !known {
			k = len(kinds)
			places[is] = k
			kinds = append(kinds, Kind{Card: c})
		}
		kinds[k].Cards = append(kinds[k].Cards, c)
	}
	return kinds
}

func (d *Def) traits(c card.Card, at Places) (is traits) {
	bit := uint64(1)
	for i := range d.rows {
		tests := d.rows[i].When.tests
		for k := range tests {
			t := &tests[k]
			if d.compares(t)&at != 0 {
				t.tells(&is, c, bit)
			}
			bit <<= 1
		}
	}
	if at&BankHand != 0 {
		is.points = uint8(hand.Points(c.Rank()))
	}
	return is
}

// tells adds by what the test tells a card apart.
func (t *test) tells(is *traits, c card.Card, bit uint64) {
	switch t.what {
	case count, all:
		if t.cards>>c&1 == 1 {
			is.counted |= bit
		}
	case blackjack, bust, soft, total, hardTotal:
		is.points = uint8(hand.Points(c.Rank()))
	case oneRank, straight, upRank, spread:
		is.rank = uint8(c.Rank())
	case suited:
		is.suit = uint8(c.Suit())
	case oneColour:
		is.red = c.Red()
	case upCard, identical:
		is.rank, is.suit = uint8(c.Rank()), uint8(c.Suit())
	}
}

// EachBankHand yields every hand that a bank can end with: it draws to 16, and stands on 17, or draws on a soft one
// where the house has it so. It goes on to the next where yield says so.
func EachBankHand(kinds []Kind, yield func([]card.Card) bool) bool {
	return drawOn(nil, kinds, yield)
}

func drawOn(cards []card.Card, kinds []Kind, yield func([]card.Card) bool) bool {
	if value := hand.Of(cards); len(cards) > 1 && value.Total() > 16 {
		if goOn := yield(cards); !goOn || !value.Soft() || value.Total() > 17 {
			return goOn
		}
	}
	for _, one := range kinds {
		if !drawOn(append(cards, one.Card), kinds, yield) {
			return false
		}
	}
	return true
}
