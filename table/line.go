package table

import (
	"errors"
	"slices"
	"strconv"

	"github.com/sabot-table/sabot/table/money"
	"github.com/sabot-table/sabot/table/plaintext"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

// This file is the chip of which half cannot be paid. A house that carries it over lays a whole one on the line of the
// box, and the bettor gets it if he wins there in the next round.

// OnLine is a bettor for whom a chip of one payable unit lies on the line of a box. Half of it is his.
type OnLine struct {
	Box    uint8  `json:"box"`
	Bettor string `json:"bettor"`
}

// String writes it as in a position: the box and the bettor.
func (l OnLine) String() string { return strconv.Itoa(int(l.Box)) + ":" + l.Bettor }

// ReadOnLine reads what String writes.
func ReadOnLine(text string) (OnLine, error) {
	box, bettor, found := plaintext.Cut(text, ':')
	n, err := strconv.ParseUint(box, 10, 8)
	if !found || err != nil || n < 1 || n > rules.MaxBoxes || bettor == "" {
		return OnLine{}, errors.New(strconv.Quote(text) +
			" is no chip on a line: write it as 1:a, the box and the bettor")
	}
	return OnLine{uint8(n), bettor}, nil
}

// OnLines are the chips that lie on the lines since the last round. The list belongs to the engine.
func (t *Table) OnLines() []OnLine { return t.kept.Lines }

// leavesHalf says whether half a unit is left of what a main wager is paid, or gets back.
func (t *Table) leavesHalf(out *vocab.Output, part money.Ratio) bool {
	limits := &t.rules.Table
	return limits.Rounding == money.Carried && out.Wager == vocab.WagerMain &&
		money.HalfLeft(out.Stake, part, limits.Unit)
}

// decidesLine says whether the chip on the line goes with a wager that is decided: with its bettor's on the first hand.
// What goes back decides nothing.
func (t *Table) decidesLine(out *vocab.Output) bool {
	return len(t.kept.Lines) > 0 && out.Wager == vocab.WagerMain && out.Hand == 1 && out.Outcome != vocab.Void &&
		slices.Contains(t.kept.Lines, OnLine{out.Box, out.Bettor})
}

// OnLine is how many chips lie on the line for the bettor of a wager: of a box that was split more than one hand may
// have left half of one.
func (t *Table) OnLine(out *vocab.Output) (n int64) {
	for _, l := range t.kept.Lines {
		if l == (OnLine{out.Box, out.Bettor}) {
			n++
		}
	}
	return n
}

// layLines leaves on the lines what plays in the next round. What lay there stays if the round was void, or its wager
// is.
func (t *Table) layLines() {
	t.kept.Lines = slices.DeleteFunc(t.kept.Lines, func(l OnLine) bool { return !t.staysOnLine(l) })
	for i := range t.decided {
		if one := &t.decided[i]; one.Carried {
			t.kept.Lines = append(t.kept.Lines, OnLine{one.Box, one.Bettor})
		}
	}
}

func (t *Table) staysOnLine(l OnLine) bool {
	void := len(t.decided) == 0 // nobody had staked yet
	for i := range t.decided {
		switch one := &t.decided[i]; {
		case one.OnLine && one.Box == l.Box && one.Bettor == l.Bettor:
			return false
		case one.Outcome == vocab.Void && (one.Why == vocab.WhyVoidRound || isOnLine(one, l)):
			void = true
		}
	}
	return void
}

// isOnLine says whether a chip on the line would go with a wager.
func isOnLine(one *vocab.Output, l OnLine) bool {
	return one.Wager == vocab.WagerMain && one.Hand == 1 && one.Box == l.Box && one.Bettor == l.Bettor
}
