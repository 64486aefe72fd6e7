package sabot

import (
	"testing"
	"testing/synctest"

	"github.com/sabot-table/sabot/internal/testkit/figure"
)

// cardsMeasured are few enough that no heartbeat is due in between.
const cardsMeasured = 1000

// TestFigures: what a card costs on the line and in the driver, with a key and without.
func TestFigures(t *testing.T) {
	measure := func(cards func(testing.TB) *cardsOfAShoe) (allocations, bytes float64) {
		synctest.Test(t, func(t *testing.T) { // no time passes, so nothing is sent because of it
			c := cards(t)
			allocations = testing.AllocsPerRun(cardsMeasured, func() { c.card(t) })
			bytes = float64(c.bytes) / (cardsMeasured + 1)
			c.arrived(t)
		})
		return allocations, bytes
	}
	allocations, bytes := measure(plainCards)
	figure.Check(t, "shoe.card.allocations", allocations, "allocations a card")
	figure.Check(t, "shoe.card.bytes", bytes, "bytes a card on the line, both ways")
	allocations, bytes = measure(sealedCards)
	figure.Check(t, "shoe.sealed-card.allocations", allocations, "allocations a card")
	figure.Check(t, "shoe.sealed-card.bytes", bytes, "bytes a card on the line, both ways")
}

// BenchmarkCardBeside takes turns at a thousand cards and at the SHA-256 of their bytes on the line.
func BenchmarkCardBeside(b *testing.B) {
	for _, shoe := range []struct {
		name  string
		cards func(testing.TB) *cardsOfAShoe
	}{{"plain", plainCards}, {"sealed", sealedCards}} {
		b.Run(shoe.name, func(b *testing.B) {
			c := shoe.cards(b)
			many := func() {
				for range cardsMeasured {
					c.card(b)
				}
			}
			many()
			figure.Beside(b, many, figure.Hash(c.bytes))
			c.arrived(b)
		})
	}
}
