package figures

import (
	"strings"
	"testing"

	"github.com/sabot-table/sabot/display/displaytest"
)

// TestEveryTextIsThere, and every text of the figures is said.
func TestEveryTextIsThere(t *testing.T) {
	displaytest.Said(t, func(key string) bool { return strings.HasPrefix(key, "pit.figures") },
		"pit.figures-hardly-below", "pit.figures-hardly-above", "pit.figures-below", "pit.figures-above")
}
