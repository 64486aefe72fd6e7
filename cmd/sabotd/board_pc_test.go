//go:build board

package main

import (
	"testing"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/internal/testkit/board"
)

// The lines of the PC's panel, in the order of their numbers.
var (
	panelKeys  = []string{"CARD", "REST", "DOUBLE", "SPLIT", "BETS", "PAID", "BOX3"}
	panelLamps = []string{"AMBER", "GREEN", "LOCK", "RED"}
)

// TestBoardPC deals a round on an emulated PC: keys, a box's sensor and lamps are lines
// of the kernel, the shoe is on a USB port, and is unplugged and plugged in again while
// a card is due.
func TestBoardPC(t *testing.T) {
	tests, err := board.BuildTests(t.Context(), t.TempDir(), board.PC.Arch, "gpiosim", "device/gpio")
	if err != nil {
		t.Fatal(err)
	}
	e := newEmulated(t, board.PC, map[string]string{"gpio.test": tests})
	t.Log(e.runs("gpio.test", "-test.v", "-test.run", "^TestKernel"))

	if err := e.machine.Hand.Chip(e.machine.Context(), "panel", append(panelKeys, panelLamps...)); err != nil {
		t.Fatal(err)
	}
	e.lamps = panelLamps
	e.begin("pc.yaml")
	devices := e.runs("sabot", "devices", "--config", configInBoard)
	contains(t, devices, "/dev/gpiochip1  panel of gpio-sim.0, 11 lines", "/dev/ttyUSB0", "0403:6001")
	t.Log(devices)
	e.deal(round(pressKey, chips, pull, draw("KD", "", "LOCK RED"), plug))
}

// chips lays chips where the sensor of box 3 sees them.
var chips = step{do: func(e *emulated) {
	if err := e.machine.Hand.Pull(e.machine.Context(), "BOX3", false); err != nil {
		e.t.Fatal(err)
	}
	e.screen.await("the stake on box 3", func(v display.View) bool { return len(v.Boxes[2].Bettors) == 1 })
}, lamps: anyLamps}

// pull pulls the shoe's cable. The red lamp blinks.
var pull = step{func(e *emulated) {
	e.machine.Unplug()
	e.hears(`{"out":"irregular","code":"shoe-offline"`)
	e.shines("LOCK RED")
}, "", "LOCK"}

// plug plugs it in again: the card that was drawn meanwhile arrives.
var plug = step{func(e *emulated) {
	e.machine.Plug()
	e.hears(`{"out":"resolved","code":"shoe-offline"`)
	e.hears(`{"out":"dealt","card":"KD","to":"box","box":3,"hand":1,"total":21`)
}, `{"out":"due","to":"bank"}`, "GREEN"}
