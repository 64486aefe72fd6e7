package scenario

import (
	"math/rand/v2"
	"time"
)

// RandomKeys returns what chance does next at keys of these names: mostly a press, now and then a fault, and what
// repairs it.
func RandomKeys(chance *rand.Rand, keys []string) []Step {
	key := keys[chance.IntN(len(keys))]
	if chance.IntN(4) > 0 {
		return []Step{{Verb: "press", Key: key, For: millis(chance, 30, 250)}, pause(chance)}
	}
	steps := keyMishaps[chance.IntN(len(keyMishaps))](chance, key)
	if chance.IntN(len(keyMishaps)) == 0 {
		other := keys[chance.IntN(len(keys))]
		steps = append([]Step{{Verb: "press", Key: other}}, steps...) // at the same moment
	}
	return append(steps, pause(chance))
}

var keyMishaps = []func(chance *rand.Rand, key string) []Step{
	func(chance *rand.Rand, key string) []Step {
		return []Step{
			{Verb: "stick", Key: key},
			{Verb: "press", Key: key},
			{Verb: "wait", For: millis(chance, 100, 15_000)},
			{Verb: "free", Key: key},
		}
	},
	func(chance *rand.Rand, key string) []Step {
		return []Step{
			{Verb: "hold", Key: key},
			{Verb: "wait", For: millis(chance, 100, 3000)},
			{Verb: "release", Key: key},
		}
	},
	func(_ *rand.Rand, key string) []Step { return []Step{{Verb: "spark", Key: key}} },
	func(chance *rand.Rand, key string) []Step {
		return []Step{{Verb: "chatter", Key: key, For: millis(chance, 20, 2000)}}
	},
	func(chance *rand.Rand, key string) []Step {
		return []Step{{Verb: "bounce", For: millis(chance, 1, 18)}, {Verb: "press", Key: key}}
	},
}

// millis returns a random time between two numbers of milliseconds.
func millis(chance *rand.Rand, least, most int) time.Duration {
	return time.Duration(least+chance.IntN(most-least+1)) * time.Millisecond
}
