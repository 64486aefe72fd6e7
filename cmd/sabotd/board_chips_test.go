//go:build board

package main

import (
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/internal/testkit/board"
	"github.com/sabot-table/sabot/internal/testkit/brokertest"
)

// The chips of TestBoardChips: keys with the lamp amber, lamps, keys that come late, and a
// line that the kernel has.
var (
	keysChip  = []string{"CARD", "REST", "BETS", "PAID", "BOX3", "AMBER"}
	lampsChip = []string{"GREEN", "RED", "LOCK"}
	lateChip  = []string{"DOUBLE", "SPLIT"}
	wireChip  = []string{"WIRE"}
)

// TestBoardChips deals a round with keys on chips of a real kernel. One comes after the
// start. The keys vanish while a call is due, which is made at the screen, and come back under
// another number; the configuration names them by number, name, label and device. The lamps
// vanish while they burn. A line is the kernel's, and a second daemon wants all of them.
func TestBoardChips(t *testing.T) {
	e := newEmulated(t, board.PC, nil)
	e.chip("keys", keysChip)
	e.chip("lamps", lampsChip)
	if err := e.machine.Hand.ChipWithHeld(e.machine.Context(), "wire", wireChip,
		map[string]string{"WIRE": "onewire@0"}); err != nil {
		t.Fatal(err)
	}
	// The red lamp blinks all the time, since the supervisor's key is missing.
	e.lamps = []string{"AMBER", "GREEN", "LOCK"}
	e.begin("chips.yaml")
	e.misses("double, split, supervisor")
	e.logs("no such GPIO line: there is no such chip",
		"open keys.supervisor (WIRE): GPIO line busy: onewire@0 (the kernel's 1-Wire) has it: remove "+
			"dtoverlay=w1-gpio from /boot/firmware/config.txt")
	e.named()

	steps := round(pressKey, chips)
	rest := len(steps) - 6 // the call for box 1, hand 2
	paid := len(steps) - 1
	steps[rest].do, steps[rest].lamps = touch("REST"), "LOCK" // the amber lamp is lost, too
	e.deal(slices.Concat([]step{late}, steps[:rest], []step{loseKeys, steps[rest], findKeys}, steps[rest+1:paid],
		[]step{loseLamps, paysOne}, steps[paid:]))
}

// late is a chip that comes after the start.
var late = step{func(e *emulated) {
	e.chip("late", lateChip)
	e.misses("supervisor")
}, "", "AMBER LOCK"}

// loseKeys removes the chip with the keys. Other chips work on.
var loseKeys = step{func(e *emulated) {
	e.presence("keys", false)
	e.misses("card, rest, bets, paid, box 3, amber, supervisor")
	e.logs("the GPIO chip is gone: check its cable and its power")
}, "", "LOCK"}

// findKeys brings it back after another chip came.
var findKeys = step{func(e *emulated) {
	e.chip("other", []string{"", "", "", "", "", ""})
	e.presence("keys", true)
	e.misses("supervisor")
	devices := e.devices()
	contains(e.t, devices, "keys of gpio-sim.0, 6 lines", "<- keys.rest", "<- keys.bets", "<- keys.box_3")
	e.t.Log(devices)
}, "", "AMBER LOCK"}

// loseLamps removes the lamps while they burn, and brings them back.
var loseLamps = step{func(e *emulated) {
	e.presence("lamps", false)
	e.misses("supervisor, green, red, lock")
	e.presence("lamps", true)
	e.misses("supervisor")
}, "", "AMBER LOCK"}

// paysOne presses CARD, whose line the configuration names by the number of its chip: another chip's by now. In the
// payment the key pays the next bettor.
var paysOne = step{func(e *emulated) {
	var next display.Share
	e.screen.await("somebody to pay", func(v display.View) (pays bool) {
		_, next, pays = display.NextShare(v)
		return pays
	})
	pressKey("CARD")(e)
	e.screen.await("the next one to pay", func(v display.View) bool {
		_, other, pays := display.NextShare(v)
		return pays && other.Bettor != next.Bettor
	})
}, "", "AMBER LOCK"}

func (e *emulated) chip(label string, lines []string) {
	e.t.Helper()
	if err := e.machine.Hand.Chip(e.machine.Context(), label, lines); err != nil {
		e.t.Fatal(err)
	}
}

func (e *emulated) presence(label string, there bool) {
	e.t.Helper()
	change := e.machine.Hand.Vanish
	if there {
		change = e.machine.Hand.Appear
	}
	if err := change(e.machine.Context(), label); err != nil {
		e.t.Fatal(err)
	}
}

// misses waits until the screen says that exactly these lines of the panel are missing, or
// none.
func (e *emulated) misses(lines string) {
	e.t.Helper()
	brokertest.Until(e.t, "the screen says that missing are "+lines, func() bool {
		if lines == "" {
			return !strings.Contains(e.html(), "Keys offline")
		}
		return strings.Contains(e.html(), `<span class="pit bad" title="`+lines+`">✕ Keys offline</span>`)
	})
}

// html is the page as it is now.
func (e *emulated) html() string {
	e.t.Helper()
	request, err := http.NewRequestWithContext(e.machine.Context(), http.MethodGet, e.machine.Page, nil)
	if err != nil {
		e.t.Fatal(err)
	}
	request.Header.Set("Accept-Language", "en")
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		e.t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		e.t.Fatal(err)
	}
	return string(text)
}

// logs waits until the daemon's log has these texts.
func (e *emulated) logs(texts ...string) {
	e.t.Helper()
	for _, text := range texts {
		brokertest.Until(e.t, "the log has "+text, func() bool {
			return strings.Contains(e.machine.Console.String(), text)
		})
	}
}

// devices is what the tool says of the table's devices.
func (e *emulated) devices() string {
	e.t.Helper()
	ended, err := e.machine.Hand.Run(e.machine.Context(), "/bin/sabot", "devices", "--config", configInBoard)
	if err != nil {
		e.t.Fatal(err)
	}
	return ended.Out + ended.Err
}

// named checks that the tool and a second daemon, which has a journal of its own, say who has
// the lines. The daemon's table opens without them.
func (e *emulated) named() {
	e.t.Helper()
	contains(e.t, e.devices(), "WRONG keys.supervisor: WIRE is in use by onewire@0 (the kernel's 1-Wire)",
		"WRONG keys.double: there is no line late:0",
		"note  keys.rest: REST is in use by sabotd@")
	e.put("/etc/sabot/second.yaml", `{site: test, table: bj-2, house: wiesbaden, shoe: {port: "tcp://127.0.0.1:9"},
journal: {path: /var/lib/sabot/second}, web: {listen: "127.0.0.1:0"}, supervisors: {proof: none}, keys: {rest: REST, paid: "keys:3"}}`)
	ended, err := e.machine.Hand.Run(e.machine.Context(), "/bin/timeout", "10", "/bin/sabotd", "--config",
		"/etc/sabot/second.yaml")
	if err != nil {
		e.t.Fatal(err)
	}
	contains(e.t, ended.Err, "the table is open", "open keys.rest (REST), keys.paid (keys:3): GPIO line busy: sabotd@",
		"(a table's daemon) has it: one set of lines belongs to one table")
}
