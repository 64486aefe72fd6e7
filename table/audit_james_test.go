package table_test

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table"
)

// This file is Black James a second time. (Baden.)

// rises compares two cards' ranks, the ace high: 1 where the second is higher, 0
// where they are equal.
func rises(first, second card.Card) int {
	const order = "23456789TJQKA"
	a, b := strings.IndexByte(order, first.String()[0]), strings.IndexByte(order, second.String()[0])
	switch {
	case b > a:
		return 1
	case b < a:
		return -1
	}
	return 0
}

// pointsTold: the first card is a point, and each that was forecast rightly; equal
// is right.
func (p *page) pointsTold(h *row, out table.Output) error {
	n := len(h.cards)
	wrong := -1
	if p.forecast == table.CallLower {
		wrong = 1
	}
	if n == 1 || rises(h.cards[n-2], h.cards[n-1]) != wrong {
		h.points++
	}
	if !out.Points || int(out.Total) != h.points {
		return fmt.Errorf("%v has %d points after %s, told were %d", h.cards, h.points, p.forecast, out.Total)
	}
	return nil
}

// bankPointsTold: each card that lies at the bank was forecast rightly.
func (p *page) bankPointsTold(out table.Output) error {
	n := len(p.bank)
	if !out.Points || int(out.Total) != n || n > 1 && !bankRight(p.bank[n-2], p.bank[n-1]) {
		return fmt.Errorf("the bank has %v, told were %d points", p.bank, out.Total)
	}
	return nil
}

// bankRight: the bank forecasts higher after 2 to 8, lower after 9 to ace; equal is
// wrong.
func bankRight(last, next card.Card) bool {
	if rankIn(last, "2345678") {
		return rises(last, next) > 0
	}
	return rises(last, next) < 0
}

// pointsBring is what a box must bring at this moment. (Black James 4, 5 and 8.)
func (p *page) pointsBring(h *row) (verdict, error) {
	right, bank := h.points == len(h.cards), len(p.bank)
	switch {
	case natural(h.cards) && right:
		return won("blackjack", andAHalf), nil
	case natural(h.cards):
		return verdict{outcome: table.StandOff, why: "wrong-forecast-blackjack"}, nil
	case !right:
		return lost("wrong-forecast"), nil
	case h.points == 5 && h.points > bank:
		return won("five-card-trick", andAHalf), nil
	case h.points == 5 && h.points == bank:
		return won("five-card-trick", one), nil
	case h.points == 5:
		return lost("five-card-trick"), nil
	case bankRight(p.bank[bank-1], p.aside):
		return verdict{}, fmt.Errorf("decided while the bank has %v and may draw", p.bank)
	case h.points >= bank:
		return won("points", one), nil
	}
	return lost("points"), nil
}

// bankForecast: the bank draws until a forecast is wrong, and nothing where no box
// waits for it. (Black James 6 and 7.)
func (p *page) bankForecast() error {
	waiting := false
	for _, b := range p.boxes {
		for _, h := range b.hands {
			waiting = waiting || slices.ContainsFunc(h.wagers, func(w wager) bool { return w.why == table.WhyPoints })
		}
	}
	if !waiting && len(p.bank) != 1 {
		return fmt.Errorf("the bank drew %v, and no box waited", p.bank)
	}
	return nil
}
