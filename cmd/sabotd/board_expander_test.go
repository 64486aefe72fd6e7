//go:build board

package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sabot-table/sabot/internal/testkit/board"
	"github.com/sabot-table/sabot/internal/testkit/brokertest"
	"github.com/sabot-table/sabot/table/vocab"
)

// Where the simulated expander is moved, and the folder of its driver.
const (
	expanderAt     = "/sys/module/expander_all/parameters/"
	expanderDriver = "/sys/bus/i2c/drivers/mcp230xx/"
	expanderName   = "9-0020"
)

// expanderPins are the expander's lines, by their numbers.
var expanderPins = []string{
	"CARD", "REST", "DOUBLE", "SPLIT", "BETS", "PAID", "KEY", "", "GREEN", "AMBER",
	"RED", "LOCK",
}

// allExpander are the lines of the table on the expander, as the screen names them.
const allExpander = "card, rest, double, split, bets, paid, supervisor, green, amber, red, lock"

// TestBoardExpander deals a round with keys and lamps on an MCP23017 that the kernel's own
// driver runs. It loses its power while a call is due, with a key held, and has forgotten how
// its lines are set when it is back; then its driver is bound anew, which gives its chip
// another number. The supervisor's key, which is turned all the time, is off while the expander
// is away, though the driver says that its line is low.
func TestBoardExpander(t *testing.T) {
	e := newEmulated(t, board.PC, nil)
	e.begin("expander.yaml")
	t.Log(e.devices())
	e.pin("KEY", false)
	e.supervisorWas(1, 0)
	e.burns("AMBER LOCK")

	steps := round(pressPin, stake(vocab.Input{Box: 3, Bettor: "1", Wager: vocab.WagerMain}))
	for i := range steps {
		steps[i].do = withLamps(steps[i])
	}
	rest := len(steps) - 6 // the call for box 1, hand 2
	e.deal(slices.Concat(steps[:rest], []step{{do: losePower}, steps[rest], {do: bindAnew}}, steps[rest+1:]))
}

// withLamps does a step, and then waits for its lamps.
func withLamps(s step) func(*emulated) {
	return func(e *emulated) {
		s.do(e)
		if s.lamps != anyLamps {
			e.burns(s.lamps)
		}
	}
}

// losePower takes the expander's power away for a while. A key that is pressed before, and one
// that is pressed meanwhile, were not pressed.
func losePower(e *emulated) {
	e.put(expanderAt+"power", "N")
	e.misses(allExpander)
	e.logs("the GPIO chip is gone: nothing answers at /dev/i2c-9, address 0x20 (remote I/O error)")
	e.supervisorWas(1, 1)
	e.pin("REST", false)
	time.Sleep(holdKey) // the emulated computer has a clock of its own, which nobody else can move
	e.put(expanderAt+"power", "Y")
	e.misses("")
	e.supervisorWas(2, 1)
	e.logs(`a key was found held down, and does nothing until it is released" key=rest`)
	e.pin("REST", true)
	e.logs(`a key works again" key=rest`)
	e.burns("AMBER LOCK")
}

// bindAnew has the driver let go of the expander and take it again.
func bindAnew(e *emulated) {
	was := e.expanderChip()
	e.put(expanderDriver+"unbind", expanderName)
	e.misses(allExpander)
	e.put(expanderDriver+"bind", expanderName)
	e.misses("")
	if now := e.expanderChip(); now == was {
		e.t.Logf("the chip is %s again", now)
	} else {
		e.t.Logf("the chip was %s and is %s", was, now)
	}
	e.burns("AMBER LOCK")
}

// expanderChip is the kernel's name of the expander's chip.
func (e *emulated) expanderChip() string {
	e.t.Helper()
	return strings.TrimSpace(e.runs("busybox", "sh", "-c", "basename /sys/bus/i2c/devices/"+expanderName+"/gpiochip*"))
}

// pin opens or closes a contact.
func (e *emulated) pin(name string, open bool) {
	e.t.Helper()
	bit := uint16(1) << slices.Index(expanderPins, name)
	e.pins |= bit
	if !open {
		e.pins &^= bit
	}
	e.put(expanderAt+"pins", fmt.Sprint(e.pins))
}

// pressPin presses a key on the expander.
func pressPin(key string) func(*emulated) {
	return pressing(key, func(e *emulated) {
		e.pin(key, false)
		time.Sleep(holdKey) // as a finger is seen there
		e.pin(key, true)
	})
}

// burns waits until exactly these outputs of the expander are on.
func (e *emulated) burns(lamps string) {
	e.t.Helper()
	brokertest.Until(e.t, "the expander's outputs that are on are "+lamps, func() bool {
		text, err := e.machine.Hand.Read(e.machine.Context(), expanderAt+"levels")
		if err != nil {
			e.t.Fatal(err)
		}
		var levels uint16
		if _, err := fmt.Sscanf(string(text), "0x%x", &levels); err != nil {
			e.t.Fatal(err)
		}
		var on []string
		for i := slices.Index(expanderPins, "GREEN"); i < len(expanderPins); i++ {
			if levels&(1<<i) != 0 {
				on = append(on, expanderPins[i])
			}
		}
		slices.Sort(on)
		return strings.Join(on, " ") == lamps
	})
}

// supervisorWas waits until the supervisor's key was turned on and off so often.
func (e *emulated) supervisorWas(on, off int) {
	e.t.Helper()
	brokertest.Until(e.t, fmt.Sprintf("the supervisor's key was on %d times and off %d times", on, off), func() bool {
		text := e.machine.Console.String()
		return strings.Count(text, `the supervisor's key was turned" on=true`) == on &&
			strings.Count(text, `the supervisor's key was turned" on=false`) == off
	})
}
