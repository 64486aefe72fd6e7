//go:build board

package main

import (
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/board"
)

// TestBoardPress: the first start finds the line of a key that is pressed, on an emulated PC with lines of the kernel.
func TestBoardPress(t *testing.T) {
	tests, err := board.BuildTests(t.Context(), t.TempDir(), board.PC.Arch, "gpiosim", "device/inventory")
	if err != nil {
		t.Fatal(err)
	}
	e := newEmulated(t, board.PC, map[string]string{"inventory.test": tests})
	t.Log(e.runs("inventory.test", "-test.v", "-test.run", "^TestPressOnKernel$"))
}
