package main

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/brokertest"
	"github.com/sabot-table/sabot/internal/testkit/processes"
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/shoe/makes"
	"github.com/sabot-table/sabot/sim-hardware/shoesim"
	"github.com/sabot-table/sabot/table/irregularity"
)

// TestShoesThatKeepNoCard: after every lost link and every start in mid-round a table with
// such a shoe is held, until a person has said what lies on it.
func TestShoesThatKeepNoCard(t *testing.T) {
	for _, m := range makes.All {
		if m.Keeps {
			continue
		}
		t.Run(m.Name, func(t *testing.T) {
			t.Parallel()
			w := newWorldWith(t, shoesim.Options{Kind: shoesim.Kind(m.Name)})
			process := w.start()
			w.asked()
			d := w.deal(3)
			w.drawUnseen(d)

			// A kill in mid-round, in which no card leaves.
			d.stop(3)
			w.quiet()
			brokertest.Until(t, "the journal has all cards, which the display shows before", func() bool {
				inputs, _ := w.records()
				return cardsOf(inputs) == names(d.hand.cards())
			})
			process.Kill()
			process = w.start()
			now := w.look()
			now.awaitHeld(irregularity.LostCards, whatLies...)
			now.resolve(irregularity.NoneDrawn, card.None)
			d.goOn(nil)

			told := d.finish()
			process.Stop()
			inputs, outputs := w.records()
			if got := cardsOf(inputs); got != names(told) {
				t.Errorf("the journal has other cards than the shoe told\ntold    %s\njournal %s", names(told), got)
			}
			if got := irregular(outputs); !slices.Equal(got, []string{"lost-cards", "lost-cards", "lost-cards"}) {
				t.Errorf("the irregularities are %v", got)
			}
			if !strings.Contains(inputs, `"code":"gap between rounds"`) {
				t.Error("the first start, with no round running, left no note")
			}
		})
	}
}

// asked waits until the first start has asked for lost cards, with no round running: only a note. A round that was
// opened before would be held.
func (w *world) asked() {
	w.t.Helper()
	brokertest.Until(w.t, "the shoe's first link is on record", func() bool {
		inputs, _ := w.records()
		return strings.Contains(inputs, `"code":"gap between rounds"`)
	})
}

var whatLies = []irregularity.Choice{irregularity.Identify, irregularity.NoneDrawn, irregularity.VoidRound}

// drawUnseen pulls the cable, draws a card that is not reported, and has it identified.
func (w *world) drawUnseen(d *dealing) {
	w.t.Helper()
	d.stop(4)
	lost := make(chan card.Card, 1)
	d.goOn(func(s *shoesim.Shoe) (card.Card, []card.Card, error) {
		unplugged := s.Unplug()
		drawn, err := s.Draw()
		lost <- drawn
		w.quiet()
		return drawn, nil, errors.Join(unplugged, err, s.Replug())
	})
	d.awaitHeld(irregularity.LostCards, whatLies...)
	d.resolve(irregularity.Identify, processes.Take(w.t, "the card", lost))
	d.awaitHeld(irregularity.LostCards, whatLies...)
	d.resolve(irregularity.NoneDrawn, card.None)
}

// quiet waits until the shoe has nothing more to send, and the table nothing more to read.
func (w *world) quiet() {
	if _, err := w.shoe.Await(w.t.Context(), func(s shoesim.State) bool { return s.Quiet }); err != nil {
		w.t.Error(err)
	}
}
