package simtest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/sabot-table/sabot/internal/testkit/disktest"
	"github.com/sabot-table/sabot/sim-hardware/shoesim"
)

// kind is a kind of fault.
type kind struct {
	name string
	// on are the clocks that it may be tied to.
	on []Clock
	// often is how likely it is, compared with the others.
	often int
	// args draws its details.
	args func(*rand.Rand) Args
	// happen lets it happen. It must not wait.
	happen func(*World, Args)
}

// at says whether it happens at a make of shoe.
func (k *kind) at(make string) bool {
	only, is := makeOf[k.name]
	return !is || only == shoesim.Kind(make)
}

// makeOf is the one make of shoe at which a kind of fault happens.
var makeOf = map[string]shoesim.Kind{oddReport: shoesim.AngelEye, control: shoesim.BeeTek}

// kinds are all kinds of faults.
var kinds []kind

func init() {
	kinds = []kind{
		{"noise", []Clock{Card}, 4, noise, (*World).noise},
		{"deaf", []Clock{Card}, 2, cable, (*World).deaf},
		{"unplug", []Clock{Card, Send}, 4, cable, func(w *World, a Args) { w.rack.unplug(a.time("for")) }},
		{"pull", []Clock{Card}, 4, pull, func(w *World, a Args) { w.rack.pullAfter(a.number("after"), a.time("for")) }},
		{"swap", []Clock{Card}, 3, swap, func(w *World, a Args) { w.rack.swap(a.number("to"), a.time("for")) }},
		{"reboot", []Clock{Card}, 3, none, func(w *World, _ Args) { _ = w.rack.shoe().Reboot() }},
		{"kill", []Clock{Card, Write, Write, Write, Send, Send, Message}, 8, kill, (*World).kill},
		{"power-cut", []Clock{Card, Write, Write}, 4, powerCut, (*World).kill},
		{"disk-fail", []Clock{Write}, 4, diskFail, (*World).diskFail},
		{"disk-full", []Clock{Card, Write}, 2, diskFull, (*World).diskFull},
		{"disk-readonly", []Clock{Write}, 1, cable, (*World).diskReadOnly},
		{"disk-slow", []Clock{Write}, 3, cable, (*World).diskSlow},
		{"broker-gone", []Clock{Card, Message}, 2, cable, (*World).brokerGone},
		{"broker-hangs-up", []Clock{Card, Message}, 2, none, (*World).brokerHangsUp},
		{"broker-mute", []Clock{Card, Message}, 2, cable, (*World).brokerMute},
		{"broker-denies", []Clock{Card}, 2, deny, (*World).brokerDenies},
		{"broker-forgets", []Clock{Card, Message}, 2, forget, (*World).brokerForgets},
		{"clock-step", []Clock{Card, Write}, 2, step, func(w *World, a Args) { w.step(a.time("by")) }},
		{"press", []Clock{Card, Send}, 6, press, (*World).pressWrong},
		{mishap, []Clock{Card}, 8, drawMishap, (*World).stopRound},
		{wrongPay, []Clock{Card}, 3, none, func(w *World, _ Args) { w.wrong(wrongPay) }},
		{takenBack, []Clock{Card}, 3, none, func(w *World, _ Args) { w.wrong(takenBack) }},
		{tray, []Clock{Card}, 5, drawErrand, (*World).toTray},
		{"configure", []Clock{Card}, 1, limits, func(w *World, a Args) { w.configure(int64(a.number("box-max"))) }},
		{keysAway, []Clock{Card, Send}, 4, away, (*World).keysAway},
		{chatter, []Clock{Card, Send}, 2, chatters, (*World).chatter},
		{"foreign-shoe", []Clock{Card}, 1, cable, func(w *World, a Args) { w.rack.mistake(a.time("for")) }},
		{unread, []Clock{Card}, 2, none, func(w *World, _ Args) { w.wrong(unread) }},
		{overdraw, []Clock{Card}, 3, none, func(w *World, _ Args) { w.wrong(overdraw) }},
		{oddReport, []Clock{Card}, 2, none, (*World).sendOddReport},
		{control, []Clock{Card}, 2, characters, (*World).sendControl},
		{visit, []Clock{Card, Write}, 0, none, (*World).insider}, // WithInsider draws it
	}
}

