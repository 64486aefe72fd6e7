package table

import (
	"slices"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/sidebet"
	"github.com/sabot-table/sabot/table/vocab"
)

// place gives a card to whom it is due, or raises what is wrong with it.
func (t *Table) place(c card.Card, due vocab.Due) {
	if len(t.history.moves) > 0 && t.phase == vocab.Deal && c != card.Unread {
		due = t.dealOtherwise(due)
	}
	switch {
	case c == card.Unread:
		t.raiseCard(irregularity.UnreadCard, c)
	case c == card.Joker && t.jokersOut() >= t.rules.Cards.Jokers:
		t.raiseCard(irregularity.ForeignJoker, c)
	case c == card.Down && due.To != vocab.ToHole:
		t.cover()
	case due.To == vocab.ToAside && c != card.Joker:
		t.burn(c)
	case len(t.history.moves) > 0 && t.layMoved(c, due):
	case due.To == vocab.ToCall && due.Allowed.Has(vocab.CallCard) && t.callsImplied():
		t.cardCalled = true
		due.To = vocab.ToBox
		t.place(c, due)
	case due.To == vocab.ToHole && c != card.Joker:
		t.countDealt()
		t.layHole(c)
		t.passOverDead()
	case due.To != vocab.ToBox && due.To != vocab.ToBank && due.To != vocab.ToAside:
		t.raiseCard(t.outOfTurn(due), c)
	case c == card.Joker:
		t.jokerTo(due)
	case due.To == vocab.ToBank:
		t.countDealt()
		t.game.bankTakes(t, c)
		t.passOverDead()
	default:
		t.countDealt()
		t.cardCalled = false
		t.game.boxTakes(t, &t.boxes[due.Box-1], int(due.Hand)-1, c)
		t.passOverDead()
	}
}

// outOfTurn is what is wrong with a card that is due to nobody.
func (t *Table) outOfTurn(due vocab.Due) irregularity.Code {
	switch {
	case due.To == vocab.ToCall && (due.Allowed.Has(vocab.CallCard) || t.forecasts()):
		return irregularity.CardWithoutCall
	case due.To == vocab.ToPayment && (len(t.bank.cards) > 1 || t.bank.stopped):
		return irregularity.BankOverdraw
	default:
		return irregularity.UnexpectedCard
	}
}

// forecasts says whether a card needs a forecast, which nobody can make up for.
func (t *Table) forecasts() bool { return t.rules.Game == rules.BlackJames }

// jokersOut counts the Jokers that have come in the round. Between rounds the
// shuffler has its Joker back.
func (t *Table) jokersOut() int {
	if t.phase == vocab.Idle {
		return 0
	}
	n := 0
	for _, c := range t.aside {
		if c == card.Joker {
			n++
		}
	}
	return n
}

// jokerTo sets a Joker aside, which is worth nothing: the next card takes its
// place. In the initial deal it is laid to the box. (Wiesbaden, Joker.)
func (t *Table) jokerTo(due vocab.Due) {
	if t.phase == vocab.Deal && due.To == vocab.ToBox {
		t.boxes[due.Box-1].joker = true
		t.setAside(card.Joker, due.Box)
		return
	}
	t.setAside(card.Joker, 0)
}

// countDealt moves the initial deal on. A Joker does not: the next card takes its
// place.
func (t *Table) countDealt() {
	if t.phase == vocab.Deal {
		t.dealt++
	}
}

// setAside lays a card aside: a Joker, or one that is burnt.
func (t *Table) setAside(c card.Card, box uint8) {
	t.aside = append(t.aside, c)
	t.noteLaid(c, vocab.ToAside, box, 0)
	out := t.emit(vocab.Dealt)
	out.Card, out.To, out.Box = c, vocab.ToAside, box
}

// initialDeal is whose cards the initial deal has.
type initialDeal struct {
	// order is where its cards go, a box by its number or atBank, and dealt how many of them have come.
	order []uint8
	dealt int
	// otherwise: a correction says that they went in another order. What the first cards of box and bank decide waits
	// for the last of them.
	otherwise bool
}

const (
	atBank = 0
	// atHole is the bank, for the card that it gets face down.
	atHole = 255
)

