package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/sim-hardware/scenario"
	"github.com/sabot-table/sabot/sim-hardware/shoesim"
)

const keyHelp = `  space  draw the next card          u  draw one that cannot be read
  d 4S   draw a chosen card          f 4S  draw one from another shoe
  j      draw the Joker              o  draw one that nobody asked for
  c      the cut card                l  load the shoe again
  a      an alarm; again: it ends    r  a reverse pull; again: it ends
  p      pull the cable; again: plug it in
  m      pull it in the middle of the next message
  n      a noisy line; again: a good one
  g      garbage on the line         b  switch the shoe off and on
  1-8    a key at the shoe
  x      something at random         s  the state of the shoe
  ?      this list                   q  quit

`

// keyboard turns key presses into steps.
type keyboard struct {
	alarm  shoesim.Trouble
	chance *rand.Rand
	// verb waits for a card, whose rank may already be there.
	verb string
	rank byte
	// on has the keys that have begun something and will end it.
	on map[byte]bool
}

// noisy is a line that is barely usable.
var noisy = shoesim.FaultRates{Bits: 1e-3, Lost: 0.02, Repeated: 0.02, Cut: 0.02, Burst: 0.02}

func newKeyboard(kind shoesim.Kind, seed uint64) *keyboard {
	alarm := kind.Troubles()[0]
	if slices.Contains(kind.Troubles(), shoesim.Cover) {
		alarm = shoesim.Cover
	}
	return &keyboard{alarm: alarm, chance: rand.New(rand.NewPCG(seed, 1)), on: map[byte]bool{}}
}

// simple are the keys that always mean the same step.
var simple = map[byte]scenario.Step{
	' ': {Verb: "draw"},
	'j': {Verb: "draw", Card: card.Joker},
	'u': {Verb: "unread"},
	'o': {Verb: "overdraw"},
	'c': {Verb: "cut-card"},
	'l': {Verb: "reload"},
	'm': {Verb: "pull", Count: 5},
	'g': {Verb: "garbage", Count: 20},
	'b': {Verb: "reboot"},
}

// cardKeys are the keys that a card follows.
var cardKeys = map[byte]string{'d': "draw", 'f': "foreign"}

// press takes a key, and returns the steps that it means and what to print.
func (k *keyboard) press(key byte, now shoesim.State) (steps []scenario.Step, say string, quit bool) {
	if k.verb != "" {
		steps, say = k.card(key)
		return steps, say, false
	}
	if step, found := simple[key]; found {
		return []scenario.Step{step}, "", false
	}
	if verb, found := cardKeys[key]; found {
		k.verb = verb
		return nil, "", false
	}
	if key >= '1' && key <= '8' {
		return []scenario.Step{{Verb: "shoe-key", Count: int(key - '0')}}, "", false
	}
	switch key {
	case 'a', 'r', 'p', 'n':
		return []scenario.Step{k.toggle(key, now)}, "", false
	case 'x':
		return scenario.Random(k.chance), "", false
	case 's':
		return nil, status(now), false
	case '?':
		return nil, keyHelp, false
	case 'q':
		return nil, "", true
	case '\n', '\r':
		return nil, "", false
	}
	return nil, fmt.Sprintf("%q means nothing; ? lists the keys\n", key), false
}

// card takes one of the two keys of a card.
func (k *keyboard) card(key byte) ([]scenario.Step, string) {
	if k.rank == 0 {
		k.rank = key
		return nil, ""
	}
	name := strings.ToUpper(string([]byte{k.rank, key}))
	verb := k.verb
	k.verb, k.rank = "", 0
	c, err := card.ParseFace(name)
	if err != nil || !c.Ranked() {
		return nil, fmt.Sprintf("%q is not a card: press rank and suit, such as 4S or TH\n", name)
	}
	return []scenario.Step{{Verb: verb, Card: c}}, ""
}

// toggle begins what is off, and ends what is on. The shoe itself knows whether the cable
// is in: it may have come out in the middle of a message.
func (k *keyboard) toggle(key byte, now shoesim.State) scenario.Step {
	begin := !k.on[key]
	k.on[key] = begin
	switch key {
	case 'p':
		if now.Plugged {
			return scenario.Step{Verb: "pull"}
		}
		return scenario.Step{Verb: "plug"}
	case 'n':
		if begin {
			return scenario.Step{Verb: "line", Rates: noisy}
		}
		return scenario.Step{Verb: "line"}
	}
	trouble := k.alarm
	if key == 'r' {
		trouble = shoesim.ReversePull
	}
	if begin {
		return scenario.Step{Verb: "alarm", Trouble: trouble}
	}
	return scenario.Step{Verb: "clear", Trouble: trouble}
}

// status describes the state of the shoe.
func status(s shoesim.State) string {
	cable := "the cable is out"
	switch {
	case s.Plugged && s.Hosted:
		cable = "the cable is in"
	case s.Plugged:
		cable = "the cable is in, and no table is listening"
	}
	text := fmt.Sprintf("%d cards left; %s", s.CardsLeft, cable)
	if s.Last > 0 || s.InSession {
		text += fmt.Sprintf("; event %d, %d not acknowledged, in session: %t, locked: %#02x", s.Last, s.Queued,
			s.InSession, uint8(s.Locks))
	}
	if s.Fault != nil {
		text += fmt.Sprintf("; the simulation has a fault: %v", s.Fault)
	}
	return text + "\n"
}
