package table_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/internal/testkit/tier"
	"github.com/sabot-table/sabot/shoe/card"
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
	for seed := range tier.Times(10, 100) * len(houses) {
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
			if dice.IntN(4) == 0 {
				must(t, s, paySome(s, player))
			}
			if s.tab.Phase() == vocab.Idle && dice.IntN(3) == 0 {
				must(t, s, s.dare(vocab.Input{Kind: vocab.InUndo}))
			}
			if dice.IntN(9) == 0 {
				must(t, s, adjust(s, player))
			}
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
	for _, kind := range []string{
		"a payment that had finished the round", vocab.Adjusted.String(), "difference", "difference of what was paid",
		"difference of what was taken", "difference of a new wager",
		vocab.DoesNotFollow.String(), vocab.NoPlace.String(),
	} {
		if kinds[kind] == 0 {
			t.Errorf("nothing led to %q", kind)
		}
	}
}

// paySome pays or takes what is decided, wager by wager or, in the payment, box by box with what is left to be paid.
// What is put right is paid, too; sometimes it is taken back.
func paySome(s *session, p *tabletest.Player) error {
	if _, held := s.tab.Held(); held || len(s.tab.Decided()) == 0 || s.tab.Phase() == vocab.Idle {
		return nil
	}
	nth := p.Dice.IntN(len(s.tab.Decided()))
	one := s.tab.Decided()[nth]
	in := vocab.Input{Kind: vocab.InPaid, Box: int(one.Box), Bettor: one.Bettor, Wager: one.Wager}
	if s.tab.Phase() == vocab.Payment && p.Dice.IntN(3) > 0 {
		in = vocab.Input{
			Kind: vocab.InPaid, Box: int(one.Box), Amount: tabletest.LeftToPay(&s.tab, int(one.Box)),
			Stated: true,
		}
	}
	if err := s.dare(in); err != nil || !s.accepted {
		return err
	}
	if _, held := s.tab.Held(); held {
		return fmt.Errorf("what is left to be paid on box %d holds the round: %d", in.Box, in.Amount)
	}
	if p.Dice.IntN(4) == 0 {
		return s.dare(vocab.Input{Kind: vocab.InUndo})
	}
	return nil
}

// adjust adjusts a past round, the last or one before it, as long as the book knows its wagers.
func adjust(s *session, p *tabletest.Player) error {
	in := p.Adjustment(&s.tab)
	if len(s.lay) > 0 && (s.tab.Phase() != vocab.Idle || len(s.tab.Decided()) == 0) {
		in = s.lay[p.Dice.IntN(len(s.lay))]
		in.Amount = 500 * int64(p.Dice.IntN(9)-4)
	}
	err := s.dare(in)
	if s.accepted {
		s.lay = append(s.lay, in)
	}
	return err
}

// decideOtherwise corrects what decides the wagers that are to be paid: a stake, that of a bettor who was forgotten
// among them, or the last card that was laid.
func decideOtherwise(s *session, p *tabletest.Player) vocab.Input {
	in := vocab.Input{
		Kind: vocab.InCorrect, Correct: vocab.Correct{What: vocab.SetStake}, Wager: vocab.WagerMain,
		Amount: 1000 * int64(1+p.Dice.IntN(4)), Stated: true,
	}
	one := s.tab.Decided()[p.Dice.IntN(len(s.tab.Decided()))]
	in.Box, in.Bettor = int(one.Box), one.Bettor
	switch p.Dice.IntN(3) {
	case 0:
		in.Bettor = "forgotten"
	case 1:
		laid := s.tab.Laid()
		if len(laid) == 0 {
			break // every wager is decided without a card
		}
		in = vocab.Input{Kind: vocab.InCorrect, Correct: vocab.Correct{What: vocab.Rename, Nth: laid[len(laid)-1].Nth}}
		in.Card = card.Of(card.Rank(1+p.Dice.IntN(13)), card.Suit(p.Dice.IntN(4)))
	}
	return in
}

// holdAndCorrect holds the round, and corrects it a few times.
func holdAndCorrect(s *session, p *tabletest.Player) error {
	if err := s.dare(vocab.Input{Kind: vocab.InHold, By: "d1", Role: vocab.Dealer}); err != nil {
		return err
	}
	for range 1 + p.Dice.IntN(6) {
		in := p.Correction(&s.tab)
		if s.tab.Phase() == vocab.Payment && len(s.tab.Decided()) > 0 && p.Dice.IntN(2) == 0 {
			in = decideOtherwise(s, p)
		}
		if err := s.dare(in); err != nil {
			return err
		}
	}
	if p.Dice.IntN(4) > 0 {
		return s.dare(vocab.Input{Kind: vocab.InResolve, With: irregularity.Continue, By: "s1"})
	}
	return nil
}
