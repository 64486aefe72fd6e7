package table

import (
	"slices"

	"github.com/sabot-table/sabot/table/vocab"
)

// Difference is a wager that was decided before a correction, and is so no longer, or
// otherwise: what was paid or taken on it is to be put right.
type Difference struct {
	Box, Hand uint8 // the hand of a main wager
	Bettor    string
	Wager     vocab.Wager
	// Was is what the bettor got of it, stake and winnings, and Now what he gets. Open says
	// that it is not decided any more: its stake lies on the table again.
	Was, Now int64
	Open     bool
	// Unknown says that nobody knows the amounts.
	Unknown bool
}

// Differences returns what the corrections of this round have changed of wagers that were
// decided, on boxes that were not paid since.
func (t *Table) Differences() []Difference { return t.differences }

// got is what was decided of one wager.
type got struct {
	vocab.Output // the first line on it
	sum          int64
	unknown      bool
}

func (g *got) isOn(out *vocab.Output) bool {
	return g.Box == out.Box && g.Hand == handOf(out) && g.Bettor == out.Bettor && g.Wager == out.Wager
}

// handOf is the hand of a wager's line: bonuses name none, and are the first hand's.
func handOf(out *vocab.Output) uint8 {
	if out.Wager == vocab.WagerMain {
		return max(1, out.Hand)
	}
	return 0
}

// gotOf sums the decided lines by wager.
func gotOf(decided []vocab.Output) (list []got) {
	for i := range decided {
		out := &decided[i]
		at := slices.IndexFunc(list, func(g got) bool { return g.isOn(out) })
		if at < 0 {
			at = len(list)
			first := *out
			first.Hand = handOf(out)
			list = append(list, got{Output: first})
		}
		list[at].sum += out.Returned + out.Won
		list[at].unknown = list[at].unknown || out.Unstated
	}
	return list
}

// tellDifferences tells what of the wagers that were decided is so no longer, or otherwise.
func (t *Table) tellDifferences(was []vocab.Output) {
	after := gotOf(t.decided)
	for _, g := range gotOf(was) {
		at := slices.IndexFunc(after, func(now got) bool { return now.isOn(&g.Output) })
		d := Difference{Box: g.Box, Hand: g.Hand, Bettor: g.Bettor, Wager: g.Wager, Was: g.sum, Open: at < 0, Unknown: g.unknown}
		if at >= 0 {
			now := &after[at]
			d.Now, d.Unknown = now.sum, d.Unknown || now.unknown
			if d.Unknown && now.Outcome == g.Outcome && now.Odds == g.Odds && now.Times == g.Times || !d.Unknown && d.Was == d.Now {
				continue
			}
		}
		t.tellDifference(d)
		t.noteDifference(d)
	}
}

func (t *Table) tellDifference(d Difference) {
	out := t.emit(vocab.Difference)
	out.Box, out.Hand, out.Bettor, out.Wager, out.Unstated = d.Box, d.Hand, d.Bettor, d.Wager, d.Unknown
	out.Trouble = &vocab.Trouble{Before: d.Was, After: d.Now, HadBefore: !d.Unknown, HasAfter: !d.Open && !d.Unknown}
}

// noteDifference adds a difference to those of earlier corrections: what was paid first is
// what lies there.
func (t *Table) noteDifference(d Difference) {
	at := slices.IndexFunc(t.differences, func(one Difference) bool {
		return one.Box == d.Box && one.Hand == d.Hand && one.Bettor == d.Bettor && one.Wager == d.Wager
	})
	if at < 0 {
		t.differences = append(t.differences, d)
		return
	}
	one := &t.differences[at]
	one.Now, one.Open, one.Unknown = d.Now, d.Open, one.Unknown || d.Unknown
	if one.Was == one.Now && !one.Open && !one.Unknown {
		t.differences = slices.Delete(t.differences, at, at+1)
	}
}

// putRight forgets the differences of a box that is paid, 0 for all.
func (t *Table) putRight(number int) {
	t.differences = slices.DeleteFunc(t.differences, func(d Difference) bool { return number == 0 || int(d.Box) == number })
}
