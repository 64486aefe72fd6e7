package secondbook

import (
	"slices"

	"github.com/sabot-table/sabot/table/vocab"
)

// correct begins the round's page anew: a correction takes back all that was told of the
// round, and tells again what holds, with the inputs that stand.
func (b *Book) correct(outs []vocab.Output) (first error) {
	b.presses = 0
	due, running := b.due, b.page.underWay
	was, cleared := slices.Clone(b.page.lines), b.page.cleared
	if running {
		if !b.rules.Linked() {
			b.jackpot -= b.page.fed
		}
		granted := b.page.granted
		moved, disputed := b.page.moved || outs[0].Corrected.What == vocab.Move, b.page.disputed
		b.page.clear()
		b.page.disputed, b.page.granted = disputed, granted
		b.page.underWay, b.page.moved = true, moved
		b.page.foresee(outs)
	}
	note := func(err error) {
		if first == nil {
			first = err
		}
	}
	for i := range outs {
		out := &outs[i]
		if out.Kind == vocab.Irregular { // after all that is told again
			b.page.stillBig(was)
		}
		b.rememberTold(out)
		if out.Kind == vocab.Stands || out.Kind == vocab.Dealt {
			note(b.paidAtOnce())
		}
		if out.Kind == vocab.Stands && out.Stand != nil {
			b.due = vocab.Output{Box: uint8(out.Stand.Box), Hand: uint8(out.Stand.Hand)}
			if b.putInput(out.Stand); out.Stand.Kind == vocab.InPaid {
				b.page.clearOf(uint8(out.Stand.Box))
			}
			continue
		}
		note(b.follow(outs[i : i+1]))
	}
	note(b.paidAtOnce())
	b.page.stillBig(was)
	note(b.bigWins(&vocab.Input{}))
	b.page.again = false
	if running {
		note(b.corrected(outs, was, cleared))
	}
	b.due = due
	b.noteDue(outs)
	return first
}

// rememberTold keeps the page as it is before a key press that a correction tells again: the last one can be undone
// while no card has followed it.
func (b *Book) rememberTold(out *vocab.Output) {
	switch {
	case out.Kind == vocab.Stands && out.Stand != nil:
		b.remember(out.Stand.Kind)
	case out.Kind == vocab.PaidAtOnce:
		b.remember(vocab.InPaid)
	case out.Kind == vocab.Dealt, out.Kind == vocab.HoleTold:
		b.presses = 0
	}
}
