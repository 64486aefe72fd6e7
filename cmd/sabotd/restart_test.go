package main

import (
	"strings"
	"testing"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/sim-hardware/shoesim"
	"github.com/sabot-table/sabot/table"
)

// TestChangedLimits starts the daemon with another minimum in mid-round: the round
// goes on by its own rules, the next one has the new ones.
func TestChangedLimits(t *testing.T) {
	t.Parallel()
	const before, after = 1000, 2000
	w := newWorld(t, nil)
	process := w.start()
	d := w.deal(3)
	d.stop(4)
	process.Stop()
	w.limits = "min: 20\n"
	process = w.start()
	now := w.look()
	running := now.await("the round under way", func(v display.View) bool { return v.Seq > 0 })
	if running.Round != 1 || running.Phase == display.PhaseIdle || running.Min != before {
		t.Errorf("after the restart round %d is in phase %s with minimum %d", running.Round, running.Phase, running.Min)
	}
	d.goOn(nil)
	next := now.await("the next round", func(v display.View) bool { return v.Round == 2 })
	if next.Min != after {
		t.Errorf("the minimum of round 2 is %d, not %d", next.Min, after)
	}
	w.check(d.finish(), 3)
	process.Stop()
	inputs, _ := w.records()
	if n := strings.Count(inputs, `{"in":"setup"`); n != 2 {
		t.Errorf("the table was set up %d times, not twice", n)
	}
}

// TestRestartWhileHeld kills the daemon while the round is held: it is held
// afterwards, by the same, with the same choices.
func TestRestartWhileHeld(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	process := w.start()
	d := w.deal(2)
	d.stop(2)
	var drawn card.Card
	d.goOn(func(s *shoesim.Shoe) (card.Card, []card.Card, error) {
		var err error
		drawn, err = s.DrawUnread()
		return drawn, []card.Card{card.Unread}, err
	})
	choices := []string{"identify", "burn", "void-round"}
	d.awaitHeld("unread-card", choices...)
	process.Kill()
	process = w.start()
	now := w.look()
	now.awaitHeld("unread-card", choices...)
	now.resolve(table.Identify, drawn)
	w.check(d.finish(), 2, "unread-card")
	process.Stop()
}
