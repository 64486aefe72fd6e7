package main

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sabot-table/sabot/internal/testkit/tier"
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/sim-hardware/shoesim"
	"github.com/sabot-table/sabot/table/irregularity"
)

// TestReportsOfAnUnexpectedLength: an Angel Eye's report with a right checksum and a byte more than is known does not
// hold the round, and is on record with its bytes.
func TestReportsOfAnUnexpectedLength(t *testing.T) {
	t.Parallel()
	w := newWorldWith(t, shoesim.Options{Kind: shoesim.AngelEye})
	process := w.start()
	w.asked()
	d := w.deal(3)
	for range 3 {
		d.stop(2)
		d.goOn(func(s *shoesim.Shoe) (card.Card, []card.Card, error) {
			told := s.Report('P', 0x80)
			c, err := s.Draw()
			return c, []card.Card{c}, errors.Join(told, err)
		})
	}
	w.check(d.finish(), 3)
	process.Stop()
	inputs, _ := w.records()
	if n := strings.Count(inputs, `"code":"other not-understood 05 `); n != 3 {
		t.Errorf("%d reports that are not understood are on record with their bytes, not 3:\n%s", n, inputs)
	}
}

// TestMixedCopies: the copies of reports that wait at the same time come in turn. Each card is one card.
func TestMixedCopies(t *testing.T) {
	tier.Soak(t, "built programs run for seconds")
	tier.Landing(t, "the shoe waits between its copies")
	t.Parallel()
	w := newWorldWith(t, shoesim.Options{
		Kind:     shoesim.AngelEye,
		AngelEye: shoesim.AngelEyeOptions{Mixed: true, CopyEvery: 8 * time.Millisecond},
	})
	process := w.start()
	w.asked()
	rounds := tier.Times[uint64](2, 5)
	told := w.deal(rounds).finish()
	w.quiet()
	process.Stop()
	w.check(told, int(rounds))
}

// TestControlCharacters: what is no text on a Bee-Tek's line may be what is left of a card. It is counted, and the
// round is held until a person has looked; the ends of lines are the shoe's own.
func TestControlCharacters(t *testing.T) {
	t.Parallel()
	w := newWorldWith(t, shoesim.Options{Kind: shoesim.BeeTek})
	process := w.start()
	w.asked()
	d := w.deal(2)
	saying := func(text string) drawing {
		return func(s *shoesim.Shoe) (card.Card, []card.Card, error) {
			told := s.Write(text)
			c, err := s.Draw()
			return c, []card.Card{c}, errors.Join(told, err)
		}
	}
	d.stop(2)
	d.goOn(saying("\r\n \n"))
	d.stop(2)
	d.goOn(saying("\x00\x07"))
	d.awaitHeld(irregularity.LostCards, whatLies...)
	d.resolve(irregularity.NoneDrawn, card.None)
	told := d.finish()
	logs(t, process, "damaged text from the shoe")
	process.Stop()
	inputs, outputs := w.records()
	if got := cardsOf(inputs); got != names(told) {
		t.Errorf("the journal has other cards than the shoe told\ntold    %s\njournal %s", names(told), got)
	}
	if got := irregular(outputs); !slices.Equal(got, []string{"lost-cards"}) {
		t.Errorf("the irregularities are %v", got)
	}
}
