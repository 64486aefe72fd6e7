package secondbook

import (
	"fmt"
	"slices"

	"github.com/sabot-table/sabot/table/money"
	"github.com/sabot-table/sabot/table/vocab"
)

// owner is the bettor for whom a chip lies on the line of a box: half a unit is left of what the last round has paid
// there.
type owner struct {
	box  uint8
	name string
}

// TakeOverLine tells the book of a chip on a line that it cannot have followed.
func (b *Book) TakeOverLine(box uint8, name string) { b.onLine = append(b.onLine, owner{box, name}) }

// line completes a decided wager: of half a unit a whole one is laid on the line, and who wins on the box in the next
// round gets it as well. What goes back decides nothing.
func (b *Book) line(l *line, want verdict) {
	l.carried, l.onLine = false, false
	if l.wager != vocab.WagerMain {
		return
	}
	unit, odds := b.rules.Table.Unit, want.odds
	paid := want.outcome == vocab.Win || want.outcome == vocab.Surrendered
	if paid && !l.unstated && want.prize == 0 && b.rules.Table.Rounding == money.Carried {
		l.carried = 2*(l.stake*odds.Num%(odds.Den*unit)) == odds.Den*unit
	}
	l.onLine = l.hand == 1 && l.outcome != vocab.Void && slices.Contains(b.onLine, owner{l.box, l.name})
	for _, o := range b.onLine {
		if l.onLine && l.outcome == vocab.Win && !l.unstated && o == (owner{l.box, l.name}) {
			l.won += unit
		}
	}
}

// tellsLine checks what a settlement says of the chip on the line.
func (l *line) tellsLine(out *vocab.Output) error {
	switch {
	case out.Carried != l.carried && l.carried:
		return fmt.Errorf("half a unit is left of what it brings, and no chip is recorded on the line")
	case out.Carried != l.carried:
		return fmt.Errorf("a chip is recorded on the line, and no half unit is left of what it brings")
	case out.OnLine != l.onLine && l.onLine:
		return fmt.Errorf("a chip lay on the line, and it is not recorded what became of it")
	case out.OnLine != l.onLine:
		return fmt.Errorf("a chip from the line is recorded, and none lay there")
	}
	return nil
}

// turnLines passes from a round that is over to the next: what lay on a line is gone, unless its bettor's wager or the
// round was void, and a chip lies there of which half a unit was left.
func (b *Book) turnLines() {
	if b.turned {
		return
	}
	p, next := &b.page, b.onLine[:0]
	void := len(p.lines) == 0 ||
		slices.ContainsFunc(p.lines, func(l line) bool { return l.why == vocab.WhyVoidRound })
	for _, o := range b.onLine {
		at := slices.IndexFunc(p.lines, func(l line) bool {
			return l.wager == vocab.WagerMain && l.outcome != 0 && l.place == place{o.box, 1} && l.name == o.name
		})
		if at < 0 && void || at >= 0 && p.lines[at].outcome == vocab.Void {
			next = append(next, o)
		}
	}
	for i := range p.lines {
		if l := &p.lines[i]; l.carried {
			next = append(next, owner{l.box, l.name})
		}
	}
	b.onLine, b.turned = next, true
}

// leave turns the page of a round that lies on the table no longer.
func (b *Book) leave() {
	b.turnLines()
	b.page.clear()
}
