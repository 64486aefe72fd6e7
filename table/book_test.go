package table_test

import (
	"fmt"
	"maps"
	"slices"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table"
)

// book is the auditor's book: it keeps a round beside the engine, by the house
// rules alone, out of what was put in and what came out. It shares no code with
// the engine.
type book struct {
	min, unit int64
	house     sheet
	page      page
	// earlier are the pages before each key press that undo can take back.
	earlier []page
}

// page is the round as the book has it.
type page struct {
	laid    bool // the stakes lie on hands
	voided  bool
	boxes   map[int]place
	bank    []card.Card
	joker   map[int]bool // boxes that the Joker was laid to
	aside   card.Card    // the last card that was laid aside
	insured map[guest]insurance
	even    map[guest]bool
	sides   map[side]insurance
	leaving []string // who surrenders with the input that is entered
	// forecast is the last one, higher or lower.
	forecast table.Call
	// sevens counts the bonuses that are still to come.
	sevens int
	sums   table.Sums
}

// guest is a bettor on a box.
type guest struct {
	box  int
	name string
}

// side is a guest's side bet.
type side struct {
	guest
	wager table.Wager
}

// insurance is a stake beside the main ones: on insurance or on a side bet.
type insurance struct {
	amount  int64
	settled bool
}

// place is one box: its stakes in the order in which they were placed, and its
// hands once the bets are closed.
type place struct {
	stakes []wager
	hands  []row
}

// row is one hand.
type row struct {
	cards  []card.Card
	wagers []wager
	points int
}

// wager is a main stake, which lies on its hand once or, doubled, twice.
type wager struct {
	name         string
	stake, times int64
	settled      bool
	outcome      table.Outcome
	why          table.Why
}

// amount is what lies there, as far as somebody knows.
func (w wager) amount() int64 { return known(w.stake) * w.times }

// known is 0 for an amount that nobody knows.
func known(amount int64) int64 { return max(0, amount) }

func newPage() page {
	return page{
		boxes: map[int]place{}, insured: map[guest]insurance{}, even: map[guest]bool{},
		sides: map[side]insurance{}, joker: map[int]bool{},
	}
}

func (p page) copy() page {
	p.bank = slices.Clone(p.bank)
	p.insured, p.even = maps.Clone(p.insured), maps.Clone(p.even)
	p.sides, p.joker = maps.Clone(p.sides), maps.Clone(p.joker)
	boxes := map[int]place{}
	for n, b := range p.boxes {
		hands := slices.Clone(b.hands)
		for i := range hands {
			hands[i].cards = slices.Clone(hands[i].cards)
			hands[i].wagers = slices.Clone(hands[i].wagers)
		}
		boxes[n] = place{slices.Clone(b.stakes), hands}
	}
	p.boxes = boxes
	return p
}

// enter writes down one input that was not refused, and what followed from it.
// due is what was due before. The error says what is against the rules.
func (b *book) enter(in table.Input, due table.Due, outs []table.Output) error {
	undone := func(out table.Output) bool { return out.Kind == table.Undone }
	if slices.ContainsFunc(outs, undone) { // by the key Undo, or by two calls at once
		last := len(b.earlier) - 1
		if last < 0 {
			return fmt.Errorf("something was taken back, and there is nothing to take back")
		}
		b.page, b.earlier = b.earlier[last], b.earlier[:last]
		return nil
	}
	b.remember(in.Kind)
	b.put(in, due)
	for _, out := range outs {
		if err := b.follow(out); err != nil {
			return fmt.Errorf("%s: %w", out.Kind, err)
		}
	}
	return b.paidAtOnce()
}

func (b *book) remember(k table.InputKind) {
	switch k {
	case table.InCall, table.InClose, table.InPaid:
		b.earlier = append(b.earlier, b.page.copy())
	case table.InShoe, table.InAcknowledge, table.InDealer, table.InNote, table.InStorage:
	default:
		b.earlier = nil
	}
}

// put does what an input itself does to the stakes.
func (b *book) put(in table.Input, due table.Due) {
	p := &b.page
	switch in.Kind {
	case table.InSetup:
		b.min, b.unit = in.Rules.Table.Min, in.Rules.Table.Unit
		b.house = sheets[in.Rules.House]
		*p = newPage()
	case table.InOpen:
		*p = newPage()
	case table.InStake:
		b.stake(in)
	case table.InClose:
		p.lay()
	case table.InCall:
		p.call(in, due)
	case table.InResolve:
		p.void(in.With)
	}
}

