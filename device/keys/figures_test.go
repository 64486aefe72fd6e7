package keys_test

import (
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/figure"
)

// TestFigures: what an edge of a bouncing contact allocates.
func TestFigures(t *testing.T) {
	f := newPresses()
	const edges = 10_000
	allocations := testing.AllocsPerRun(edges, f.edge)
	figure.Check(t, "keys.edge.allocations", allocations, "allocations an edge")
	if f.told == 0 {
		t.Error("nothing was reported")
	}
}

// BenchmarkEdgesBeside takes turns at ten thousand edges and at the SHA-256 of what the kernel says of them.
func BenchmarkEdgesBeside(b *testing.B) {
	const edges, perEdge = 10_000, 48 // bytes of struct gpio_v2_line_event
	f := newPresses()
	figure.Beside(b, func() {
		for range edges {
			f.edge()
		}
	}, figure.Hash(edges*perEdge))
}
