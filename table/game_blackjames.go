package table

import (
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/hand"
	"github.com/sabot-table/sabot/table/vocab"
)

// blackJames is Baden's game of higher or lower.
type blackJames struct{}

// fiveCards is the most points that a box can have: the Five-Card-Trick.
const fiveCards = 5

func height(c card.Card) int { return c.Rank().Height() }

func (*blackJames) cardsDealt() int { return 1 }

// boxTakes gives a point for a valid card: the first, and each that was forecast
// rightly. Equal counts as right for the box. (Black James 3.)
func (g *blackJames) boxTakes(t *Table, b *box, at int, c card.Card) {
	h := &b.hands[at]
	if len(h.cards) == 0 || forecastRight(t.forecast, h.cards[len(h.cards)-1], c) {
		h.points++
	}
	h.cards = append(h.cards, c)
	t.noteLaid(c, vocab.ToBox, b.number, uint8(at+1))
	t.forecast = 0
	out := t.emit(vocab.Dealt)
	out.Card, out.To, out.Box, out.Hand = c, vocab.ToBox, b.number, uint8(at+1)
	out.Total, out.Points = uint8(h.points), true
	if t.phase != vocab.Deal {
		g.boxGrew(t, b, h)
	}
}

func forecastRight(forecast vocab.Call, last, c card.Card) bool {
	if forecast == vocab.CallHigher {
		return height(c) >= height(last)
	}
	return height(c) <= height(last)
}

func (*blackJames) total(h *boxHand) (int, bool) { return h.points, false }

// boxGrew ends a box with a Black Jack, a wrong forecast, or five right cards.
// (Black James 3 to 5.)
func (*blackJames) boxGrew(t *Table, b *box, h *boxHand) {
	right := h.points == len(h.cards)
	switch {
	case hand.BlackJack(h.cards) && right:
		t.handDone(b, 0, vocab.DoneBlackJack)
		t.decideHand(b, 0, &verdict{outcome: vocab.Win, why: vocab.WhyBlackJack, odds: t.rules.Pays.BlackJack})
	case hand.BlackJack(h.cards):
		t.handDone(b, 0, vocab.DoneBlackJack)
		t.decideHand(b, 0, &verdict{outcome: vocab.StandOff, why: vocab.WhyWrongForecastBlackJack})
	case !right:
		t.handDone(b, 0, vocab.DoneWrongForecast)
		t.decideHand(b, 0, &verdict{outcome: vocab.Lose, why: vocab.WhyWrongForecast})
	case h.points == fiveCards:
		t.handDone(b, 0, vocab.DoneFiveCardTrick)
	}
}

func (*blackJames) rests(_ *Table, _ *box, h *boxHand) vocab.Done {
	if h.isDead() {
		return vocab.DoneDead
	}
	return 0
}

func (*blackJames) allowed(*Table, *box, *boxHand) vocab.Calls {
	return vocab.Calls(0).With(vocab.CallRest).With(vocab.CallHigher).With(vocab.CallLower)
}

// bankTakes: the bank forecasts higher after 2 to 8 and lower after 9 to ace, and
// equal is wrong. The card of a wrong forecast is laid aside and does not count;
// the bank then draws no more. (Black James 7.)
func (*blackJames) bankTakes(t *Table, c card.Card) {
	if n := len(t.bank.cards); n > 0 && !bankForecastRight(t.bank.cards[n-1], c) {
		t.bank.stopped = true
		t.setAside(c, 0)
		return
	}
	t.bank.cards = append(t.bank.cards, c)
	t.noteLaid(c, vocab.ToBank, 0, 0)
	out := t.emit(vocab.Dealt)
	out.Card, out.To, out.Points, out.Total = c, vocab.ToBank, true, uint8(len(t.bank.cards))
}

func bankForecastRight(last, c card.Card) bool {
	if height(last) <= 8 {
		return height(c) > height(last)
	}
	return height(c) < height(last)
}

// bankDue: the bank draws unless every box is bust, a Black Jack or a
// Five-Card-Trick, until a forecast is wrong. (Black James 6 and 7.)
func (*blackJames) bankDue(t *Table) bool {
	if t.bank.stopped {
		return false
	}
	for i := range t.boxes {
		b := &t.boxes[i]
		if b.played() && b.hands[0].open > 0 && b.hands[0].done != vocab.DoneFiveCardTrick {
			return true
		}
	}
	return false
}

func (*blackJames) bankTotal(t *Table) int { return len(t.bank.cards) }

// judge compares points. (Black James 8.)
func (*blackJames) judge(t *Table, _ *box, h *boxHand) verdict {
	bank, pays := len(t.bank.cards), &t.rules.Pays
	trick := h.done == vocab.DoneFiveCardTrick
	why := vocab.WhyPoints
	if trick {
		why = vocab.WhyFiveCardTrick
	}
	switch {
	case h.points < bank:
		return verdict{outcome: vocab.Lose, why: why}
	case trick && h.points > bank:
		return verdict{outcome: vocab.Win, why: why, odds: pays.FiveCardTrick}
	default:
		return verdict{outcome: vocab.Win, why: why, odds: pays.Win}
	}
}
