package secondbook

import (
	"fmt"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/vocab"
)

// wrongSurrender is why half a stake may not come back for what lies on a hand.
func (b *Book) wrongSurrender(r *row) error {
	total, soft := count(r.laid())
	only, split, bank := b.rules.SurrenderOnly, b.page.hands(r.box) > 1, b.page.bank
	switch {
	case !b.rules.Surrender:
		return fmt.Errorf("half the stake was given back, but there is no surrender in this house")
	case r.n != 2, split && (only == nil || !only.AfterSplit):
		return fmt.Errorf("a surrender of %s, which are not the box's first two cards", names(r.laid()))
	case only == nil:
		return nil
	case only.NotAce && bank[0].Rank() == card.Ace:
		return fmt.Errorf("a surrender against an ace, and there is none in this house")
	case only.HardFrom > 0 && (soft || total < only.HardFrom):
		return fmt.Errorf("a surrender of %s, and only a hard %d or more may be given up", counted(total, soft),
			only.HardFrom)
	case only.Late && b.mayHaveBlackJack() && (len(bank) < 2 || natural(bank)):
		return fmt.Errorf("half the stake of a surrender comes back once the bank has no Black Jack, and it has %s",
			names(bank))
	}
	return nil
}

// wrongMoment is why nobody may surrender now. Where half the stake comes back whatever the bank has, and the dealer
// looks at the hole card, it is called before the look, and of a split hand after it.
func (b *Book) wrongMoment(in *vocab.Input) error {
	p, only := &b.page, b.rules.SurrenderOnly
	late := only != nil && only.Late
	switch {
	case in.Bettor != "" && (late || !b.looks() || p.hole.looked):
		return fmt.Errorf("a surrender of box %d before the look, and the dealer does not look now", in.Box)
	case in.Bettor == "" && !late && p.hole.looked && p.hands(b.due.Box) == 1:
		return fmt.Errorf("a surrender after the dealer has looked, and the stake is not at risk any more")
	}
	return nil
}

// giveUp notes who gives up. With a late surrender all leave the hand with the holder.
func (b *Book) giveUp(at place, who []string) {
	p := &b.page
	p.leaving = append(p.leaving[:0], who...)
	if only := b.rules.SurrenderOnly; only == nil || !only.Late {
		return
	}
	for i := range p.wagers {
		if w := &p.wagers[i]; w.place == at && !w.settled {
			w.left = true
			p.leaving = append(p.leaving, w.name)
		}
	}
}

// gaveUp reports whether a bettor got half the stake of a hand back.
func (p *page) gaveUp(at place, name string) bool {
	for i := range p.wagers {
		if w := &p.wagers[i]; w.place == at && w.name == name && w.outcome == vocab.Surrendered {
			return true
		}
	}
	return false
}

// hasLeft reports whether a hand was given up and waits for the bank.
func (p *page) hasLeft(at place) bool {
	for i := range p.wagers {
		if w := &p.wagers[i]; w.place == at && w.left {
			return true
		}
	}
	return false
}

// needsSecond reports whether a wager that was decided without the bank's total has waited for its second card.
func (b *Book) needsSecond(w *wager) bool {
	r := b.page.row(w.place)
	switch w.why {
	case vocab.WhyBust:
		return r != nil && b.mayGetBack(r)
	case vocab.WhySurrender, vocab.WhyBankBlackJack:
		return w.left && b.mayHaveBlackJack()
	}
	return false
}
