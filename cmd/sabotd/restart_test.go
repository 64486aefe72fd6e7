package main

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/internal/testkit/journaltest"
	"github.com/sabot-table/sabot/internal/testkit/processes"
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/sim-hardware/shoesim"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/vocab"
)

// TestChangedLimits starts the daemon with another minimum in mid-round: the round
// continues by its own rules, the next one has the new ones.
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
	if running.Round != 1 || running.Phase == vocab.Idle || running.Min != before {
		t.Errorf("after the restart round %d is in phase %s with minimum %d", running.Round, running.Phase, running.Min)
	}
	d.goOn(nil)
	next := now.await("the next round", func(v display.View) bool { return v.Round >= 2 })
	if next.Min != after {
		t.Errorf("the minimum of round %d is %d, not %d", next.Round, next.Min, after)
	}
	w.check(d.finish(), 3)
	process.Stop()
	inputs, _ := w.records()
	for put, want := range map[string]int{`{"in":"setup"`: 1, `{"in":"limits"`: 1} {
		if n := strings.Count(inputs, put); n != want {
			t.Errorf("the record has %s %d times, not %d", put, n, want)
		}
	}
}

// TestHouseFileEditedInMidRound: the journal has the rules of the open round, and it is
// finished by them. The next one has the edited rules.
func TestHouseFileEditedInMidRound(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	file := filepath.Join(w.dir, "mine.yaml")
	w.house = "house_file: " + file
	write(t, file, mine)
	process := w.start()
	d := w.deal(2)
	d.stop(4)
	process.Stop()
	write(t, file, strings.Replace(mine, "min: 20", "min: 50", 1))

	process = w.start()
	now := w.look()
	running := now.await("the round under way", func(v display.View) bool { return v.Seq > 0 })
	if running.Round != 1 || running.Held != nil || running.Min != 2000 {
		t.Errorf("after the restart round %d is held by %+v, with minimum %d", running.Round, running.Held, running.Min)
	}
	d.goOn(nil)
	next := now.await("the next round", func(v display.View) bool { return v.Round == 2 })
	if next.Min != 5000 {
		t.Errorf("the minimum of round 2 is %d", next.Min)
	}
	d.finish()
	process.Stop()
	inputs, outputs := w.records()
	if n := strings.Count(outputs, `{"out":"finished"`); n != 2 || strings.Count(inputs, `{"in":"setup"`) != 2 ||
		len(irregular(outputs)) != 0 {
		t.Errorf("%d rounds were finished by\n%s", n, inputs)
	}
}

// TestRoundThatCannotBePlayedAgain: the open round is recorded as another program would
// have answered. The daemon starts all the same, a supervisor voids the round at the page,
// and the next one is dealt, also after another restart in the middle of that.
func TestRoundThatCannotBePlayedAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	w.unsealed, w.alone = true, true // with a broker it would be sealed
	process := w.start()
	w.deal(1).stop(4)
	process.Stop()
	f := journaltest.Open(t, w.path)
	for _, row := range f.Rows() {
		row.Outputs = strings.Replace(row.Outputs, `"soft":false`, `"soft":true`, 1)
	}
	f.Rechain()
	f.Save(journaltest.Leave)

	process = w.start()
	logs(t, process, "THE OPEN ROUND CANNOT BE REPLAYED AS IT WAS RECORDED", "THE TABLE'S RECORD IS IN DOUBT")
	held := w.look().awaitHeld(irregularity.ReplayDiffers, irregularity.VoidRound)
	if !strings.Contains(held.Held.Found, "answered differently") || held.Round != 1 {
		t.Errorf("round %d is held by %+v", held.Round, held.Held)
	}
	process.Kill()
	process = w.start()
	now := w.look()
	now.awaitHeld(irregularity.ReplayDiffers, irregularity.VoidRound)
	now.resolve(irregularity.VoidRound, card.None)
	if refused, err := now.remote.Press(now.ctx, vocab.Input{Kind: vocab.InPaid}); refused != 0 || err != nil {
		t.Fatalf("the void round could not be closed: %s, %v", refused, err)
	}
	w.deal(1).finish()
	process.Stop()
	_, outputs := w.records()
	if got := irregular(outputs); !slices.Equal(got, []string{"replay-differs"}) {
		t.Errorf("the irregularities are %v", got)
	}
	if !strings.Contains(outputs, `"outcome":"void","why":"void-round"`) ||
		strings.Count(outputs, `{"out":"finished"`) != 2 {
		t.Error("no stake of the void round came back, or the next one was not dealt")
	}
}

// TestRestartWhileHeld kills the daemon while the round is held: it is still held
// afterwards, for the same reason, with the same choices.
func TestRestartWhileHeld(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	process := w.start()
	d := w.deal(2)
	d.stop(2)
	seen := make(chan card.Card, 1)
	d.goOn(func(s *shoesim.Shoe) (card.Card, []card.Card, error) {
		drawn, err := s.DrawUnread()
		seen <- drawn
		return drawn, []card.Card{card.Unread}, err
	})
	choices := []irregularity.Choice{irregularity.Identify, irregularity.Burn, irregularity.VoidRound}
	d.awaitHeld(irregularity.UnreadCard, choices...)
	process.Kill()
	process = w.start()
	now := w.look()
	now.awaitHeld(irregularity.UnreadCard, choices...)
	now.resolve(irregularity.Identify, processes.Take(t, "the card", seen))
	w.check(d.finish(), 2, "unread-card")
	process.Stop()
}
