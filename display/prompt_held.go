package display

import (
	"slices"

	"github.com/sabot-table/sabot/table/irregularity"
)

// wayOut says who may do what about an irregularity.
func wayOut(h Held) Message {
	mine, theirs := byRole(h)
	switch {
	case len(mine) > 0 && len(theirs) > 0:
		return say("held.both", keys("dealer", LabelChoice, mine...), keys("supervisor", LabelChoice, theirs...))
	case len(mine) > 0:
		return say("held.dealer", keys("dealer", LabelChoice, mine...))
	case len(theirs) > 0:
		return say("held.supervisor", keys("supervisor", LabelChoice, theirs...))
	}
	if wait := "held.wait." + h.Code.String(); known(wait) {
		return say(wait)
	}
	return say("held.call")
}

func byRole(h Held) (mine, theirs []irregularity.Choice) {
	for _, c := range h.Choices {
		if slices.Contains(h.Dealer, c) {
			mine = append(mine, c)
		} else {
			theirs = append(theirs, c)
		}
	}
	return mine, theirs
}
