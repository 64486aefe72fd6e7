package simtest

import (
	"fmt"
	"math/rand/v2"
)

func (w *World) brokerGone(a Args) {
	b := w.broker
	b.change(a.time("for"), func() { b.gone = true; b.hangUp() }, func() { b.gone = false })
}

func (w *World) brokerHangsUp(Args) {
	b := w.broker
	b.change(0, b.hangUp, func() {})
}

func (w *World) brokerMute(a Args) {
	b := w.broker
	b.change(a.time("for"), func() { b.mute = true }, func() {
		if b.mute {
			b.mute = false
			b.hangUp() // what it was not told meanwhile comes again with the next connection
		}
	})
}

// brokerForgets restarts the broker without its memory.
func (w *World) brokerForgets(a Args) {
	b := w.broker
	b.change(a.time("for"), func() {
		b.gone, b.loses = true, b.loses+a.number("events")
		clear(b.retained)
		b.hangUp()
	}, func() { b.gone = false })
}

// forget is for how long the broker is away, and how many events it has acknowledged and lost.
func forget(dice *rand.Rand) Args { return append(cable(dice), fmt.Sprint("events=", dice.IntN(60))) }

func deny(dice *rand.Rand) Args {
	a := Args{"topic=" + pick(dice, "/alert/", "/health", "/state", "/status", "/event"), span(dice)}
	if dice.IntN(2) == 0 {
		a = append(a, "hangs-up")
	}
	if dice.IntN(2) == 0 && a.get("topic") != "/event" {
		a = append(a, "forever")
	}
	return a
}

func (w *World) brokerDenies(a Args) {
	b := w.broker
	b.change(a.time("for"), func() {
		b.deny, b.hangsUp, b.forever = a.get("topic"), a.has("hangs-up"), a.has("forever")
	}, func() {
		if !b.forever {
			b.deny = ""
		}
	})
}
