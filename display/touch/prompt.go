package touch

import (
	"slices"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/table/vocab"
)

// Prompt is display.Prompt for a screen that is touched: as long as nothing lies where a touch
// of a box would put it, it says to touch one.
func Prompt(v display.View) display.Step {
	s := display.Prompt(v)
	empty := func(lies func(display.Box) bool) bool { return !slices.ContainsFunc(v.Boxes, lies) }
	switch {
	case v.Held != nil || v.Bets == nil || !v.Shoe.Online || v.Shoe.Alarm != "":
	case v.Phase == vocab.Bets && empty(played):
		s.Detail = display.Message{Key: "touch.bets"}
	case s.Detail.Key == "detail.insurance" && empty(insured):
		s.Detail = display.Message{Key: "touch.insurance"}
	case s.Detail.Key == "detail.insurance-half" && empty(insured):
		s.Detail = display.Message{Key: "touch.insurance-half"}
	case s.Detail.Key == "detail.insurance-none" && empty(insured):
		s.Detail = display.Message{Key: "touch.even-money"}
	}
	return s
}

func played(b display.Box) bool { return len(b.Bettors) > 0 }

func insured(b display.Box) bool {
	return slices.ContainsFunc(b.Bettors, func(one display.Bettor) bool { return one.Insurance != 0 || one.EvenMoney })
}
