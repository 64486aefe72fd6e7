package table

import (
	"slices"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

// Laid is a card of the round and where it lies: a correction names it by its number. The
// cards that lay open when the round was opened have the first numbers, and then each has
// the next as it comes from the shoe, or is named after it was lost.
type Laid struct {
	Nth  int
	Card card.Card
	// To is a box, the bank or aside.
	To        vocab.To
	Box, Hand uint8
	// turn is 1 for the first cards of the initial deal, 2 for the boxes' second, else 0.
	turn uint8
}

// Laid returns the cards of the round that were laid, in the order in which that was.
func (t *Table) Laid() []Laid { return t.laid }

// came gives the card that an input brings its number. Between rounds cards have none.
func (t *Table) came() {
	if t.brought = 0; t.phase != vocab.Idle {
		t.numbered++
		t.brought = t.numbered
	}
	t.laying = t.brought
}

// noteLaid keeps where a card was laid.
func (t *Table) noteLaid(c card.Card, to vocab.To, box, hand uint8) {
	l := another(&t.laid)
	*l = Laid{}
	l.Nth, l.Card, l.To, l.Box, l.Hand = int(t.laying), c, to, box, hand
	if t.phase == vocab.Deal && to != vocab.ToAside {
		if l.turn = 1; to == vocab.ToBox && len(t.boxes[box-1].hands[hand-1].cards) > 1 {
			l.turn = 2
		}
	}
}

// turned names a card of the round that lay face down.
func (t *Table) turned(nth uint16, c card.Card) {
	for i := range t.laid {
		if t.laid[i].Nth == int(nth) {
			t.laid[i].Card = c
		}
	}
}

// takenUp notes that the nth card of the round lies nowhere any more. One without a number was never laid.
func (t *Table) takenUp(nth uint16) {
	t.laid = slices.DeleteFunc(t.laid, func(l Laid) bool { return l.Nth == int(nth) && nth > 0 })
}

// splitLaid moves the second card of a hand that is split to the hand after it.
func (t *Table) splitLaid(box, hand uint8) {
	second := false
	for i := range t.laid {
		one := &t.laid[i]
		switch {
		case one.To != vocab.ToBox || one.Box != box || one.Hand < hand:
		case one.Hand > hand || second:
			one.Hand++
		default:
			second = true
		}
	}
}

// Lying returns the cards of the round that were not laid yet: those that wait until a card is due, such as the bank's
// that was dealt early, and those of which somebody decides.
func (t *Table) Lying() (list []Laid) {
	add := func(nth uint16, c card.Card) {
		if nth > 0 {
			list = append(list, Laid{Nth: int(nth), Card: c, To: vocab.ToNothing})
		}
	}
	early := t.early()
	for i, nth := range t.lying {
		if add(nth, t.kept.Waiting[i]); i == early {
			list[len(list)-1].To = vocab.ToBank
		}
	}
	for _, one := range t.held {
		if !t.ofHole(one) { // it lies where it was laid
			add(one.nth, one.Card)
		}
	}
	for _, one := range t.behind {
		add(one.nth, one.Card)
	}
	return list
}

// move says that a card lies where it was not due.
type move struct {
	nth uint16
	// to is 0 where the place that was due to it in the initial deal was passed over.
	to        vocab.To
	box, hand uint8
}

// moveOf is what a correction says of a card, nil for nothing.
func (t *Table) moveOf(nth uint16) *move {
	at := slices.IndexFunc(t.history.moves, func(m move) bool { return m.nth == nth })
	if at < 0 || nth == 0 {
		return nil
	}
	return &t.history.moves[at]
}

// layMoved lays the card that is being laid where it is said to lie, and says whether it
// was. What is due stays due.
func (t *Table) layMoved(c card.Card, due vocab.Due) bool {
	m := t.moveOf(t.laying)
	switch {
	case m == nil || m.to == 0:
		return false
	case m.to == vocab.ToAside:
		t.setAside(c, 0)
		return true
	}
	toBank := m.to == vocab.ToBank && (due.To == vocab.ToBank || due.To == vocab.ToHole)
	if toBank || m.to == vocab.ToBox && m.box == due.Box && m.hand == due.Hand {
		return false // it is due there
	}
	switch {
	case m.to == vocab.ToBank && c != card.Joker && t.bankWaits() && t.early() < 0:
		t.layOpen(c, t.laying)
		return true
	case !t.hasPlace(c, *m):
		t.unlaid = true
		return false
	}
	t.game.boxTakes(t, &t.boxes[m.box-1], int(m.hand)-1, c)
	return true
}

// bankWaits says whether the bank waits for its second card until the boxes have played. In Black James it forecasts
// from each of its cards, and nobody forecasts a card that lies open.
func (t *Table) bankWaits() bool {
	if t.phase == vocab.Idle || t.rules.Game != rules.BlackJack || t.bank.hole.lies {
		return false
	}
	return len(t.bank.cards) == 1 && t.phase != vocab.Payment
}

// early is which of the cards that lie open was dealt to the bank before its turn, -1 for none. It stays with the bank,
// and is its second card once the boxes have played.
func (t *Table) early() int {
	if len(t.history.moves) == 0 || !t.bankWaits() {
		return -1
	}
	return slices.IndexFunc(t.lying, func(nth uint16) bool {
		m := t.moveOf(nth)
		return m != nil && m.to == vocab.ToBank
	})
}

// hasPlace says whether a card can lie where it was not due: on a hand of Black Jack that is
// still in the game. In the initial deal the order is another instead: see dealOtherwise.
func (t *Table) hasPlace(c card.Card, m move) bool {
	if c == card.Joker || m.to != vocab.ToBox || t.rules.Game != rules.BlackJack || t.phase != vocab.Play &&
		t.phase != vocab.BankDraws {
		return false
	}
	b := &t.boxes[m.box-1]
	if len(b.hands) < int(m.hand) || b.blackJack() {
		return false
	}
	h := &b.hands[m.hand-1]
	return h.open > 0 && !h.left
}