// stated is an input's amount, Unstated for none.
func stated(in table.Input) int64 {
	if !in.Stated {
		return table.Unstated
	}
	return in.Amount
}

func (b *book) stake(in table.Input) {
	p := &b.page
	if in.Wager != table.WagerMain {
		b.stakeBeside(in)
		return
	}
	box := p.boxes[in.Box]
	at := slices.IndexFunc(box.stakes, func(w wager) bool { return w.name == in.Bettor })
	switch {
	case stated(in) == 0:
		box.stakes = slices.Delete(box.stakes, at, at+1)
		p.withdrawSides(in, len(box.stakes) == 0)
	case at >= 0:
		box.stakes[at].stake = stated(in)
	default:
		box.stakes = append(box.stakes, wager{name: in.Bettor, stake: stated(in), times: 1})
	}
	p.boxes[in.Box] = box
}

// stakeBeside places a side bet; what may only be staked in one amount needs none.
func (b *book) stakeBeside(in table.Input) {
	key := side{guest{in.Box, in.Bettor}, in.Wager}
	amount := stated(in)
	switch only := map[string]int64{"swiss-casinos-jack": b.min, "progressive": 500}[in.Wager.String()]; {
	case amount == 0:
		delete(b.page.sides, key)
		return
	case amount == table.Unstated && only != 0:
		amount = only
	}
	b.page.sides[key] = insurance{amount: amount}
}

// withdrawSides: a box that nobody plays has no side bets, and only Twins and Crazy
// Twins need no main stake.
func (p *page) withdrawSides(in table.Input, empty bool) {
	maps.DeleteFunc(p.sides, func(s side, _ insurance) bool {
		free := s.wager.String() == "twins" || s.wager.String() == "crazy-twins"
		return s.box == in.Box && (empty || s.name == in.Bettor && !free)
	})
}

func (p *page) void(with table.Choice) {
	if with != table.VoidRound {
		return
	}
	p.voided = true
	if !p.laid {
		p.lay()
	}
}

func (p *page) lay() {
	p.laid = true
	for n, b := range p.boxes {
		if len(b.stakes) > 0 {
			b.hands = []row{{wagers: slices.Clone(b.stakes)}}
			p.boxes[n] = b
		}
	}
}

func (p *page) call(in table.Input, due table.Due) {
	who := guest{in.Box, in.Bettor}
	switch in.Call {
	case table.CallInsurance:
		p.insured[who] = insurance{amount: stated(in)}
	case table.CallEvenMoney:
		p.even[who] = true
	case table.CallHigher, table.CallLower:
		p.forecast = in.Call
	case table.CallSurrender:
		p.leaving = in.Bettors
	case table.CallDouble:
		h := &p.boxes[int(due.Box)].hands[due.Hand-1]
		for i := range h.wagers {
			if joins(h.wagers[i], in.Bettors) {
				h.wagers[i].times = 2
			}
		}
	case table.CallSplit:
		p.split(int(due.Box), int(due.Hand)-1, in.Bettors)
	}
}

// joins: who has surrendered is not asked.
func joins(w wager, names []string) bool {
	return open(w) && (names == nil || slices.Contains(names, w.name))
}

func (p *page) split(box, at int, names []string) {
	b := p.boxes[box]
	first := b.hands[at]
	second := row{cards: []card.Card{first.cards[1]}}
	for _, w := range first.wagers {
		if joins(w, names) {
			second.wagers = append(second.wagers, w)
		}
	}
	first.cards = []card.Card{first.cards[0]}
	b.hands = slices.Replace(b.hands, at, at+1, first, second)
	p.boxes[box] = b
}

// committed is everything that was put on the table in this round, as far as its
// amount is known.
func (p *page) committed() int64 {
	var sum int64
	for _, b := range p.boxes {
		if !p.laid {
			sum += total(b.stakes)
		}
		for _, h := range b.hands {
			sum += total(h.wagers)
		}
	}
	for _, i := range p.insured {
		sum += known(i.amount)
	}
	for _, s := range p.sides {
		sum += known(s.amount)
	}
	return sum
}

func total(wagers []wager) int64 {
	var sum int64
	for _, w := range wagers {
		sum += w.amount()
	}
	return sum
}
