package table_test

import (
	"math/rand/v2"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/internal/testkit/tier"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

// TestCorrections holds rounds by hand, corrects them some times, and plays them on. A
// session sees that the second book agrees, that nothing changes where a correction is
// refused, that restarts and positions answer alike, and that the corrected round is the
// round that is dealt with the corrected inputs.
func TestCorrections(t *testing.T) {
	kinds := map[string]int{}
	for seed := range tier.Times(6, 12) * len(houses) {
		s := newSession()
		dice := rand.New(rand.NewPCG(uint64(seed), 3))
		nth := seed / len(houses)
		setup := rules.Setup{House: houses[seed%len(houses)]}
		if nth%3 == 2 {
			setup.Calls = "implied"
		}
		player := &tabletest.Player{Dice: dice, Boxes: 1 + nth%4, Freely: nth%2 > 0, Pack: packs[nth%len(packs)]}
		must(t, s, s.step(*tabletest.SetUp(setup)))
		for range 250 {
			if dice.IntN(12) == 0 {
				must(t, s, holdAndCorrect(s, player))
			}
			must(t, s, s.step(player.Next(&s.tab)))
			if s.lines%40 == 7 {
				must(t, s, s.place())
			}
			s.restart()
		}
		must(t, s, s.replays())
		for kind, n := range s.kinds {
			kinds[kind] += n
		}
	}
	for what := range vocab.EveryCorrection {
		if n := kinds["corrected "+what.String()]; n < 20 {
			t.Errorf("only %d rounds were corrected by %s", n, what)
		}
	}
	for _, kind := range []string{"difference", vocab.DoesNotFollow.String(), vocab.NoPlace.String()} {
		if kinds[kind] == 0 {
			t.Errorf("no correction led to %q", kind)
		}
	}
}

// holdAndCorrect holds the round, and corrects it a few times.
func holdAndCorrect(s *session, p *tabletest.Player) error {
	if err := s.dare(vocab.Input{Kind: vocab.InHold, By: "d1", Role: vocab.Dealer}); err != nil {
		return err
	}
	for range 1 + p.Dice.IntN(6) {
		if err := s.dare(p.Correction(&s.tab)); err != nil {
			return err
		}
	}
	if p.Dice.IntN(4) > 0 {
		return s.dare(vocab.Input{Kind: vocab.InResolve, With: irregularity.Continue, By: "s1"})
	}
	return nil
}
