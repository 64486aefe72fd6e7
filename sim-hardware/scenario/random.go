package scenario

import (
	"math/rand/v2"
	"slices"
	"time"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/sim-hardware/shoesim"
)

// Random returns what chance does next at a shoe: mostly a card, now and then a fault, and what repairs it.
func Random(chance *rand.Rand) []Step {
	if chance.IntN(4) > 0 {
		return []Step{{Verb: "draw"}, pause(chance)}
	}
	steps := mishaps[chance.IntN(len(mishaps))](chance)
	return append(steps, pause(chance))
}

// pause is a moment, as between two movements of the hand.
func pause(chance *rand.Rand) Step {
	return Step{Verb: "wait", For: time.Duration(1+chance.IntN(800)) * time.Millisecond}
}

var mishaps = []func(*rand.Rand) []Step{
	func(*rand.Rand) []Step { return []Step{{Verb: "unread"}} },
	func(*rand.Rand) []Step { return []Step{{Verb: "overdraw"}, {Verb: "clear", Trouble: shoesim.Overdraw}} },
	func(chance *rand.Rand) []Step {
		cards := slices.Collect(card.All)
		return []Step{{Verb: "foreign", Card: cards[chance.IntN(len(cards))]}}
	},
	func(chance *rand.Rand) []Step {
		return []Step{{Verb: "reverse-pull"}, pause(chance), {Verb: "clear", Trouble: shoesim.ReversePull}}
	},
	func(chance *rand.Rand) []Step { return []Step{{Verb: "pull"}, pause(chance), {Verb: "plug"}} },
	func(chance *rand.Rand) []Step {
		return []Step{{Verb: "pull", Count: 1 + chance.IntN(20)}, {Verb: "draw"}, pause(chance), {Verb: "plug"}}
	},
	func(chance *rand.Rand) []Step { return []Step{{Verb: "garbage", Count: 1 + chance.IntN(60)}} },
	func(chance *rand.Rand) []Step {
		return []Step{{Verb: "hang", For: time.Duration(1+chance.IntN(3000)) * time.Millisecond}, {Verb: "draw"}}
	},
	func(chance *rand.Rand) []Step {
		every := time.Duration(1+chance.IntN(20)) * time.Millisecond
		return []Step{{Verb: "drip", For: every}, {Verb: "draw"}, pause(chance), {Verb: "drip"}}
	},
	func(chance *rand.Rand) []Step {
		return []Step{{Verb: "speed", Speeds: [2]int{9600, 4800}}, {Verb: "draw"}, pause(chance), {Verb: "speed"}}
	},
	func(chance *rand.Rand) []Step {
		bad := shoesim.FaultRates{Bits: 0.01, Lost: 0.1, Repeated: 0.1, Cut: 0.1, Run: 0.1, Burst: 0.1}
		return []Step{
			{Verb: "line", Rates: bad},
			{Verb: "draw", Count: 3, Every: 100 * time.Millisecond},
			{Verb: "line"},
		}
	},
	func(*rand.Rand) []Step { return []Step{{Verb: "cut-card"}} },
}
