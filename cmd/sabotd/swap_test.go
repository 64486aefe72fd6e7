package main

import (
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/internal/testkit/processes"
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/sim-hardware/shoesim"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/vocab"
)

// rotation is some shoes that take turns at one port.
type rotation struct {
	w     *world
	shoes []*shoesim.Shoe
	// deaf: nothing that the host sends reaches the first shoe.
	deaf atomic.Bool
}

// newRotation makes a world with several shoes, of which the first is plugged in. Each
// gives a card of its own over and over.
func newRotation(t *testing.T, cards ...card.Card) *rotation {
	t.Helper()
	r := &rotation{}
	port := filepath.Join(t.TempDir(), "shoe")
	for i, c := range cards {
		s, err := shoesim.New(shoesim.Options{
			Cards: []card.Card{c, c, c, c, c, c, c, c}, Link: port, Boot: 100 * uint32(i+1),
			FromHost: func(p []byte) []byte {
				if i == 0 && r.deaf.Load() {
					return nil
				}
				return p
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { s.Close() })
		if err := s.Unplug(); err != nil {
			t.Fatal(err)
		}
		r.shoes = append(r.shoes, s)
	}
	r.plug(t, 0)
	r.w = newWorldOn(t, port)
	return r
}

// plug puts a shoe on the line.
func (r *rotation) plug(t *testing.T, i int) {
	t.Helper()
	if err := r.shoes[i].Replug(); err != nil {
		t.Fatal(err)
	}
}

// swap replaces the shoe on the line, and waits until the table has noticed: it is held,
// and the new shoe's hello is on record.
func (r *rotation) swap(t *testing.T, from, to int) {
	t.Helper()
	if err := r.shoes[from].Unplug(); err != nil {
		t.Fatal(err)
	}
	look := r.w.look()
	look.await("no shoe", func(v display.View) bool { return !v.Shoe.Online })
	r.plug(t, to)
	look.await("a shoe", func(v display.View) bool {
		return v.Shoe.Online && v.Held != nil && v.Held.Code == irregularity.LostCards
	})
}

// press presses keys at the page, which must all be taken.
func (p *viewer) press(inputs ...vocab.Input) {
	p.t.Helper()
	for _, in := range inputs {
		if refused, err := p.remote.Press(p.ctx, in); refused != 0 || err != nil {
			p.t.Fatalf("%s was refused: %s, %v", in.Kind, refused, err)
		}
	}
}

// stored waits until the shoe on the line has nothing left to report.
func (r *rotation) stored(t *testing.T, i int) {
	t.Helper()
	done := func(s shoesim.State) bool { return s.InSession && s.Queued == 0 }
	if _, err := r.shoes[i].Await(t.Context(), done); err != nil {
		t.Fatal(err)
	}
}

// noneDrawn says, as often as the table asks, that the cards lie as it shows them.
func (p *viewer) noneDrawn() {
	p.t.Helper()
	for {
		v := p.await("a table that is held by the shoes, or goes on", func(v display.View) bool {
			return v.Shoe.Online
		})
		if v.Held == nil {
			return
		}
		p.resolve(irregularity.NoneDrawn, card.None)
		p.await("the next thing", func(now display.View) bool { return now.Seq > v.Seq })
	}
}

// dealTwo deals two cards of the first shoe, the second of which is stored but never
// acknowledged.
func (r *rotation) dealTwo(t *testing.T) *viewer {
	t.Helper()
	look := r.w.look()
	look.press(
		vocab.Input{Kind: vocab.InOpen},
		vocab.Input{Kind: vocab.InStake, Box: 1, Bettor: "anna", Wager: vocab.WagerMain, Amount: 2000, Stated: true},
		vocab.Input{Kind: vocab.InStake, Box: 2, Bettor: "ben", Wager: vocab.WagerMain, Amount: 2000, Stated: true},
		vocab.Input{Kind: vocab.InClose},
	)
	draw := func(boxes int) {
		t.Helper()
		if _, err := r.shoes[0].Draw(); err != nil {
			t.Fatal(err)
		}
		look.await("the card", func(v display.View) bool {
			dealt := 0
			for _, b := range v.Boxes {
				if len(b.Hands) > 0 && len(b.Hands[0].Cards) > 0 {
					dealt++
				}
			}
			return dealt == boxes
		})
	}
	draw(1)
	r.stored(t, 0)
	r.deaf.Store(true)
	draw(2)
	return look
}

// twoCards checks that the journal has two cards, and that the audit is content.
func (r *rotation) twoCards(t *testing.T, process *processes.Process, want string) {
	t.Helper()
	process.Stop()
	inputs, _ := r.w.records()
	if got := cardsOf(inputs); got != want {
		t.Errorf("the journal has the cards %s, and %s left the shoes:\n%s", got, want, inputs)
	}
	r.w.audited(1)
}

// TestShoeBackAfterARestart: a card is stored, but the shoe never hears of it; another shoe
// takes its place, and the daemon is started again. The first shoe comes back and reports
// its card again, which must not be dealt twice.
func TestShoeBackAfterARestart(t *testing.T) {
	t.Parallel()
	king, five := card.Of(13, card.Spades), card.Of(5, card.Hearts)
	r := newRotation(t, king, five)
	process := r.w.start()
	r.dealTwo(t)
	r.swap(t, 0, 1)
	process.Kill()
	process = r.w.start()
	r.w.look().await("the second shoe", func(v display.View) bool { return v.Shoe.Online && v.Held != nil })
	r.deaf.Store(false)
	r.swap(t, 1, 0)
	r.stored(t, 0)
	r.w.look().noneDrawn()
	r.twoCards(t, process, names([]card.Card{king, king}))
}

// TestShoeBackAfterTwoOthers: as above with three shoes, while the daemon runs.
func TestShoeBackAfterTwoOthers(t *testing.T) {
	t.Parallel()
	king, five, six := card.Of(13, card.Spades), card.Of(5, card.Hearts), card.Of(6, card.Clubs)
	r := newRotation(t, king, five, six)
	process := r.w.start()
	r.dealTwo(t)
	r.swap(t, 0, 1)
	r.swap(t, 1, 2)
	r.deaf.Store(false)
	r.swap(t, 2, 0)
	r.stored(t, 0)
	r.w.look().noneDrawn()
	r.twoCards(t, process, names([]card.Card{king, king}))
}
