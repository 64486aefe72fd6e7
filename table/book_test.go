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
	unit int64
	page page
	// earlier are the pages before each key press that undo can take back.
	earlier []page
}

// page is the round as the book has it.
type page struct {
	laid    bool // the stakes lie on hands
	voided  bool
	boxes   map[int]place
	bank    []card.Card
	insured map[guest]insurance
	even    map[guest]bool
	sums    table.Sums
}

// guest is a bettor on a box.
type guest struct {
	box  int
	name string
}

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
}

type wager struct {
	name    string
	amount  int64
	settled bool
}

func newPage() page {
	return page{boxes: map[int]place{}, insured: map[guest]insurance{}, even: map[guest]bool{}}
}

func (p page) copy() page {
	p.bank = slices.Clone(p.bank)
	p.insured, p.even = maps.Clone(p.insured), maps.Clone(p.even)
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
	if in.Kind == table.InUndo {
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
	return b.bustIsLost()
}

func (b *book) remember(k table.InputKind) {
	switch k {
	case table.InCall, table.InClose, table.InPaid:
		b.earlier = append(b.earlier, b.page.copy())
	case table.InShoe:
	default:
		b.earlier = nil
	}
}

// put does what an input itself does to the stakes.
func (b *book) put(in table.Input, due table.Due) {
	p := &b.page
	switch in.Kind {
	case table.InSetup:
		b.unit = in.Rules.Table.Unit
		*p = newPage()
	case table.InOpen:
		*p = newPage()
	case table.InStake:
		p.stake(in)
	case table.InClose:
		p.lay()
	case table.InCall:
		p.call(in, due)
	case table.InResolve:
		p.void(in.With)
	}
}

func (p *page) stake(in table.Input) {
	b := p.boxes[in.Box]
	at := slices.IndexFunc(b.stakes, func(w wager) bool { return w.name == in.Bettor })
	switch {
	case in.Amount == 0:
		b.stakes = slices.Delete(b.stakes, at, at+1)
	case at >= 0:
		b.stakes[at].amount = in.Amount
	default:
		b.stakes = append(b.stakes, wager{name: in.Bettor, amount: in.Amount})
	}
	p.boxes[in.Box] = b
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
		p.insured[who] = insurance{amount: in.Amount}
	case table.CallEvenMoney:
		p.even[who] = true
	case table.CallDouble:
		h := &p.boxes[int(due.Box)].hands[due.Hand-1]
		for i := range h.wagers {
			if joins(h.wagers[i], in.Bettors) {
				h.wagers[i].amount *= 2
			}
		}
	case table.CallSplit:
		p.split(int(due.Box), int(due.Hand)-1, in.Bettors)
	}
}

func joins(w wager, names []string) bool { return names == nil || slices.Contains(names, w.name) }

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

// committed is everything that was put on the table in this round.
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
		sum += i.amount
	}
	return sum
}

func total(wagers []wager) int64 {
	var sum int64
	for _, w := range wagers {
		sum += w.amount
	}
	return sum
}
