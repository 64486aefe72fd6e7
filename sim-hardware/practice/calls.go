package practice

import (
	"github.com/sabot-table/sabot/table/hand"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

// What the calls' exercises are about.
const (
	callsTwo   = "calls/two-cards"
	callsMore  = "calls/more-cards"
	callsPair  = "calls/pair"
	callsSplit = "calls/split-hand"
)

// askCalls asks which calls are allowed, whenever a hand calls. In Black James they are always the same.
func askCalls(house *profile.House, _ ID) func(moment) []Exercise {
	return func(m moment) []Exercise {
		if m.table.Due().To != vocab.ToCall || house.Game == rules.BlackJames {
			return nil
		}
		v := m.view()
		e := Exercise{Shows: v, Box: v.Due.Box, Hand: v.Due.Hand, Rules: append(rulesAt(house,
			"double.allowed", "double.on", "double.hard_only", "double.after_split", "split.max", "split.aces_again",
			"surrender"), written(house, callKeys)...)}
		for _, c := range v.Due.Allowed {
			e.Right.Calls = e.Right.Calls.With(c)
		}
		box := v.Boxes[e.Box-1]
		cards := box.Hands[e.Hand-1].Cards
		switch {
		case len(box.Hands) > 1:
			e.About = callsSplit
		case len(cards) > 2:
			e.About = callsMore
		case hand.Pair(cards[0], cards[1]):
			e.About = callsPair
		default:
			e.About = callsTwo
		}
		return []Exercise{e}
	}
}

// callKeys are the keys that decide which calls are allowed in a house that writes them.
var callKeys = []string{
	"double.most_cards", "double.for_less", "double.again", "split.by", "split.never", "split.aces_drawn",
	"play.draw_below", "play.rest_from", "surrender_only.not_against_ace", "surrender_only.hard_from",
	"surrender_only.after_split",
}

// Callable are the calls among which a trainee chooses.
func Callable() []vocab.Call {
	return []vocab.Call{vocab.CallCard, vocab.CallRest, vocab.CallDouble, vocab.CallSplit, vocab.CallSurrender}
}
