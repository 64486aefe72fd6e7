package touch

import (
	"slices"
	"strings"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/table/vocab"
)

// OpensLess is for how much a hand is doubled, where that may be less than the stake.
const OpensLess = "less"

// Less is who doubles together: Whole doubles each stake as a whole, and Other completes an amount.
type Less struct {
	Whole Key
	Names string
	Lies  int64
	Other vocab.Input
}

// ForLess are those who may double the hand that is due for less, all first; none where nobody may, or where a stake is
// not known.
func ForLess(v display.View) (all []Less) {
	if !doublesForLess(v) {
		return nil
	}
	a := answers{call: vocab.CallDouble, keys: make([]Key, 0, 8), puts: make([]vocab.Input, 0, 8)}
	if bettors := onDueHand(v); len(bettors) == 1 {
		a.add(bettors)
	} else {
		a.joining(bettors)
	}
	for _, k := range a.keys {
		var names []string
		for _, one := range k.For {
			names = append(names, one.Name)
		}
		whole := k
		whole.Name, whole.Shortcut = "whole-"+k.Name, ""
		whole.Label = display.Message{Key: "call.double"}
		all = append(all, Less{Whole: whole, Names: strings.Join(names, " + "), Lies: k.For[0].Amount, Other: k.Put[0]})
	}
	return all
}

// doublesForLess says whether the house lets the hand that is due be doubled for less than the stake.
func doublesForLess(v display.View) bool {
	lines := display.LinesOnDueHand(v)
	if v.Rules == nil || v.Rules.ForLess() == 0 || len(lines) == 0 ||
		!slices.Contains(v.Due.Allowed, vocab.CallDouble) {
		return false
	}
	for i := range lines {
		if lines[i].Amount == display.Unstated || lines[i].Times > 1 {
			return false
		}
	}
	return lines[0].Amount > v.Rules.ForLess()
}

// less is the key behind which an amount says for how much a hand is doubled.
func less(v display.View) []Key {
	if !doublesForLess(v) {
		return nil
	}
	return []Key{{
		Name: "less", Label: display.Message{Key: "key.less"}, Kind: Call, Opens: OpensLess, Shortcut: "b",
		On: []int{v.Due.Box},
	}}
}
