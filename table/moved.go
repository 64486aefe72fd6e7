package table

import (
	"slices"

	"github.com/sabot-table/sabot/table/vocab"
)

// This file is what was really paid, taken or left where a correction has taken the payment back.

// moved is a decided wager, or a bonus, whose chips were moved before a correction, and whose payment does not stand
// after it.
type moved struct {
	vocab.Output
	// whole: it was confirmed with its box.
	whole bool
}

// isOn says whether it is the wager, or the bonus, of a line.
func (m *moved) isOn(line *vocab.Output) bool { return sameLine(&m.Output, line) }

func sameLine(a, b *vocab.Output) bool { return a.Kind == b.Kind && sameWager(a, b) }

func sameWager(a, b *vocab.Output) bool {
	return a.Box == b.Box && handOf(a) == handOf(b) && a.Bettor == b.Bettor && a.Wager == b.Wager
}

// handOf is the hand of a wager's line: bonuses name none, and are the first hand's.
func handOf(out *vocab.Output) uint8 {
	if out.Wager == vocab.WagerMain {
		return max(1, out.Hand)
	}
	return 0
}

// has is what the bettor has of a wager on which so much was staked: what lay there is his unless it was taken,
// whatever was entered.
func (m *moved) has(stake int64) int64 {
	switch {
	case m.Kind == vocab.Bonus, m.Outcome == vocab.Lose: // on a lost wager nothing is paid, unless it was by mistake
		return m.Won
	case m.Outcome == vocab.Surrendered, m.Outcome == vocab.PartLost:
		return m.Returned + m.Won
	}
	return m.Won + stake
}

// agrees says whether the chips are where they belong, as the wager is decided.
func (m *moved) agrees(now *vocab.Output) bool {
	switch {
	case m.doubtful(now):
		return m.Outcome == now.Outcome && m.Odds == now.Odds && m.Times == now.Times && m.Unstated == now.Unstated
	case m.Unstated || now.Unstated:
		return true // taken, or left where it lies, whatever it is
	}
	return m.has(now.Stake) == now.Returned+now.Won
}

// doubtful says whether it takes an amount that nobody knows to say what is to be put right.
func (m *moved) doubtful(now *vocab.Output) bool {
	return (m.Unstated || now.Unstated) && (staysOf(&m.Output) != staysOf(now) || staysOf(now) == 0)
}

// stays is what becomes of a stake on which nothing is won.
type stays uint8

const (
	taken stays = 1 + iota
	left
)

// staysOf is 0 for a wager of which something is paid, or a part comes back.
func staysOf(line *vocab.Output) stays {
	switch line.Outcome {
	case vocab.Lose:
		return taken
	case vocab.StandOff, vocab.Void:
		return left
	}
	return 0
}

// movedOn finds what was moved of the wager of a line before a correction, nil for nothing.
func (t *Table) movedOn(line *vocab.Output) *moved {
	list := t.history.moved
	for i := range list {
		if list[i].isOn(line) {
			return &list[i]
		}
	}
	return nil
}

// noteMoved keeps what a payment has moved that does not stand any more.
func (t *Table) noteMoved(line *vocab.Output, whole bool) {
	m := t.movedOn(line)
	if m == nil {
		m = another(&t.history.moved)
		*m = moved{}
	}
	*m = moved{*line, whole || m.whole}
	at := t.decidedAs(line)
	if at < 0 {
		return
	}
	if is := m.agrees(&t.decided[at]); is != t.paidNow[at] {
		t.paidNow[at] = is
		t.boxes[line.Box-1].left += step(!is)
	}
}

func step(up bool) int {
	if up {
		return 1
	}
	return -1
}

// alreadyMoved counts the wager that was decided last as paid or taken if its chips are where they belong.
func (t *Table) alreadyMoved(b *box) {
	last := len(t.decided) - 1
	m := t.movedOn(&t.decided[last])
	if m == nil || !m.agrees(&t.decided[last]) {
		return
	}
	t.paidNow[last] = true
	b.left--
	if !t.again {
		t.tellPaid(&t.decided[last])
	}
}

// tellMoved tells of the decided wagers whose chips are where they belong though no payment of them stands. What was
// moved without an amount is known from then on, if a correction has entered it.
func (t *Table) tellMoved() {
	for i := range t.decided {
		m := t.movedOn(&t.decided[i])
		if m == nil || !t.paidNow[i] || !m.agrees(&t.decided[i]) {
			continue
		}
		t.tellPaid(&t.decided[i])
		if m.Unstated {
			m.Output = t.decided[i]
		}
	}
}

// forgetMoved forgets what was put right by a payment. A wager that counted as paid since its chips lay where they
// belong does so no more.
func (t *Table) forgetMoved(right func(*moved) bool) {
	t.history.moved = slices.DeleteFunc(t.history.moved, func(m moved) bool {
		if !right(&m) {
			return false
		}
		if at := t.decidedAs(&m.Output); at >= 0 && t.paidNow[at] {
			t.paidNow[at] = false
			t.boxes[m.Box-1].left++
		}
		return true
	})
}

// forgetLying forgets what says nothing once a wager is not decided any more: its stake lies on the table again, or
// there is none.
func (t *Table) forgetLying() {
	t.history.moved = slices.DeleteFunc(t.history.moved, func(m moved) bool {
		return m.Won == 0 && !(m.Unstated && wins(&m.Output)) && !t.isDecided(&m.Output)
	})
}

func (t *Table) isDecided(line *vocab.Output) bool { return t.decidedAs(line) >= 0 }

// decidedAs is which of the decided lines is on the wager, or the bonus, of a line; -1 for none.
func (t *Table) decidedAs(line *vocab.Output) int {
	return slices.IndexFunc(t.decided, func(one vocab.Output) bool { return sameLine(&one, line) })
}

// wasPaid says whether a box was paid before a correction that has taken its payment back.
func (t *Table) wasPaid(number uint8) bool {
	return slices.ContainsFunc(t.history.moved, func(m moved) bool { return m.whole && m.Box == number })
}

// owesBack says whether something lies on a box that is to be taken back though no wager says so, since there is none.
func (t *Table) owesBack(number uint8) bool {
	return !t.boxes[number-1].paid && slices.ContainsFunc(t.history.moved, func(m moved) bool {
		return m.Box == number && !t.isDecided(&m.Output)
	})
}

// layOut is what is laid out for the nth of the decided wagers beside what was moved of it already, and whether it is
// known.
func (t *Table) layOut(nth int) (sum int64, known bool) {
	one := &t.decided[nth]
	switch m := t.movedOn(one); {
	case m == nil:
		return one.Won, !(one.Unstated && wins(one))
	case m.agrees(one):
		return 0, true
	case m.doubtful(one):
		return 0, false
	default:
		return max(0, one.Returned+one.Won-m.has(one.Stake)), true
	}
}
