package secondbook

import (
	"fmt"
	"slices"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

// wrongCall is why a call may not be made for the hand that is due, by the house's sheet.
func (b *Book) wrongCall(in *vocab.Input) error {
	if in.Kind != vocab.InCall || b.james() {
		return nil
	}
	r := b.page.row(place{b.due.Box, b.due.Hand})
	if r == nil {
		return nil
	}
	var wrong string
	switch in.Call {
	case vocab.CallDouble:
		wrong = b.wrongDouble(r)
	case vocab.CallSplit:
		wrong = b.wrongSplit(r)
	}
	if wrong == "" {
		return nil
	}
	return fmt.Errorf("%s, %s with %s: %s", r.place, in.Call, names(r.laid()), wrong)
}

// timesOn is how often the stake of whoever has most lies on a hand.
func (p *page) timesOn(at place) (most int64) {
	for i := range p.wagers {
		if w := &p.wagers[i]; w.place == at {
			most = max(most, w.times)
		}
	}
	return most
}

// wrongDouble reads when a stake may be doubled, "" if it may here.
func (b *Book) wrongDouble(r *row) string {
	d := &b.rules.Double
	total, soft := count(r.laid())
	cards := 2
	if d.MostCards != nil {
		cards = *d.MostCards
	}
	switch lies := b.page.timesOn(r.place); {
	case !d.Allowed:
		return "nothing is doubled in this house"
	case lies == 2 && d.Again != nil && *d.Again && total < 21:
		return ""
	case lies > 1:
		return "it is doubled already"
	case int(r.n) > cards:
		return fmt.Sprintf("only up to %d cards are doubled", cards)
	case len(d.On) > 0 && !slices.Contains(d.On, total):
		return fmt.Sprintf("%d is not a total that is doubled", total)
	case soft && d.HardOnly:
		return "only hard totals are doubled"
	case b.page.hands(r.box) > 1 && !d.AfterSplit:
		return "nothing is doubled after a split"
	}
	return ""
}

// wrongSplit reads when a hand may be split, "" if it may here.
func (b *Book) wrongSplit(r *row) string {
	s := &b.rules.Split
	hands := b.page.hands(r.box)
	switch {
	case r.n != 2 || worth(r.cards[0]) != worth(r.cards[1]):
		return "these are no pair"
	case s.Max != rules.Unlimited && hands > s.Max:
		return fmt.Sprintf("the box has %d hands already", hands)
	case r.cards[0].Rank() == card.Ace && hands > 1 && !s.AcesAgain && b.page.splitAces(r.box):
		return "aces are split once"
	}
	return ""
}

// splitAces reports whether a box with several hands has split aces.
func (p *page) splitAces(box uint8) bool {
	for i := range p.rows {
		if r := &p.rows[i]; r.box == box && (r.n == 0 || r.cards[0].Rank() != card.Ace) {
			return false
		}
	}
	return true
}
