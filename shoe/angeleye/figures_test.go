package angeleye

import (
	"bytes"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/figure"
	"github.com/sabot-table/sabot/shoe"
)

// TestFigures: what reading a card in its three copies allocates.
func TestFigures(t *testing.T) {
	var d Decoder
	p := [][]byte{bytes.Repeat(frame('0', 'D', 0x81, 0xB8), 3), bytes.Repeat(frame('1', 'D', 0x81, 0xB8), 3)}
	emit := func(shoe.Event) {}
	n := 0
	figure.Check(t, "shoe.angel-eye.allocations", testing.AllocsPerRun(1000, func() {
		d.Feed(0, p[n%2], emit)
		n++
	}), "allocations a card")
}
