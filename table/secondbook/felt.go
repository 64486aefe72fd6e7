package secondbook

import (
	"fmt"
	"slices"

	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

// chips are a decided wager, or a bonus, whose chips were moved by a payment that a correction has taken back: they lie
// where they were moved to.
type chips struct {
	line
	box bool // with the payment of their box
}

// felt are the chips that lie where a payment has moved them that does not stand.
type felt []chips

func (f felt) of(l *line) *chips {
	for i := range f {
		if f[i].same(l) {
			return &f[i]
		}
	}
	return nil
}

// paidBox reports whether a box was paid before a correction has taken that back.
func (f felt) paidBox(box uint8) bool {
	return slices.ContainsFunc(f, func(c chips) bool { return c.box && c.place.box == box })
}

// same reports whether it is the same wager, or the bonus on it.
func (l *line) same(o *line) bool { return l.on(o) && (l.outcome == 0) == (o.outcome == 0) }

// on reports whether it is on the same wager. A bonus is on the first hand.
func (l *line) on(o *line) bool {
	hand := l.wager != vocab.WagerMain || max(1, l.hand) == max(1, o.hand)
	return hand && l.box == o.box && l.name == o.name && l.wager == o.wager
}

// comes reports whether it has come to the same.
func (l *line) comes(o *line) bool {
	a, b := *l, *o
	a.atOnce, a.paid, b.atOnce, b.paid = false, false, false, false
	a.extra, b.extra, a.big, b.big = extra{}, extra{}, 0, 0
	return a == b
}

// flow is what a dealer gives for the line to a guest whose stake lies there, below zero what he takes. Whatever
// becomes of it, something may have been paid by mistake.
func (l *line) flow(lies int64) int64 {
	switch l.outcome {
	case vocab.Lose:
		return l.won - lies
	case vocab.Surrendered, vocab.PartLost:
		return l.won + l.returned - lies
	}
	return l.won
}

// left is what is still to be given once chips were moved for the wager as it was decided before; known is false where
// that takes an amount that nobody has entered.
func (c *chips) left(now *line) (more int64, known bool) {
	if !c.unstated && !now.unstated {
		return now.flow(now.stake) - c.flow(now.stake), true
	}
	idle := func(l *line) bool { return l.outcome == vocab.StandOff || l.outcome == vocab.Void }
	switch {
	case c.outcome == vocab.Lose && now.outcome == vocab.Lose, idle(&c.line) && idle(now):
		return 0, true
	case c.unstated == now.unstated && c.outcome == now.outcome && c.odds == now.odds && c.times == now.times:
		return 0, true
	}
	return 0, false
}

func (c *chips) right(now *line) bool {
	more, known := c.left(now)
	return known && more == 0
}

// corrected follows what a correction does to the chips: was are the lines before it, and cleared the boxes that were
// paid.
func (b *Book) corrected(outs []vocab.Output, was []line, cleared [rules.MaxBoxes + 1]bool) error {
	c := outs[0]
	unmeant := c.Input == vocab.InPaid || c.Input == vocab.InResolve && c.Code == irregularity.PayoutMismatch
	if !unmeant {
		b.keepChips(was, cleared)
	}
	b.felt = slices.DeleteFunc(b.felt, func(c chips) bool {
		return c.won == 0 && !(c.unstated && c.gets()) && b.page.lineOf(&c.line) == nil
	})
	for i := range b.page.lines {
		l := &b.page.lines[i]
		if err := b.movedRight(l, was, unmeant); err != nil {
			return fmt.Errorf("%s, %s, %s: %w", l.place, l.name, l.wager, err)
		}
	}
	if err := b.page.retold(was); err != nil {
		return err
	}
	return b.differences(outs, was)
}

// keepChips notes what was moved and is not told as moved any more.
func (b *Book) keepChips(was []line, cleared [rules.MaxBoxes + 1]bool) {
	p := &b.page
	dropped := func(box uint8) bool { return cleared[box] && !p.cleared[box] }
	b.felt = slices.DeleteFunc(b.felt, func(c chips) bool {
		return dropped(c.place.box) && !slices.ContainsFunc(was, func(l line) bool { return l.atOnce && c.same(&l) })
	})
	for i := range was {
		l := &was[i]
		now := p.lineOf(l)
		stands := now != nil && now.moved() && now.comes(l) && (l.atOnce || !dropped(l.box))
		if !l.moved() || stands {
			continue
		}
		if at := b.felt.of(l); at != nil {
			*at = chips{l.asPaid(), at.box || dropped(l.box) && !l.atOnce}
		} else {
			b.felt = append(b.felt, chips{l.asPaid(), dropped(l.box) && !l.atOnce})
		}
	}
}

// lineOf finds the line of a wager, nil if it is not decided.
func (p *page) lineOf(of *line) *line {
	for i := range p.lines {
		if p.lines[i].same(of) {
			return &p.lines[i]
		}
	}
	return nil
}

// movedRight: a wager that was paid as it is due is told as paid, and none that was not.
func (b *Book) movedRight(l *line, was []line, unmeant bool) error {
	on := b.felt.of(l)
	before := on != nil && on.right(l)
	for i := range was {
		if !was[i].moved() || !was[i].same(l) {
			continue
		}
		stands := was[i].other && l.extra == was[i].extra
		// What was paid on it with its box was not meant, and what was paid on it before stands.
		alone := unmeant && was[i].other && l.extra == (extra{}) && (&chips{line: was[i]}).right(l)
		before = before || stands || alone || (&chips{line: was[i].asPaid()}).right(l)
	}
	switch {
	case l.moved() && !before:
		return fmt.Errorf("it is told as paid after the correction, and was not")
	case !l.moved() && before && !unmeant:
		return fmt.Errorf("it was paid as it is due, and is to be paid again")
	}
	return nil
}

// stillPaid finds a wager that is decided as it was paid before a correction, and is not told as paid.
func (b *Book) stillPaid() error {
	for i := range b.page.lines {
		l := &b.page.lines[i]
		if c := b.felt.of(l); c != nil && !l.moved() && c.right(l) {
			return fmt.Errorf("%s, %s, %s: it was paid as it is due before, and is to be paid again", l.place,
				l.name, l.wager)
		}
	}
	return nil
}

// unasked: nothing is told as paid that nobody has paid.
func (b *Book) unasked(in *vocab.Input, outs []vocab.Output) error {
	if in.Kind == vocab.InPaid || righted(outs) != 0 || len(b.felt) == 0 {
		return nil
	}
	for i := range outs {
		out := &outs[i]
		if out.Kind != vocab.PaidAtOnce {
			continue
		}
		one := lineOf(out)
		if l := b.page.lineOf(one); l == nil || b.felt.of(l) == nil || !b.felt.of(l).right(l) {
			return fmt.Errorf("%s, %s, %s: it is told as paid, and nobody has paid it", one.place, one.name, one.wager)
		}
	}
	return nil
}

// lineOf is a line that only names a wager.
func lineOf(out *vocab.Output) *line {
	return &line{place: place{out.Box, out.Hand}, name: out.Bettor, wager: out.Wager, outcome: out.Outcome}
}

// layOut is what is still to be laid out for a line.
func (b *Book) layOut(l *line) (sum int64, known bool) {
	c := b.felt.of(l)
	if c == nil {
		return l.won, !(l.unstated && l.gets())
	}
	more, known := c.left(l)
	return max(0, more), known
}
