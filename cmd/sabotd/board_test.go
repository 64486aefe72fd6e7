//go:build board

package main

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/internal/testkit/board"
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/sim-hardware/shoesim"
)

// emulated is a table on an emulated board: the daemon with a configuration of its own,
// a shoe on the board's line, and the pit on this machine.
type emulated struct {
	*world
	machine *board.Machine
	screen  *viewer
	// heard counts the pit's events that were checked.
	heard uint64
	told  []card.Card
	// lamps are the output lines of the chip, empty without a chip.
	lamps []string
	// pins are the contacts of the expander, of which one that is open is 1.
	pins uint16
}

// inBoard is the folder of the daemon's files in the board.
const (
	configInBoard  = "/etc/sabot/sabot.yaml"
	keyInBoard     = "/etc/sabot/journal.key"
	journalInBoard = "/var/lib/sabot/journal"
)

// newEmulated switches on a board that has the project's programs, and others.
func newEmulated(t *testing.T, b board.Board, others map[string]string) *emulated {
	t.Helper()
	programs, err := board.Build(t.Context(), t.TempDir(), b.Arch, "cmd/sabotd", "cmd/sabot")
	if err != nil {
		t.Fatal(err)
	}
	for name, path := range others {
		programs[name] = path
	}
	shoe, err := shoesim.New(shoesim.Options{Decks: 6, Jokers: 1, Seed: 3, Continuous: true, Listen: "127.0.0.1:0"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { shoe.Close() })
	e := &emulated{world: newWorldOn(t, shoe.Path()), pins: 0xffff}
	e.shoe = shoe
	e.machine = board.Start(t, b, shoe.Path(), programs)
	t.Cleanup(e.tell)
	return e
}

// tell says where a test failed: the events at the pit up to the one that did not come, and
// the state of the shoe.
func (e *emulated) tell() {
	if !e.t.Failed() {
		return
	}
	if e.heard > 1 {
		e.t.Logf("the pit heard\n%s", bytes.Join(e.floor.Lines(e.t, e.heard-1), []byte("\n")))
	}
	e.t.Logf("the shoe is %+v", e.shoe.State())
}

// begin starts the daemon with a configuration from testdata, after sabot has found it in
// order, and returns when the table sees its shoe.
func (e *emulated) begin(config string) {
	e.t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "board", config))
	if err != nil {
		e.t.Fatal(err)
	}
	_, port, err := net.SplitHostPort(e.gate.Addr())
	if err != nil {
		e.t.Fatal(err)
	}
	key, err := os.ReadFile(e.key())
	if err != nil {
		e.t.Fatal(err)
	}
	e.put(configInBoard, strings.ReplaceAll(string(text), "BROKER", board.Host+":"+port))
	e.put(keyInBoard, string(key))
	e.runs("sabot", "config", "check", configInBoard)
	if err := e.machine.Hand.Start(e.machine.Context(), "/bin/sabotd", "--config", configInBoard); err != nil {
		e.t.Fatal(err)
	}
	e.page = strings.TrimSuffix(strings.TrimPrefix(e.machine.Page, "http://"), "/")
	e.screen = e.look()
	e.screen.await("the shoe", func(v display.View) bool { return v.Seq > 0 && v.Shoe.Online && v.Held == nil })
}

func (e *emulated) put(path, text string) {
	e.t.Helper()
	if err := e.machine.Hand.Write(e.machine.Context(), path, text); err != nil {
		e.t.Fatal(err)
	}
}

// runs runs a program in the board, which must end well, and returns what it printed.
func (e *emulated) runs(program string, args ...string) string {
	e.t.Helper()
	ended, err := e.machine.Hand.Run(e.machine.Context(), append([]string{"/bin/" + program}, args...)...)
	if err != nil {
		e.t.Fatal(err)
	}
	if ended.Status != exitOK {
		e.t.Fatalf("in the board, %s %v ended with status %d\n%s%s", program, args, ended.Status, ended.Out, ended.Err)
	}
	return ended.Out
}

// hears waits until the pit hears an event that begins like this.
func (e *emulated) hears(begins string) {
	e.t.Helper()
	for {
		e.heard++
		if line := e.floor.Lines(e.t, e.heard)[e.heard-1]; strings.HasPrefix(string(line), begins) {
			return
		}
	}
}

// end stops the daemon, copies its journal out of the board and checks everything.
func (e *emulated) end(rounds int) {
	e.t.Helper()
	status, err := e.machine.Hand.Stop(e.machine.Context())
	if status != exitOK || err != nil {
		e.t.Fatalf("sabotd ended with status %d, %v", status, err)
	}
	e.fetch()
	e.check(e.told, rounds)
}

// fetch copies the journal's parts out of the board.
func (e *emulated) fetch() {
	e.t.Helper()
	if err := os.Mkdir(e.path, 0o750); err != nil {
		e.t.Fatal(err)
	}
	for n := 1; ; n++ {
		part := fmt.Sprintf("part-%06d.jsonl", n)
		text, err := e.machine.Hand.Read(e.machine.Context(), journalInBoard+"/"+part)
		if err != nil && n > 1 {
			return // there are no more
		}
		if err != nil {
			e.t.Fatal(err)
		}
		write(e.t, filepath.Join(e.path, part), string(text))
	}
}

// outputs returns the journal's output lines that begin like this.
func (e *emulated) outputs(begins string) (lines []string) {
	_, outputs := e.records()
	for line := range strings.Lines(outputs) {
		if strings.HasPrefix(line, begins) {
			lines = append(lines, strings.TrimSpace(line))
		}
	}
	return lines
}
