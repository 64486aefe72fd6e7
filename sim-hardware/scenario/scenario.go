// Package scenario plays scripts of what happens at a shoe, to its line, and to the dealer's keys: cards, misreads,
// pulled cables, noise, presses, contacts that bounce or stick. README.md describes the scripts.
package scenario

import (
	"fmt"
	"strings"
	"time"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/sim-hardware/shoesim"
)

// Scenario is a script that has been read.
type Scenario struct {
	// Seed decides what chance does: the shuffle, the faults of the line, and the steps
	// of random ones.
	Seed  uint64
	Steps []Step
}

// Step is one thing that happens. Which fields are used depends on the verb.
type Step struct {
	// Line is the step's line in the script, from 1; 0 for a step that is not in a script.
	Line    int
	Verb    string
	Card    card.Card // draw, foreign; None for the next card
	Count   int       // draw, garbage, pull, repeat, random; 0 if not written
	Every   time.Duration
	For     time.Duration // wait, hang, drip, press, chatter, bounce
	Key     string        // press and the other steps of a key
	Trouble shoesim.Trouble
	To      Direction // line
	Rates   shoesim.FaultRates
	Speeds  [2]int // sent and heard
	Steps   []Step // repeat
}

// Direction says which direction of the line is meant.
type Direction uint8

// The directions.
const (
	BothWays Direction = iota
	ToHost
	FromHost
)

var directions = [...]string{BothWays: "", ToHost: "to-host", FromHost: "from-host"}

// String writes the step as in a script, followed by the steps of a repeat.
func (s Step) String() string {
	words := []string{s.Verb}
	if v, known := verbs[s.Verb]; known && v.write != nil {
		words = append(words, v.write(&s)...)
	}
	text := strings.Join(words, " ")
	for _, inner := range s.Steps {
		text += "\n" + inner.String()
	}
	if s.Verb == repeat {
		text += "\n" + end
	}
	return text
}

// String writes the scenario as a script.
func (s Scenario) String() string {
	var b strings.Builder
	if s.Seed != 0 {
		fmt.Fprintf(&b, "seed %d\n", s.Seed)
	}
	for _, step := range s.Steps {
		b.WriteString(step.String() + "\n")
	}
	return b.String()
}