// What a shoe may say that holds no card: an intact report of an unexpected length, and control characters.
const (
	oddReport = "odd-report"
	control   = "control"
)

// What the hand may do at its next movement: draw a card that the sensor does not read, and draw two instead of one.
const (
	unread   = "unread"
	overdraw = "overdraw"
)

func kindNamed(name string) *kind {
	for i := range kinds {
		if kinds[i].name == name {
			return &kinds[i]
		}
	}
	return nil
}

// Kinds are the names of all kinds of faults.
func Kinds() (names []string) {
	for _, k := range kinds {
		names = append(names, k.name)
	}
	return names
}

// perRound is about how often each clock ticks in a round.
var perRound = map[Clock]int{Card: 15, Write: 76, Send: 35, Message: 100}

// plan draws the faults of a storm.
func plan(dice *rand.Rand, s *Script) []Fault {
	total := 0
	possible := slices.DeleteFunc(slices.Clone(kinds), func(k kind) bool { return !k.at(s.Make) || !k.applies(s) })
	for _, k := range possible {
		total += k.often
	}
	var list []Fault
	m := moments(dice, s.Rounds)
	for range 5 + dice.IntN(20) {
		n := dice.IntN(total)
		for _, k := range possible {
			if n -= k.often; n >= 0 {
				continue
			}
			clock := k.on[dice.IntN(len(k.on))]
			list = append(list, Fault{clock, m.draw(dice, clock), k.name, k.args(dice)})
			break
		}
	}
	if dice.IntN(3) == 0 {
		list = append(list, turns(dice, s.Rounds)...)
	}
	if dice.IntN(4) == 0 {
		list = append(list, restarts(dice, s.Rounds)...)
	}
	if s.Panel && dice.IntN(3) == 0 {
		list = append(list, withoutKeys(dice, s.Rounds)...)
	}
	return list
}

// turns are shoes that take turns, with events that are stored and not acknowledged, and starts in between.
func turns(dice *rand.Rand, rounds int) (list []Fault) {
	at := 1 + dice.IntN(rounds*perRound[Card])
	next := dice.IntN(2) == 0 // each in its turn
	for i := range 3 + dice.IntN(4) {
		if dice.IntN(2) == 0 {
			list = append(list, Fault{Card, at, "deaf", cable(dice)})
			at += 1 + dice.IntN(3)
		}
		to := swap(dice)
		if next {
			to[0] = fmt.Sprint("to=", (i+1)%shoes)
		}
		list = append(list, Fault{Card, at, "swap", to})
		at += 1 + dice.IntN(4)
		if dice.IntN(2) == 0 {
			list = append(list, Fault{Card, at, "kill", kill(dice)})
			at += 1 + dice.IntN(4)
		}
	}
	return list
}

// restarts are those of a shoe on a line that loses much of what it still has to say.
func restarts(dice *rand.Rand, rounds int) []Fault {
	at := 1 + dice.IntN(rounds*perRound[Card])
	list := []Fault{{Card, at, "noise", Args{"cards=20", "lost=0.3", "cut=0.3", "repeated=0.05"}}}
	for range 1 + dice.IntN(4) {
		at += 1 + dice.IntN(5)
		list = append(list, Fault{Card, at, "reboot", nil})
	}
	return list
}

// bad are the moments of a storm at which several things go wrong at once, in rounds.
type bad struct {
	rounds int
	at     []float64
}

