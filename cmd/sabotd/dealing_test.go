package main

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/internal/testkit/processes"
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/sim-hardware/keysim"
	"github.com/sabot-table/sabot/sim-hardware/shoesim"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/vocab"
)

// viewer looks at a world's table through its page, and may press keys.
type viewer struct {
	t      *testing.T
	ctx    context.Context
	remote *processes.Remote
}

// look opens the page again, until the test ends.
func (w *world) look() *viewer { return w.lookAt(processes.NewRemote("http://" + w.page + "/")) }

// lookAt follows the table at a place, until the test ends.
func (w *world) lookAt(remote *processes.Remote) *viewer {
	ctx, cancel := context.WithCancel(w.t.Context())
	w.t.Cleanup(cancel)
	v := &viewer{t: w.t, ctx: ctx, remote: remote}
	go v.remote.Follow(ctx)
	return v
}

// dealing is a dealer at the page, whom a test can stop before any card.
type dealing struct {
	*viewer
	hand  *hand
	ended chan error
}

// deal makes the dealer deal this many rounds, or until the test ends.
func (w *world) deal(rounds uint64) *dealing { return w.dealBy(w.look(), rounds) }

// dealBy makes the dealer deal there.
func (w *world) dealBy(at *viewer, rounds uint64) *dealing {
	d := &dealing{viewer: at, ended: make(chan error, 1)}
	d.hand = &hand{Shoe: w.shoe, ctx: d.ctx, changed: make(chan struct{})}
	go func() {
		dealer := &keysim.Dealer{
			Shoe: d.hand, Display: patient{d.remote}, Press: d.remote.Press, Rounds: rounds, Seed: 7, Log: quiet(),
		}
		d.ended <- dealer.Run(d.ctx)
	}()
	return d
}

// finish returns what the shoe reported, once all rounds are dealt.
func (d *dealing) finish() []card.Card {
	d.t.Helper()
	select {
	case err := <-d.ended:
		if err != nil {
			d.t.Fatalf("the dealer could not go on: %v", err)
		}
	case <-time.After(2 * processes.Deadline):
		d.t.Fatalf("the dealer did not come to an end; the hand drew %d cards", len(d.hand.cards()))
	}
	return d.hand.cards()
}

// await returns the first view that meets the condition.
func (p *viewer) await(what string, wanted func(display.View) bool) display.View {
	p.t.Helper()
	return p.remote.Sees(p.t, what, wanted)
}

// awaitHeld returns the view that shows the table held for this, and nothing else.
func (p *viewer) awaitHeld(code irregularity.Code, choices ...irregularity.Choice) display.View {
	p.t.Helper()
	v := p.await(code.String(), func(v display.View) bool { return v.Held != nil && v.Held.Code == code })
	if !slices.Equal(v.Held.Choices, choices) {
		p.t.Errorf("the choices of %s are %v, not %v", code, v.Held.Choices, choices)
	}
	return v
}

// resolve puts right what holds the round, at the page.
func (p *viewer) resolve(with irregularity.Choice, c card.Card) {
	p.t.Helper()
	in := vocab.Input{Kind: vocab.InResolve, With: with, Card: c, By: "supervisor-1"}
	if refused, err := p.remote.Press(p.ctx, in); refused != 0 || err != nil {
		p.t.Fatalf("resolving by %s was refused: %s, %v", with, refused, err)
	}
}

// stop returns when the hand is about to draw a card, after n more. The dealer waits until
// goOn.
func (d *dealing) stop(n int) {
	d.t.Helper()
	d.hand.stopAfter(n)
	ctx, cancel := context.WithTimeout(d.ctx, processes.Deadline)
	defer cancel()
	if !d.hand.await(ctx, func() bool { return d.hand.stopped }) {
		d.t.Fatalf("the hand drew %d cards and no more", len(d.hand.cards()))
	}
}

// goOn lets the hand take the card before which it was stopped, in this way; nil is the
// usual way.
func (d *dealing) goOn(draw drawing) { d.hand.goOn(draw) }

// drawing takes a card out of the shoe and returns what the shoe reports of it.
type drawing func(*shoesim.Shoe) (drawn card.Card, told []card.Card, err error)

func asUsual(s *shoesim.Shoe) (card.Card, []card.Card, error) {
	c, err := s.Draw()
	return c, []card.Card{c}, err
}

// patient hides a held round that a person has to put right: the dealer waits.
type patient struct{ *processes.Remote }

func (p patient) Await(ctx context.Context, wanted func(display.View) bool) (display.View, error) {
	return p.Remote.Await(ctx, func(v display.View) bool {
		return (v.Held == nil || len(v.Held.Choices) == 0) && wanted(v)
	})
}

// hand is the dealer's hand; it remembers what the shoe reported, and can be stopped.
type hand struct {
	*shoesim.Shoe
	ctx context.Context

	mu      sync.Mutex
	told    []card.Card
	limit   int // the cards after which the hand stops, if armed
	armed   bool
	stopped bool
	draw    drawing // how the card before which it stopped is drawn
	changed chan struct{}
}

// Draw takes a card out, but first waits where it was to be stopped.
func (h *hand) Draw() (card.Card, error) {
	h.change(func() { h.stopped = h.armed && len(h.told) >= h.limit })
	if !h.await(h.ctx, func() bool { return !h.stopped }) {
		return card.None, h.ctx.Err()
	}
	var drawn card.Card
	var err error
	h.change(func() {
		draw := h.draw
		if h.draw = nil; draw == nil {
			draw = asUsual
		}
		var told []card.Card
		drawn, told, err = draw(h.Shoe)
		h.told = append(h.told, told...)
	})
	return drawn, err
}

func (h *hand) stopAfter(n int) {
	h.change(func() { h.armed, h.limit = true, len(h.told)+n })
}

func (h *hand) goOn(draw drawing) {
	h.change(func() { h.armed, h.stopped, h.draw = false, false, draw })
}

func (h *hand) change(what func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	what()
	close(h.changed)
	h.changed = make(chan struct{})
}

// await waits for a condition, and reports whether it was met before ctx ended.
func (h *hand) await(ctx context.Context, holds func() bool) bool {
	for {
		h.mu.Lock()
		done, changed := holds(), h.changed
		h.mu.Unlock()
		if done {
			return true
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return false
		}
	}
}

// cards are all the cards that the shoe had to report.
func (h *hand) cards() []card.Card {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.told)
}
