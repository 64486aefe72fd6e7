package main

import (
	"math/rand/v2"
	"testing"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/internal/testkit/tier"
	"github.com/sabot-table/sabot/table/vocab"
)

// TestKilledInMidRound runs the built daemon with a shoe on a pseudo-terminal, a
// real broker and a dealer at the page, and kills it over and over. Every card
// must be in the journal once and in order, every event must reach the pit, and
// the rounds must have been settled as if nothing had happened.
func TestKilledInMidRound(t *testing.T) {
	t.Parallel()
	rounds, kills := tier.Times[uint64](4, 12), tier.Times(2, 6)
	w := newWorld(t, nil)
	process := w.start()
	d := w.deal(rounds)
	rng := rand.New(rand.NewPCG(1, 2))
	for range kills {
		cards := 1 + rng.IntN(20)
		was := len(d.hand.cards())
		v := d.await("cards on the table", func(v display.View) bool {
			return len(d.hand.cards()) >= was+cards && v.Phase != vocab.Idle && v.Phase != vocab.Bets
		})
		process.Kill()
		t.Logf("killed in round %d, phase %s, after %d cards", v.Round, v.Phase, len(d.hand.cards()))
		process = w.start()
	}
	w.check(d.finish(), int(rounds))
	process.Stop()
}
