package secondbook

import (
	"fmt"
	"slices"

	"github.com/sabot-table/sabot/table/vocab"
)

// gotten is what a guest has of a wager by its lines: the first of them, and what they sum to.
type gotten struct {
	first    *line
	sum      int64
	unstated bool
}

// got sums the lines on a wager, nil where there are none.
func got(lines []line, on *line) *gotten {
	var g *gotten
	for i := range lines {
		l := &lines[i]
		if !l.on(on) {
			continue
		}
		if g == nil {
			g = &gotten{first: l}
		}
		g.sum += l.returned + l.won
		g.unstated = g.unstated || l.unstated
	}
	return g
}

func (g *gotten) equals(o *gotten) bool {
	if g.unstated || o.unstated {
		return g.first.outcome == o.first.outcome && g.first.odds == o.first.odds && g.first.times == o.first.times
	}
	return g.sum == o.sum
}

// differences checks what a correction tells of the wagers that were decided before it, or are on a box that was paid.
func (b *Book) differences(outs []vocab.Output, was []line) error {
	var told []*vocab.Output
	for i := range outs {
		if outs[i].Kind == vocab.Difference {
			told = append(told, &outs[i])
		}
	}
	for _, l := range append(slices.Clone(was), b.page.lines...) {
		at := slices.IndexFunc(told, func(out *vocab.Output) bool { return lineOf(out).on(&l) })
		var out *vocab.Output
		if at >= 0 {
			out = told[at]
		}
		if err := b.difference(out, &l, got(was, &l), got(b.page.lines, &l)); err != nil {
			return fmt.Errorf("%s, %s, %s: %w", l.place, l.name, l.wager, err)
		}
	}
	for _, out := range told {
		if one := lineOf(out); got(was, one) == nil && got(b.page.lines, one) == nil {
			return fmt.Errorf("%s, %s, %s: a difference is told of what was never decided", one.place,
				one.name, one.wager)
		}
	}
	return nil
}

// difference checks what is told of one wager, nil for nothing: what the guest had by the lines before, and has.
func (b *Book) difference(out *vocab.Output, l *line, was, now *gotten) error {
	told := was == nil && b.felt.paidBox(l.box) || was != nil && (now == nil || !was.equals(now))
	switch {
	case out == nil && told:
		return fmt.Errorf("the correction decides it otherwise, and tells no difference")
	case out != nil && !told:
		return fmt.Errorf("a difference is told, and there is none")
	case out == nil:
		return nil
	}
	m := b.weigh(l)
	if out.Difference.HasPaid && !m.moved {
		m = b.page.asPaid(l)
	}
	if unknown := was != nil && was.unstated || now != nil && now.unstated || m.unknown; unknown != out.Unstated {
		return fmt.Errorf("whether its amounts are known is told wrongly")
	} else if unknown {
		return nil
	}
	switch {
	case out.Difference.HadBefore != (was != nil) || was != nil && out.Difference.Before != was.sum:
		return fmt.Errorf("its guest got %s by the lines before; told: %s", amountOf(was),
			amount(out.Difference.Before))
	case out.Difference.HasAfter != (now != nil) || now != nil && out.Difference.After != now.sum:
		return fmt.Errorf("its guest gets %s; told: %s", amountOf(now), amount(out.Difference.After))
	case out.Difference.HasPaid != m.moved || m.moved && out.Difference.Paid != m.paid:
		return fmt.Errorf("%s were paid on it; told: %s", amount(m.paid), amount(out.Difference.Paid))
	case out.Difference.HasMore != (m.moved && !m.open) || out.Difference.HasMore && out.Difference.More != m.more:
		return fmt.Errorf("%s are to be paid on it besides; told: %s", amount(m.more), amount(out.Difference.More))
	}
	return nil
}

func amountOf(g *gotten) string {
	if g == nil {
		return "nothing"
	}
	return amount(g.sum)
}

// weighed is what was moved of a wager, and what is still to be moved.
type weighed struct {
	paid, more           int64
	moved, open, unknown bool
}

// weigh weighs the chips that were moved on a wager against what is due on it.
func (b *Book) weigh(on *line) (m weighed) {
	for i := range b.felt {
		if c := &b.felt[i]; c.on(on) {
			m.moved = true
			m.add(c, b.page.lineOf(&c.line), b.page.lies(&c.line))
		}
	}
	for i := range b.page.lines {
		l := &b.page.lines[i]
		if l.on(on) && !l.moved() && b.felt.paidBox(l.box) && b.felt.of(l) == nil {
			m.moved, m.more = true, m.more+l.flow(l.stake)
			m.unknown = m.unknown || l.unstated && l.outcome != vocab.Lose && l.outcome != vocab.StandOff &&
				l.outcome != vocab.Void
		}
	}
	return m
}

// asPaid is what was paid on a wager by payments that stand: nothing is to be put right of it, and it may be told or
// not.
func (p *page) asPaid(on *line) (m weighed) {
	for i := range p.lines {
		if l := &p.lines[i]; l.on(on) && l.moved() {
			m.moved, m.paid = true, m.paid+l.won
		}
	}
	return m
}

func (m *weighed) add(c *chips, now *line, open bool) {
	switch {
	case now != nil && now.moved():
		m.paid += now.won
		return
	case now == nil && open:
		m.open = true
	case now == nil:
		m.more -= c.won
		m.unknown = m.unknown || c.unstated
	default:
		more, known := c.left(now)
		m.more, m.unknown = m.more+more, m.unknown || !known
	}
	m.paid += c.won
}

// lies reports whether the stake of a wager lies on the table, not decided.
func (p *page) lies(l *line) bool {
	if l.outcome == 0 {
		return false // a bonus
	}
	if l.wager == vocab.WagerMain {
		return slices.ContainsFunc(p.wagers, func(w wager) bool {
			return w.place == l.place && w.name == l.name && !w.settled
		})
	}
	if l.wager == vocab.WagerInsurance {
		at := p.findStake(l.box, l.name)
		return at >= 0 && p.stakes[at].insured != 0 && !p.stakes[at].insuranceEnded
	}
	at := p.findSide(l.box, l.name, l.wager)
	return at >= 0 && !p.sides[at].settled
}
