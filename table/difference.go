package table

import (
	"slices"

	"github.com/sabot-table/sabot/table/vocab"
)

// Difference is a wager of which something else was paid, taken or left than what is due since a correction.
type Difference struct {
	Box, Hand uint8 // the hand of a main wager
	Bettor    string
	Wager     vocab.Wager
	// Paid is what was paid on it, beside its stake.
	Paid int64
	// More is what the bettor is still to get, his stake if it was taken among it; below zero, what is to be taken.
	More int64
	// Open says that it is not decided any more: its stake lies on the table again, and what was paid stays until it
	// is.
	Open bool
	// Unknown says that nobody knows the amounts.
	Unknown bool
}

// Differences returns what is to be put right of what was paid before corrections of this round, on boxes that were
// not paid since.
func (t *Table) Differences() (list []Difference) {
	if t.phase == vocab.Idle || len(t.history.moved) == 0 {
		return nil
	}
	for i := range t.history.moved {
		list = t.differs(list, &t.history.moved[i].Output)
	}
	for i := range t.decided {
		list = t.differs(list, &t.decided[i])
	}
	return list
}

// differs adds the wager of a line to those that are to be put right, if it is one and not among them.
func (t *Table) differs(list []Difference, line *vocab.Output) []Difference {
	if t.boxes[line.Box-1].paid || slices.ContainsFunc(list, func(d Difference) bool { return d.isOn(line) }) {
		return list
	}
	if d, moved := t.difference(line); moved && (d.More != 0 || d.Open || d.Unknown) {
		return append(list, d)
	}
	return list
}

func (d *Difference) isOn(line *vocab.Output) bool {
	return d.Box == line.Box && d.Hand == handOf(line) && d.Bettor == line.Bettor && d.Wager == line.Wager
}

// difference weighs what was moved of a wager, the bonus on it among it, against what is due; moved is false where
// nobody was ever paid.
func (t *Table) difference(line *vocab.Output) (d Difference, moved bool) {
	d = Difference{Box: line.Box, Hand: handOf(line), Bettor: line.Bettor, Wager: line.Wager}
	for i := range t.history.moved {
		if m := &t.history.moved[i]; d.isOn(&m.Output) {
			moved = true
			d.weigh(t, m)
		}
	}
	for i := range t.decided {
		if one := &t.decided[i]; d.isOn(one) && t.wasPaid(one.Box) && t.unpaid(i) && t.movedOn(one) == nil {
			moved = true
			d.Unknown = d.Unknown || one.Unstated && staysOf(one) == 0
			d.More += net(one)
		}
	}
	if d.Unknown || d.Open {
		d.More = 0
	}
	return d, moved
}

// net is what a wager brings its bettor beside the stake that lies there.
func net(one *vocab.Output) int64 {
	if one.Kind == vocab.Bonus {
		return one.Won
	}
	return one.Returned + one.Won - one.Stake
}

// weigh adds what was moved of one line, and what is due on it.
func (d *Difference) weigh(t *Table, m *moved) {
	at := t.decidedAs(&m.Output)
	if at >= 0 && t.paidNow[at] {
		d.Paid += t.decided[at].Won
		return
	}
	d.Paid += m.Won
	switch {
	case at >= 0 && m.doubtful(&t.decided[at]):
		d.Unknown = true
	case at >= 0:
		due := &t.decided[at]
		d.More += due.Returned + due.Won - m.has(due.Stake)
	case m.Kind == vocab.Settled && t.plays(&m.Output):
		d.Open = true
	default:
		d.Unknown = d.Unknown || m.Unstated
		d.More -= m.Won
	}
}

// plays says whether the wager of a line lies on the table, undecided.
func (t *Table) plays(line *vocab.Output) bool {
	b := &t.boxes[line.Box-1]
	bet, side := line.Wager.Side()
	at := b.find(line.Bettor)
	switch {
	case side:
		s := b.findSide(bet, line.Bettor)
		return s >= 0 && !b.sides[s].settled
	case at < 0:
		return false
	case line.Wager == vocab.WagerInsurance:
		return b.bettors[at].Insured != 0 && !b.bettors[at].insuranceDecided
	case int(line.Hand) > len(b.hands):
		return false
	}
	lying := b.hands[max(1, line.Hand)-1].wagers
	return slices.ContainsFunc(lying, func(w handWager) bool { return w.bettor == at && !w.settled })
}

// got is what was decided of one wager.
type got struct {
	vocab.Output // the first line on it
	sum          int64
	unknown      bool
}

// gotOf sums the decided lines by wager.
func gotOf(decided []vocab.Output) (list []got) {
	for i := range decided {
		out := &decided[i]
		at := slices.IndexFunc(list, func(g got) bool { return sameWager(&g.Output, out) })
		if at < 0 {
			at = len(list)
			list = append(list, got{Output: *out})
		}
		list[at].sum += out.Returned + out.Won
		list[at].unknown = list[at].unknown || out.Unstated
	}
	return list
}

// gets says whether it comes to the same as another.
func (g *got) gets(other *got) bool {
	if g.unknown || other.unknown {
		return g.Outcome == other.Outcome && g.Odds == other.Odds && g.Times == other.Times
	}
	return g.sum == other.sum
}

// tellDifferences tells what of the wagers that were decided is so no longer, or otherwise, and what a correction has
// brought to a box that was paid.
func (t *Table) tellDifferences(decided []vocab.Output) {
	was, now := gotOf(decided), gotOf(t.decided)
	for i := range was {
		at := slices.IndexFunc(now, func(g got) bool { return sameWager(&g.Output, &was[i].Output) })
		switch {
		case at < 0:
			t.tellDifference(&was[i], nil)
		case !was[i].gets(&now[at]):
			t.tellDifference(&was[i], &now[at])
		}
	}
	for i := range now {
		g := &now[i]
		known := slices.ContainsFunc(was, func(w got) bool { return sameWager(&w.Output, &g.Output) })
		if t.wasPaid(g.Box) && !known {
			t.tellDifference(nil, g)
		}
	}
}

// tellDifference tells what a bettor got of a wager, nil for one that was not decided, and gets, nil for one that is so
// no longer.
func (t *Table) tellDifference(was, now *got) {
	one := now
	if one == nil {
		one = was
	}
	d, moved := t.difference(&one.Output)
	var told vocab.DifferenceTold
	unknown := was != nil && was.unknown || now != nil && now.unknown || d.Unknown
	if was != nil && !unknown {
		told.Before, told.HadBefore = was.sum, true
	}
	if now != nil && !unknown {
		told.After, told.HasAfter = now.sum, true
	}
	if moved && !unknown {
		told.Paid, told.HasPaid = d.Paid, true
		told.More, told.HasMore = d.More, !d.Open
	}
	out := t.emit(vocab.Difference)
	out.Box, out.Hand, out.Bettor, out.Wager, out.Unstated = one.Box, handOf(&one.Output), one.Bettor,
		one.Wager, unknown
	out.Trouble = &vocab.Trouble{Difference: told}
}
