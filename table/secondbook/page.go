package secondbook

import (
	"slices"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

// page is the round as the book has it. Its slices are reused from round to round.
type page struct {
	laid     bool // the stakes lie on hands
	underWay bool // from its opening until all is paid
	closed   bool // the bets were closed
	voided   bool
	// moved: a card lies where it was not due, and the bank may have drawn for a hand that
	// this card has ended.
	moved  bool
	stakes []stake // in the order in which they were placed
	sides  []side
	rows   []row // by box and hand
	deaths []death
	wagers []wager
	lines  []line // the wagers and bonuses that are decided
	// cleared are the boxes whose payment was confirmed.
	cleared [rules.MaxBoxes + 1]bool
	// again: a correction tells the round again.
	again bool
	// disputed is the payment that does not agree.
	disputed claim
	bank     []card.Card
	joker    [rules.MaxBoxes + 1]bool // boxes that got a Joker
	hole     holeCard
	// aside is the last card that was laid aside.
	aside card.Card
	// forecast is the last one, higher or lower.
	forecast vocab.Call
	// leaving are the bettors who surrender with the current input.
	leaving []string
	// sevens counts the bonuses that are still to come.
	sevens int
	sums   vocab.Sums
	// fed is what the round has put into the jackpot, less what was won from it.
	fed int64
	// granted is what the winners get of a jackpot of several tables, and paid what they were paid of any.
	granted, paid int64
	// shares are what each winner of the jackpot gets by line, once it is shared; emptied says that all of it was won.
	shares          []shareOut
	shared, emptied bool
	// second are the second cards of the boxes, which a split moves.
	second [rules.MaxBoxes + 1]card.Card
}

// stake is a bettor's main stake as it was placed.
type stake struct {
	box    uint8
	even   bool // paid as even money
	name   string
	amount int64
	// insured is the stake on insurance, 0 for none.
	insured        int64
	insuranceEnded bool
	fate           fate // of the insurance
}

// side is a guest's side bet.
type side struct {
	box     uint8
	settled bool
	fate    fate
	wager   vocab.Wager
	name    string
	amount  int64
}

// row is one hand. No hand that the rules allow has more cards than fit.
type row struct {
	place
	n      uint8 // of cards
	points uint8
	cards  [24]card.Card
}

func (r *row) laid() []card.Card { return r.cards[:r.n] }

// wager is a main stake on a hand, where it lies once or, if doubled, twice.
type wager struct {
	place
	name         string
	stake, times int64
	less         int64 // what was laid besides to double for less
	settled      bool
	left         bool // given up, where that waits for the bank
	fate         fate
	outcome      vocab.Outcome
	why          vocab.Why
}

// known is 0 for an unknown amount.
func known(amount int64) int64 { return max(0, amount) }

// amount is what lies there, 0 if it is unknown.
func (w *wager) amount() int64 { return known(w.stake)*w.times + w.less }

func (p *page) clear() {
	*p = page{
		stakes: p.stakes[:0], sides: p.sides[:0], rows: p.rows[:0], wagers: p.wagers[:0], lines: p.lines[:0],
		bank: p.bank[:0], leaving: p.leaving[:0], deaths: p.deaths[:0],
		shares: p.shares[:0],
	}
}

// become makes the page a copy of another.
func (p *page) become(q *page) {
	old := *p
	*p = *q
	p.stakes = append(old.stakes[:0], q.stakes...)
	p.sides = append(old.sides[:0], q.sides...)
	p.rows = append(old.rows[:0], q.rows...)
	p.wagers = append(old.wagers[:0], q.wagers...)
	p.lines = append(old.lines[:0], q.lines...)
	p.bank = append(old.bank[:0], q.bank...)
	p.leaving = append(old.leaving[:0], q.leaving...)
	p.deaths = append(old.deaths[:0], q.deaths...)
	p.shares = append(old.shares[:0], q.shares...)
}

// putInput applies an input to the stakes.
func (b *Book) putInput(in *vocab.Input) {
	p := &b.page
	switch in.Kind {
	case vocab.InOpen:
		b.leave()
		b.turned = false
		p.underWay, b.felt, b.corrections = true, b.felt[:0], false
	case vocab.InStake:
		b.stake(in)
	case vocab.InClose:
		p.lay()
		b.feedJackpot()
	case vocab.InCall:
		b.call(in)
	case vocab.InResolve:
		if in.With == irregularity.VoidRound {
			b.void()
		}
	case vocab.InJackpot:
		b.give(in.Amount)
	case vocab.InCorrect:
		if in.Correct.What == vocab.Dead {
			p.die()
		}
	}
}

// stated is an input's amount, or Unstated.
func stated(in *vocab.Input) int64 {
	if !in.Stated {
		return vocab.Unstated
	}
	return in.Amount
}

// stake places, replaces or withdraws a stake.
func (b *Book) stake(in *vocab.Input) {
	p := &b.page
	if in.Wager != vocab.WagerMain {
		b.stakeSide(in)
		return
	}
	at := p.findStake(uint8(in.Box), in.Bettor)
	switch {
	case stated(in) == 0:
		if at >= 0 {
			p.stakes = slices.Delete(p.stakes, at, at+1)
		}
		b.withdrawSides(uint8(in.Box), in.Bettor)
	case at >= 0:
		p.stakes[at].amount = stated(in)
	default:
		p.stakes = append(p.stakes, stake{box: uint8(in.Box), name: in.Bettor, amount: stated(in)})
	}
}

func (p *page) findStake(box uint8, name string) int {
	return slices.IndexFunc(p.stakes, func(s stake) bool { return s.box == box && s.name == name })
}

func (p *page) findSide(box uint8, name string, w vocab.Wager) int {
	return slices.IndexFunc(p.sides, func(s side) bool { return s.box == box && s.wager == w && s.name == name })
}

// stakeSide places a side bet; one with a single possible amount need not state it.
func (b *Book) stakeSide(in *vocab.Input) {
	p := &b.page
	amount := stated(in)
	if bet, ok := in.Wager.Side(); ok && amount == vocab.Unstated {
		if offer := b.rules.Offer(bet); offer != nil && offer.Least == offer.Most {
			amount = offer.Least
		}
	}
	at := p.findSide(uint8(in.Box), in.Bettor, in.Wager)
	switch {
	case amount == 0 && at >= 0:
		p.sides = slices.Delete(p.sides, at, at+1)
	case at >= 0:
		p.sides[at].amount = amount
	case amount != 0:
		p.sides = append(p.sides, side{box: uint8(in.Box), name: in.Bettor, wager: in.Wager, amount: amount})
	}
}

// withdrawSides: a box that is not played has no side bets, and only side bets open to
// anybody need no main stake.
func (b *Book) withdrawSides(box uint8, name string) {
	p := &b.page
	empty := !slices.ContainsFunc(p.stakes, func(s stake) bool { return s.box == box })
	p.sides = slices.DeleteFunc(p.sides, func(s side) bool {
		bet, _ := s.wager.Side()
		offer := b.rules.Offer(bet)
		free := offer != nil && offer.Bettors == rules.Anybody
		return s.box == box && (empty || s.name == name && !free)
	})
}

// lay gives each box with a stake its hand, in the order of the boxes.
func (p *page) lay() {
	if p.laid {
		return
	}
	p.laid = true
	for box := uint8(1); box <= rules.MaxBoxes; box++ {
		played := false
		for i := range p.stakes {
			if s := &p.stakes[i]; s.box == box {
				p.wagers = append(p.wagers, wager{place: place{box, 1}, name: s.name, stake: s.amount, times: 1})
				played = true
			}
		}
		if played {
			p.rows = append(p.rows, row{place: place{box, 1}})
		}
	}
}

// row finds a hand, nil if there is none.
func (p *page) row(at place) *row {
	for i := range p.rows {
		if p.rows[i].place == at {
			return &p.rows[i]
		}
	}
	return nil
}

// hands counts the hands of a box.
func (p *page) hands(box uint8) int {
	n := 0
	for i := range p.rows {
		if p.rows[i].box == box {
			n++
		}
	}
	return n
}

// void ends the round; stakes placed before bets closed count too.
func (b *Book) void() {
	b.page.voided = true
	b.page.lay()
}

// call applies a call to the stakes.
func (b *Book) call(in *vocab.Input) {
	p := &b.page
	active := place{b.due.Box, b.due.Hand}
	switch in.Call {
	case vocab.CallInsurance:
		if at := p.findStake(uint8(in.Box), in.Bettor); at >= 0 {
			p.stakes[at].insured = stated(in)
		}
	case vocab.CallEvenMoney:
		if at := p.findStake(uint8(in.Box), in.Bettor); at >= 0 {
			p.stakes[at].even = true
		}
	case vocab.CallHigher, vocab.CallLower:
		p.forecast = in.Call
	case vocab.CallSurrender:
		who := in.Bettors
		if in.Bettor != "" { // before the look, each alone
			active, who = place{uint8(in.Box), 1}, []string{in.Bettor}
		}
		b.giveUp(active, who)
	case vocab.CallDouble:
		p.double(active, in)
	case vocab.CallSplit:
		p.split(active, in.Bettors)
	}
}

// double lays so much more for each bettor who joins as he has on the hand or, for less, the amount that is said.
func (p *page) double(at place, in *vocab.Input) {
	lie := p.holderLies(at) // twice where it is doubled once more
	for i := range p.wagers {
		w := &p.wagers[i]
		if w.place != at || !w.joins(in.Bettors) || w.times != lie {
			continue
		}
		if in.Stated && in.Amount < w.stake {
			w.less = in.Amount
		} else {
			w.times += lie
		}
	}
}

// joins reports whether the wager joins in a call; a settled one does not.
func (w *wager) joins(names []string) bool {
	return !w.settled && (names == nil || slices.Contains(names, w.name))
}

// split moves the hand's second card to a new hand after it, with a stake of each bettor
// who joins. Later hands of the box move up by one.
func (p *page) split(at place, names []string) {
	i := slices.IndexFunc(p.rows, func(r row) bool { return r.place == at })
	if i < 0 || p.rows[i].n < 2 {
		return // the replay reports it
	}
	for k := range p.rows {
		if p.rows[k].box == at.box && p.rows[k].hand > at.hand {
			p.rows[k].hand++
		}
	}
	for k := range p.wagers {
		if p.wagers[k].box == at.box && p.wagers[k].hand > at.hand {
			p.wagers[k].hand++
		}
	}
	second := row{place: place{at.box, at.hand + 1}, n: 1}
	second.cards[0] = p.rows[i].cards[1]
	p.rows[i].n = 1
	p.rows = slices.Insert(p.rows, i+1, second)
	for _, w := range p.wagers {
		if w.place == at && w.joins(names) {
			w.hand++
			p.wagers = append(p.wagers, w)
		}
	}
}

// committed is everything that was put on the table in this round and whose amount is
// known.
func (p *page) committed() int64 {
	var sum int64
	for i := range p.stakes {
		if !p.laid {
			sum += known(p.stakes[i].amount)
		}
		sum += known(p.stakes[i].insured)
	}
	for i := range p.wagers {
		sum += p.wagers[i].amount()
	}
	for i := range p.sides {
		sum += known(p.sides[i].amount)
	}
	return sum
}
