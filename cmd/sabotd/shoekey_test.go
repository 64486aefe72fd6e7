package main

import (
	"strings"
	"testing"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/internal/testkit/brokertest"
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/vocab"
)

// newShoeKeys makes a world whose shoe has keys for card and rest, and only sixes.
func newShoeKeys(t *testing.T) *rotation {
	t.Helper()
	r := newRotation(t, card.Of(6, card.Hearts))
	r.w.shoeMore = ", keys: {1: card, 2: rest}"
	return r
}

// tap presses a key at the shoe and releases it.
func (r *rotation) tap(t *testing.T, number uint8) {
	t.Helper()
	for _, down := range []bool{true, false} {
		if err := r.shoes[0].Key(number, down); err != nil {
			t.Fatal(err)
		}
	}
}

// draw draws a card, after which the view is as wanted.
func (r *rotation) draw(t *testing.T, look *viewer, what string, then func(display.View) bool) {
	t.Helper()
	if _, err := r.shoes[0].Draw(); err != nil {
		t.Fatal(err)
	}
	look.await(what, then)
}

// toDecide deals a round up to the first call of box 1.
func (r *rotation) toDecide(t *testing.T) *viewer {
	t.Helper()
	look := r.w.look()
	look.press(
		vocab.Input{Kind: vocab.InOpen},
		vocab.Input{Kind: vocab.InStake, Box: 1, Bettor: "anna", Wager: vocab.WagerMain, Amount: 2000, Stated: true},
		vocab.Input{Kind: vocab.InClose},
	)
	for range 3 {
		look.await("a card is due", cardDue)
		before := look.await("the table", func(display.View) bool { return true }).Seq
		r.draw(t, look, "the card", func(v display.View) bool { return v.Seq > before })
	}
	look.await("a decision", callDue)
	return look
}

func cardDue(v display.View) bool { return v.Due.To == vocab.ToBox || v.Due.To == vocab.ToBank }
func callDue(v display.View) bool { return v.Due.To == vocab.ToCall }

// count counts the journal's lines that contain a text.
func (r *rotation) count(text string) int {
	inputs, _ := r.w.records()
	return strings.Count(inputs, text)
}

// TestKeysAtTheShoe: a key at the shoe is on record as the shoe's event, and then puts in the
// call that the configuration names, as a key of the panel does.
func TestKeysAtTheShoe(t *testing.T) {
	t.Parallel()
	r := newShoeKeys(t)
	process := r.w.start()
	look := r.toDecide(t)
	r.tap(t, 1)
	look.await("the card that was called", cardDue)
	r.draw(t, look, "another decision", callDue)
	r.tap(t, 3) // does nothing
	r.tap(t, 2)
	look.await("a card for the bank", func(v display.View) bool { return v.Due.To == vocab.ToBank })
	r.tap(t, 1) // refused
	logs(t, process, "a press was not taken")
	r.stored(t, 0)
	process.Stop()
	for text, want := range map[string]int{
		`"event":"note","code":"key 1"`: 2, `"event":"note","code":"key 2"`: 1, `"event":"note","code":"key 3"`: 1,
		`"code":"other key-released 1"`: 2, `"call":"card"`: 2, `"call":"rest"`: 1, `{"in":"call"`: 3,
	} {
		if got := r.count(text); got != want {
			t.Errorf("the journal has %s %d times, not %d times", text, got, want)
		}
	}
	r.w.audited(1)
}

// TestKeyAtTheShoeOverARestart: the shoe never hears that the press of a key is stored. After
// a restart it reports the key again, which must not call a second time.
func TestKeyAtTheShoeOverARestart(t *testing.T) {
	t.Parallel()
	r := newShoeKeys(t)
	process := r.w.start()
	look := r.toDecide(t)
	r.stored(t, 0)
	r.deaf.Store(true)
	r.tap(t, 1)
	look.await("the card that was called", cardDue)
	// The dealer sees a call before it is stored.
	brokertest.Until(t, "the journal has the call", func() bool { return r.count(`{"in":"call"`) == 1 })
	process.Kill()
	r.deaf.Store(false)
	process = r.w.start()
	r.stored(t, 0)
	r.draw(t, r.w.look(), "another decision", callDue)
	r.stored(t, 0)
	process.Stop()
	if notes, calls := r.count(`"code":"key 1"`), r.count(`{"in":"call"`); notes != 1 || calls != 1 {
		t.Errorf("one press was %d notes and %d calls", notes, calls)
	}
	r.w.audited(1)
}

// TestKeyAtTheShoeWhileTheCableIsOut: what was pressed while nobody could see that nothing
// happened is on record, and calls nothing.
func TestKeyAtTheShoeWhileTheCableIsOut(t *testing.T) {
	t.Parallel()
	r := newShoeKeys(t)
	process := r.w.start()
	look := r.toDecide(t)
	if err := r.shoes[0].Unplug(); err != nil {
		t.Fatal(err)
	}
	look.await("no shoe", func(v display.View) bool { return !v.Shoe.Online })
	r.tap(t, 1)
	r.plug(t, 0)
	look.await("the shoe", func(v display.View) bool { return v.Shoe.Online })
	r.stored(t, 0)
	logs(t, process, "it came late: press it again")
	r.tap(t, 1)
	look.await("the card that was called", cardDue)
	r.stored(t, 0)
	process.Stop()
	if notes, calls := r.count(`"code":"key 1"`), r.count(`{"in":"call"`); notes != 2 || calls != 1 {
		t.Errorf("two presses were %d notes and %d calls", notes, calls)
	}
	r.w.audited(1)
}
