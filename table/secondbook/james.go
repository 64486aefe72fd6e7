package secondbook

import (
	"fmt"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/vocab"
)

// This file is Black James. (Baden.)

// trick is the most points that a box can have.
const trick = 5

// rises compares two cards' ranks, the ace high: 1 where the second is higher, 0 where
// they are equal.
func rises(first, second card.Card) int {
	const order = "?A23456789TJQK"
	high := func(c card.Card) int {
		if order[c.Rank()] == 'A' {
			return len(order)
		}
		return int(c.Rank())
	}
	switch a, b := high(first), high(second); {
	case b > a:
		return 1
	case b < a:
		return -1
	}
	return 0
}

// checkPoints: the first card is a point, and each card that was forecast correctly; equal
// is correct.
func (b *Book) checkPoints(r *row, out *vocab.Output) error {
	wrong := -1
	if b.page.forecast == vocab.CallLower {
		wrong = 1
	}
	if r.n == 1 || rises(r.cards[r.n-2], r.cards[r.n-1]) != wrong {
		r.points++
	}
	if !out.Points || int(out.Total) != int(r.points) {
		return fmt.Errorf("%s has %s and called %s: %d points; recorded: %d", r.place, names(r.laid()), b.page.forecast,
			r.points, out.Total)
	}
	return nil
}

// checkBankPoints: each card of the bank was forecast correctly.
func (p *page) checkBankPoints(out *vocab.Output) error {
	n := len(p.bank)
	if !out.Points || int(out.Total) != n || n > 1 && !bankRight(p.bank[n-2], p.bank[n-1]) {
		return fmt.Errorf("the bank has %s; recorded: %d points", names(p.bank), out.Total)
	}
	return nil
}

// bankRight: the bank forecasts higher after 2 to 8, lower after 9 to ace; equal is
// wrong.
func bankRight(last, next card.Card) bool {
	if rank := last.Rank(); rank >= 2 && rank <= 8 {
		return rises(last, next) > 0
	}
	return rises(last, next) < 0
}

// pointsBring is what a box must bring at this moment. (Black James 4, 5 and 8.)
func (b *Book) pointsBring(r *row) (verdict, error) {
	p, pays := &b.page, &b.rules.Pays
	right, points, bank := r.points == r.n, int(r.points), len(p.bank)
	because := reason{text: "points against the bank's", hand: r.laid(), points: points, game: bank}
	switch {
	case natural(r.laid()) && right:
		return won(vocab.WhyBlackJack, pays.BlackJack, because), nil
	case natural(r.laid()):
		return tied(vocab.WhyWrongForecastBlackJack, because), nil
	case !right:
		return lost(vocab.WhyWrongForecast, because), nil
	case points == trick && points > bank:
		return won(vocab.WhyFiveCardTrick, pays.FiveCardTrick, because), nil
	case points == trick && points == bank:
		return won(vocab.WhyFiveCardTrick, pays.Win, because), nil
	case points == trick:
		return lost(vocab.WhyFiveCardTrick, because), nil
	case bank == 0 || bankRight(p.bank[bank-1], p.aside):
		return verdict{}, fmt.Errorf("it is decided while the bank has %s and may still draw", names(p.bank))
	case points >= bank:
		return won(vocab.WhyPoints, pays.Win, because), nil
	}
	return lost(vocab.WhyPoints, because), nil
}

// bankForecast: the bank draws until a forecast is wrong, and does not draw if no box
// waits for it. (Black James 6 and 7.)
func (b *Book) bankForecast() error {
	p := &b.page
	for i := range p.wagers {
		if p.wagers[i].why == vocab.WhyPoints {
			return nil
		}
	}
	if len(p.bank) != 1 && len(p.deaths) == 0 {
		return fmt.Errorf("the bank drew %s, but no box waited for it", names(p.bank))
	}
	return nil
}
