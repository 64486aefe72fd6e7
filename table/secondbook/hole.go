package secondbook

import (
	"fmt"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

// This file is the bank's card that lies face down, as the house's sheet has it.

// holeCard is what is known of it.
type holeCard struct {
	laid, looked bool
	// blackJack is what was seen in it, and open which card it is, where it was seen before its time.
	blackJack bool
	open      card.Card
}

// down is the house's rule for it.
func (b *Book) down() rules.HoleCard {
	if b.rules.Bank.Hole == nil {
		return rules.NoHoleCard
	}
	return *b.rules.Bank.Hole
}

// looks: the dealer looks at it before the first call.
func (b *Book) looks() bool {
	bank := b.page.bank
	return len(bank) == 1 && b.page.hole.laid && b.looksUnder(bank[0])
}

// looksUnder: under an ace, under a ten-value, or under both.
func (b *Book) looksUnder(up card.Card) bool {
	ace, ten := up.Rank() == card.Ace, worth(up) == 10
	switch b.down() {
	case rules.LooksUnderAce:
		return ace
	case rules.LooksUnderTen:
		return ten
	case rules.LooksUnderBoth:
		return ace || ten
	}
	return false
}

// holeTold writes down what became of the card.
func (b *Book) holeTold(out *vocab.Output) error {
	p := &b.page
	h := &p.hole
	switch out.Hole {
	case vocab.HoleLaid:
		again := h.laid
		h.laid = true
		switch {
		case b.down() == rules.NoHoleCard:
			return fmt.Errorf("a card lies face down, and the house deals none so")
		case again:
			return fmt.Errorf("a second card lies face down")
		case len(p.bank) != 1:
			return fmt.Errorf("a card lies face down, and the bank has %s", names(p.bank))
		}
		return b.dealtBefore()
	case vocab.HoleBlackJack, vocab.HoleNoBlackJack:
		may, again := b.looks(), h.looked
		h.looked, h.blackJack = true, out.Hole == vocab.HoleBlackJack
		switch {
		case again:
			return fmt.Errorf("the dealer looks at the hole card a second time")
		case !may:
			return fmt.Errorf("the dealer looks at the hole card under %s", names(p.bank))
		}
	case vocab.HoleExposed:
		h.open = out.Card
	}
	return nil
}

// dealtBefore: all boxes on which something lies have their two cards when the hole card is dealt.
func (b *Book) dealtBefore() error {
	if b.corrections || len(b.page.deaths) > 0 { // which may have it dealt otherwise
		return nil
	}
	for i := range b.page.rows {
		if r := &b.page.rows[i]; r.n < 2 {
			return fmt.Errorf("the hole card is dealt before the second card of %s", r.place)
		}
	}
	return nil
}

// isTurned checks the bank's second card against what was known of it.
func (b *Book) isTurned() error {
	p := &b.page
	h := &p.hole
	if len(p.bank) != 2 || b.down() == rules.NoHoleCard {
		return nil
	}
	switch {
	case !h.laid && !b.corrections && len(p.deaths) == 0:
		return fmt.Errorf("the bank's second card was not dealt face down")
	case b.looksUnder(p.bank[0]) && !h.looked && h.laid:
		return fmt.Errorf("the bank has %s, and nobody has looked at its second card", names(p.bank))
	case h.looked && h.blackJack != natural(p.bank):
		return fmt.Errorf("the bank has %s, and something else was seen in its second card", names(p.bank))
	case h.open != card.None && h.open != p.bank[1]:
		return fmt.Errorf("the bank has %s, and its second card was %s", names(p.bank), h.open)
	}
	return nil
}

// notLooked is that a call is made before the dealer has looked, or though the bank has a Black Jack.
func (b *Book) notLooked() error {
	switch h := &b.page.hole; {
	case b.looks() && !h.looked:
		return fmt.Errorf("a call before the dealer has looked at the hole card")
	case h.looked && h.blackJack:
		return fmt.Errorf("a call though the bank has a Black Jack")
	}
	return nil
}

// ruledOut: the dealer has seen that the bank has no Black Jack.
func (p *page) ruledOut() bool { return p.hole.looked && !p.hole.blackJack }
