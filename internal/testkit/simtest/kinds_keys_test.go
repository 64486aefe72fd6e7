package simtest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"
)

// The faults that only a table with a panel has.
const (
	keysAway = "keys-away"
	chatter  = "chatter"
)

// applies says whether a storm can have the fault.
func (k kind) applies(s *Script) bool { return s.Panel || k.name != keysAway && k.name != chatter }

// away draws which lines vanish, and for how long; and which key is held as they do, and since when.
func away(dice *rand.Rand) Args {
	a := Args{"keys=" + pick(dice, "all", "all", "calls", SupervisorKey), "after=" +
		pick(dice, "5ms", "100ms", "300ms", "1s"), span(dice)}
	if dice.IntN(3) > 0 {
		a = append(a, "held="+pick(dice, LongKey, SupervisorKey, pick(dice, Keys...)))
	}
	return a
}

func chatters(dice *rand.Rand) Args {
	return Args{"key=" + pick(dice, Keys...), "for=" + pick(dice, "1ms", "15ms", "100ms", "3s")}
}

// lines are the contacts that a name stands for.
func lines(name string) (list []int) {
	for key, is := range Keys {
		if name == "all" || name == is || name == "calls" && key < 4 {
			list = append(list, key)
		}
	}
	return list
}

// keysAway takes lines of the panel away, while a key may be held, and brings them back. One that is held then is
// released later. Only one loss happens at a time: lines that are away are not lost again.
func (w *World) keysAway(a Args) {
	p := w.panel
	if p == nil || !p.loses() {
		return
	}
	held, after := slices.Index(Keys, a.get("held")), a.time("after")
	lost := lines(a.get("keys"))
	if held >= 0 {
		if !slices.Contains(lost, held) {
			lost = append(lost, held)
		}
		p.hold(held, true)
		p.stray(held, after)
	}
	go func() {
		pause(context.Background(), after)
		if !w.isCalm() {
			p.away(lost)
		}
		pause(context.Background(), a.time("for"))
		p.back()
		pause(context.Background(), settles/2)
		if held >= 0 {
			p.hold(held, false)
		}
		p.lossOver()
	}()
}

// stray takes note of what a key may put in that is held for so long, and then lost: nothing before it has settled, and
// its long press only once it is long enough.
func (p *panel) stray(key int, after time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	if after >= 100*time.Millisecond {
		p.presses = append(p.presses, touch{
			key: key, does: does[Keys[key]],
			stretch: stretch{now, now.Add(max(0, -p.bank.Rest()))},
		})
	}
	if after >= time.Second && Keys[key] == LongKey {
		p.presses = append(p.presses, touch{key: key, does: does[LongDoes], stretch: stretch{now, now.Add(after)}})
	}
}

// chatter makes a contact chatter. Nothing of that is a press.
func (w *World) chatter(a Args) {
	p := w.panel
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, key := range lines(a.get("key")) {
		from := time.Now()
		if c := p.chatter[key]; from.Before(c.to.Add(apart)) {
			from = c.from
		}
		p.bank.Chatter(key, a.time("for"))
		p.chatter[key] = stretch{from, time.Now().Add(max(0, -p.bank.Rest()))}
	}
}

// withoutKeys are starts of the table while keys are away, or held.
func withoutKeys(dice *rand.Rand, rounds int) []Fault {
	at := 1 + dice.IntN(rounds*perRound[Card])
	return []Fault{
		{Card, at, keysAway, Args{"keys=all", "after=100ms", "for=8s", fmt.Sprint("held=", pick(dice, Keys...))}},
		{Card, at + 1, "kill", kill(dice)},
	}
}
