package panel

import (
	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

// Sensed is the bettor whose stake a box's sensor has seen. There may be more bettors on
// the box: the screen knows them by name.
const Sensed = "1"

// Boxes marks boxes as played while bets are open, when their sensors see chips. The sensors
// know no amounts. What was entered on the screen for a box remains: a sensor only marks a
// box that nobody plays, and takes back only such a mark.
type Boxes struct {
	covered [rules.MaxBoxes]bool
	// heard is what each sensor has last reported in this round.
	heard [rules.MaxBoxes]bool
	round uint64
}

// Cover records whether a box's sensor sees chips. Boxes count from 1.
func (b *Boxes) Cover(box int, covered bool) { b.covered[box-1] = covered }

// Next returns a stake that the sensors have to report to a table with this view, false if
// there is none. Each change of a sensor is reported once, whatever its result.
func (b *Boxes) Next(v display.View) (vocab.Input, bool) {
	if v.Phase != vocab.Bets || v.Held != nil {
		return vocab.Input{}, false
	}
	if v.Round != b.round {
		b.round, b.heard = v.Round, [rules.MaxBoxes]bool{}
	}
	for i, covered := range b.covered {
		if covered == b.heard[i] {
			continue
		}
		b.heard[i] = covered
		if news(v, i, covered) {
			return mark(i+1, covered), true
		}
	}
	return vocab.Input{}, false
}

// news reports whether what a sensor sees differs from what the table knows of its box.
func news(v display.View, i int, covered bool) bool {
	switch {
	case i >= len(v.Boxes):
		return covered
	case covered:
		return len(v.Boxes[i].Bettors) == 0
	}
	return onlyMarked(v.Boxes[i])
}

// onlyMarked reports whether a sensor's mark is all that the table knows of a box.
func onlyMarked(b display.Box) bool {
	return len(b.Bettors) == 1 && b.Bettors[0].Name == Sensed && b.Bettors[0].Stake == display.Unstated &&
		len(b.Sides) == 0
}

// mark is a stake without an amount, or 0 to take it back.
func mark(box int, covered bool) vocab.Input {
	return vocab.Input{Kind: vocab.InStake, Box: box, Bettor: Sensed, Wager: vocab.WagerMain, Stated: !covered}
}
