package dealt

import (
	"slices"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/hand"
	"github.com/sabot-table/sabot/table/vocab"
)

// Strategy is how a guest plays a hand who looks at nothing else: one of the calls that are allowed.
type Strategy func(h table.Hand, up card.Card, allowed vocab.Calls) vocab.Call

// Play is how the guests of a Dealer play who play so.
func (s Strategy) Play(h *Hand) vocab.Call { return s(h.Hand, h.Up, h.Allowed) }

// Basic is the textbook's way to play against a bank that takes its second card last and stands on 17. It never
// insures and never takes even money.
func Basic(h table.Hand, up card.Card, allowed vocab.Calls) vocab.Call {
	if allowed.Has(vocab.CallHigher) || allowed.Has(vocab.CallLower) {
		return forecasts.best(up.Rank().Height(), h.Total, h.Cards[len(h.Cards)-1].Rank().Height()).call
	}
	against := points(up)
	switch {
	case allowed.Has(vocab.CallSplit) && splits(points(h.Cards[0]), against):
		return vocab.CallSplit
	case allowed.Has(vocab.CallSurrender) && givesUp(h, against):
		return vocab.CallSurrender
	case allowed.Has(vocab.CallDouble) && doubles(h, against):
		return vocab.CallDouble
	case allowed.Has(vocab.CallCard) && (draws(h, against) || !allowed.Has(vocab.CallRest)):
		return vocab.CallCard
	}
	return vocab.CallRest
}

// Weak plays as the bank does: a card up to 16, rest from 17, nothing else. In Black James it forecasts as the bank
// does, and rests with three points.
func Weak(h table.Hand, _ card.Card, allowed vocab.Calls) vocab.Call {
	last := h.Cards[len(h.Cards)-1].Rank().Height()
	switch {
	case allowed.Has(vocab.CallHigher) && last <= 8 && h.Total < 3:
		return vocab.CallHigher
	case allowed.Has(vocab.CallLower) && last > 8 && h.Total < 3:
		return vocab.CallLower
	case allowed.Has(vocab.CallCard) && (h.Total < 17 || !allowed.Has(vocab.CallRest)):
		return vocab.CallCard
	}
	return vocab.CallRest
}

// points are a card's, an ace's eleven.
func points(c card.Card) int {
	if c.Rank() == card.Ace {
		return 11
	}
	return hand.Points(c.Rank())
}

func splits(pair, against int) bool {
	switch pair {
	case 11:
		return against <= 10
	case 8:
		return against <= 9
	case 2, 3, 7:
		return against <= 7
	case 6:
		return against <= 6
	case 4:
		return against == 5 || against == 6
	case 9:
		return !slices.Contains([]int{7, 10, 11}, against)
	}
	return false
}

func givesUp(h table.Hand, against int) bool {
	switch {
	case h.Soft:
		return false
	case against == 11:
		return h.Total >= 5 && h.Total <= 7 || h.Total >= 12 && h.Total <= 17
	case against == 10:
		return h.Total >= 14 && h.Total <= 16
	}
	return against == 9 && h.Total == 16
}

// doubles leaves a ten and an ace of the bank alone: its Black Jack takes both stakes.
func doubles(h table.Hand, against int) bool {
	least := 12 // the lowest card of the bank against which it doubles, up to 6 or 9
	switch {
	case h.Soft && (h.Total == 13 || h.Total == 14):
		least = 5
	case h.Soft && (h.Total == 15 || h.Total == 16):
		least = 4
	case h.Soft && (h.Total == 17 || h.Total == 18), !h.Soft && h.Total == 9:
		least = 3
	case !h.Soft && (h.Total == 10 || h.Total == 11):
		return against <= 9
	}
	return against >= least && against <= 6
}

func draws(h table.Hand, against int) bool {
	switch {
	case h.Soft:
		return h.Total <= 17 || h.Total == 18 && (against == 9 || against == 10)
	case h.Total <= 11:
		return true
	case h.Total == 12:
		return against < 4 || against > 6
	}
	return h.Total <= 16 && against >= 7
}
