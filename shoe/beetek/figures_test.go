package beetek

import (
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/figure"
	"github.com/sabot-table/sabot/shoe"
	"github.com/sabot-table/sabot/shoe/card"
)

// TestFigures: what reading a card allocates.
func TestFigures(t *testing.T) {
	var d Decoder
	p := []byte(message(card.Of(4, card.Spades), "Manual Burn Cards"))
	emit := func(shoe.Event) {}
	figure.Check(t, "shoe.bee-tek.allocations", testing.AllocsPerRun(1000, func() { d.Feed(0, p, emit) }),
		"allocations a card")
}
