package table

import (
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/vocab"
)

// pressed is the last decision that was called.
type pressed struct {
	call vocab.Call
	time int64
}

// handCalls are the decisions for a hand, of which two can contradict each other.
const handCalls = vocab.Calls(1<<vocab.CallCard | 1<<vocab.CallRest | 1<<vocab.CallDouble | 1<<vocab.CallSplit |
	1<<vocab.CallSurrender | 1<<vocab.CallHigher | 1<<vocab.CallLower)

// contradicts says whether a call comes so soon after another one that the dealer
// cannot have meant both: it is a different one, no card has followed the first,
// and less time has passed than two calls take.
func (t *Table) contradicts(in *vocab.Input) bool {
	first := t.pressed
	if first.call == 0 || first.call == in.Call || !handCalls.Has(in.Call) || in.Time == 0 || t.stands() {
		return false
	}
	apart := in.Time - first.time
	if apart < 0 || apart >= int64(t.rules.Play.KeysApart)*1e6 {
		return false
	}
	return t.pressStands()
}

// pressStands says whether the last decision that was called can still be contradicted.
func (t *Table) pressStands() bool {
	at := t.history.lastPress()
	return at >= 0 && t.history.inputs[at].call == t.pressed.call && t.pressed.call != 0
}

// contradiction takes the first of two contradictory calls back, and not the
// second: the dealer presses again. It does not hold the round.
func (t *Table) contradiction(second vocab.Call) {
	was, at := t.nextDue(), t.history.lastPress()
	first := t.takeBack(at)
	out := t.emit(vocab.Irregular)
	out.Code, out.Trouble = irregularity.ContradictoryKeys, &vocab.Trouble{}
	out.Allowed = vocab.Calls(0).With(first.Call).With(second)
	t.alerts.passed(irregularity.ContradictoryKeys, t.now, t.kept.Round)
	t.tellUndone(&first, was)
	t.pressed = pressed{}
}

// remember keeps a decision that was taken, to know what contradicts it.
func (p *pressed) remember(in *vocab.Input) {
	*p = pressed{}
	if handCalls.Has(in.Call) {
		*p = pressed{call: in.Call, time: in.Time}
	}
}