// setOrder is the order in which it is dealt: one card to each played box in order, one to the bank, a second one to
// each played box. The bank's second card waits until the last box has finished, or is dealt last, face down. (Common
// rules 1 and 2.)
func (t *Table) setOrder() {
	for turn := range t.firstCards {
		for _, i := range t.inPlay {
			t.order = append(t.order, uint8(i+1))
		}
		if turn == 0 {
			t.order = append(t.order, atBank)
		}
	}
	if t.rules.Bank.HasHole() {
		t.order = append(t.order, atHole)
	}
}

// dealDue returns whose card is next in the initial deal.
func (t *Table) dealDue() vocab.Due {
	switch {
	case t.dealt == len(t.order):
		return vocab.Due{To: vocab.ToNothing}
	case t.order[t.dealt] == atBank:
		return vocab.Due{To: vocab.ToBank}
	case t.order[t.dealt] == atHole:
		return vocab.Due{To: vocab.ToHole}
	}
	return vocab.Due{To: vocab.ToBox, Spot: vocab.Spot{Box: t.order[t.dealt], Hand: 1}}
}

// dealOtherwise returns what is due to a card of which a correction says that it went elsewhere in the initial deal:
// the place that was passed over gets its card last, and one that was dealt too early gets no other.
func (t *Table) dealOtherwise(due vocab.Due) vocab.Due {
	m := t.moveOf(t.laying)
	if m == nil || m.to == vocab.ToAside {
		return due
	}
	left := t.order[t.dealt:]
	switch at := slices.Index(left, m.box); {
	case m.to == 0 && len(left) < 2:
		t.unlaid = true
		return due
	case m.to == 0:
		first, last := left[0], len(left)-1
		if hole := slices.Index(left, atHole); first == atBank && hole > 0 { // it is dealt to a bank that has a card
			last = hole - 1
		}
		if last == 0 {
			t.unlaid = true // it would get the same card
			return due
		}
		copy(left[:last], left[1:last+1])
		left[last] = first
		t.passOverDead()
	case at <= 0 || !t.takesCards(m.box):
		return due // it is due there, or has no place there
	default:
		copy(left[1:at+1], left[:at])
		left[0] = m.box
	}
	t.initialDeal.otherwise = true
	return t.dealDue()
}

// takesCards says whether anything on a box waits for its cards, or on any for those of the bank.
func (t *Table) takesCards(place uint8) bool {
	switch place {
	case atBank:
		return t.anyLives()
	case atHole: // it is dealt, too, where all that was staked is decided already
		return t.anyLives() || !t.allDead()
	}
	return t.boxes[place-1].lives()
}

// layHands gives each played box its hand, with every bettor's stake on it.
func (t *Table) layHands() {
	for i := range t.boxes {
		b := &t.boxes[i]
		if !b.played() {
			continue
		}
		t.inPlay = append(t.inPlay, i)
		h := b.addHand(0)
		for j := range b.bettors {
			h.addWager(j, b.bettors[j].Stake)
		}
	}
	t.setOrder()
}

// addHand makes room for an empty hand at an index; later hands move up by one.
func (b *box) addHand(at int) *boxHand {
	h := another(&b.hands)
	if last := len(b.hands) - 1; at < last {
		fresh := *h
		copy(b.hands[at+1:], b.hands[at:])
		h = &b.hands[at]
		*h = fresh
	}
	h.cards, h.wagers, h.standing = h.cards[:0], h.wagers[:0], standing{}
	return h
}

// addWager lays a bettor's stake on the hand, once.
func (h *boxHand) addWager(bettor int, stake int64) {
	*another(&h.wagers) = handWager{bettor: bettor, stake: stake, times: 1}
	h.open++
}

// endDeal goes on to insurance or to the first box.
func (t *Table) endDeal() {
	if t.initialDeal.otherwise {
		t.initialDeal.otherwise = false
		for _, i := range t.inPlay {
			t.decideSides(&t.boxes[i], sidebet.BankFirst)
			t.decideSides(&t.boxes[i], sidebet.BoxSecond)
		}
	}
	if t.offersInsurance() || t.offersSurrender() {
		t.phase = vocab.InsuranceOffer
	} else {
		t.afterOffer()
	}
}

// afterOffer has the dealer look at the hole card, or goes on to the first box.
func (t *Table) afterOffer() {
	if t.looksNow() {
		t.phase = vocab.Look
	} else {
		t.startPlay()
	}
}
