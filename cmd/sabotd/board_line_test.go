//go:build board

package main

import (
	"strings"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/board"
)

// TestBoardLine runs the tests of a serial line on an emulated PC's UART: its modem lines, and what the kernel counts
// as lost.
func TestBoardLine(t *testing.T) {
	tests, err := board.BuildTests(t.Context(), t.TempDir(), board.PC.Arch, "uart", "device")
	if err != nil {
		t.Fatal(err)
	}
	e := newEmulated(t, board.PC, map[string]string{"device.test": tests})
	out := e.runs("device.test", "-test.v", "-test.run=^TestUART")
	t.Log(out)
	if n := strings.Count(out, "--- PASS"); n != 2 {
		t.Errorf("%d tests ran, not 2", n)
	}
}