func moments(dice *rand.Rand, rounds int) bad {
	m := bad{rounds: rounds}
	for range 1 + dice.IntN(4) {
		m.at = append(m.at, dice.Float64()*float64(rounds))
	}
	return m
}

// draw draws a count of a clock: mostly one close to a bad moment.
func (m bad) draw(dice *rand.Rand, c Clock) int {
	round := dice.Float64() * float64(m.rounds)
	if dice.IntN(4) > 0 {
		round = m.at[dice.IntN(len(m.at))] + dice.NormFloat64()*0.5
	}
	return 1 + max(0, int(round*float64(perRound[c])))
}

func none(*rand.Rand) Args { return nil }

func pick[T any](dice *rand.Rand, list ...T) T { return list[dice.IntN(len(list))] }

func span(dice *rand.Rand) string {
	return fmt.Sprint("for=", pick(dice, time.Millisecond, 100*time.Millisecond, time.Second, 3*time.Second,
		8*time.Second, 30*time.Second))
}

func cable(dice *rand.Rand) Args { return Args{span(dice)} }

func pull(dice *rand.Rand) Args { return Args{fmt.Sprint("after=", dice.IntN(60)), span(dice)} }

func swap(dice *rand.Rand) Args { return Args{fmt.Sprint("to=", dice.IntN(shoes)), span(dice)} }

func kill(dice *rand.Rand) Args {
	a := Args{"part=" + pick(dice, "nothing", "half", "whole")}
	if dice.IntN(2) == 0 {
		a = append(a, "kept") // the port has kept what nobody read, as a converter or a terminal does
	}
	return a
}

func powerCut(dice *rand.Rand) Args {
	return append(kill(dice), fmt.Sprint("dice=", 1+dice.IntN(1e6)))
}

func noise(dice *rand.Rand) Args {
	a := Args{fmt.Sprint("cards=", 1+dice.IntN(60))}
	for _, name := range []string{"lost", "repeated", "cut", "run", "burst"} {
		if dice.IntN(2) == 0 {
			a = append(a, fmt.Sprint(name, "=", pick(dice, 0.01, 0.05, 0.3)))
		}
	}
	if dice.IntN(2) == 0 {
		a = append(a, fmt.Sprint("bits=", pick(dice, 1e-5, 1e-4, 1e-3)))
	}
	return a
}

// deaf keeps everything that the table sends from the shoe.
func (w *World) deaf(a Args) {
	w.rack.toShoes(shoesim.FaultRates{Lost: 1})
	time.AfterFunc(a.time("for"), func() {
		w.mu.Lock()
		rates := w.rates
		w.mu.Unlock()
		w.rack.toShoes(rates)
	})
}

func (w *World) noise(a Args) {
	w.setNoise(shoesim.FaultRates{
		Bits: a.rate("bits"), Lost: a.rate("lost"), Repeated: a.rate("repeated"), Cut: a.rate("cut"),
		Run: a.rate("run"), Burst: a.rate("burst"),
	})
	w.mu.Lock()
	defer w.mu.Unlock()
	w.noisyTo = w.counts[Card] + max(1, a.number("cards"))
	// On a line that lets nothing through no card is drawn either: somebody comes and mends it.
	time.AfterFunc(stuckAfter/2, func() { w.setNoise(shoesim.FaultRates{}) })
}

// setNoise makes the line as bad as that.
func (w *World) setNoise(r shoesim.FaultRates) {
	w.mu.Lock()
	w.rates = r
	w.mu.Unlock()
	w.rack.noise(r)
}

func (w *World) lineMayChange() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return mayChange(w.script.Make, w.rates)
}

// kill kills the table, or cuts its power.
func (w *World) kill(a Args) {
	part := map[string]disktest.Part{"half": disktest.Half, "whole": disktest.Whole}[a.get("part")]
	w.mu.Lock()
	l := w.life
	w.mu.Unlock()
	l.kill(part, uint64(a.number("dice")), a.has("kept"))
}
