package secondbook

import (
	"fmt"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/sidebet"
	"github.com/sabot-table/sabot/table/vocab"
)

// This file is Progressive Black Jack. (Mendrisio.)

func aceOrKing(c card.Card) bool { return c.Rank() == card.Ace || c.Rank() == card.King }

func aceKing(cards []card.Card) bool {
	return len(cards) > 1 && aceOrKing(cards[0]) && aceOrKing(cards[1]) && !alike(cards[0], cards[1])
}

func suitedAceKing(cards []card.Card) bool {
	return aceKing(cards) && cards[0].Suit() == cards[1].Suit()
}

// part is the amount that a stake feeds into the jackpot.
func (b *Book) part(s *side) int64 {
	if bet, _ := s.wager.Side(); bet != sidebet.Progressive || b.rules.Jackpot == nil {
		return 0
	}
	feeds := b.rules.Meter.Feeds
	return s.amount * feeds.Num / feeds.Den
}

// feedJackpot: the stakes of a round feed the jackpot when bets close.
func (b *Book) feedJackpot() {
	b.page.closed = true
	for i := range b.page.sides {
		b.feed(b.part(&b.page.sides[i]))
	}
}

func (b *Book) feed(amount int64) {
	b.jackpot += amount
	b.page.fed += amount
}

// giveBack takes the part of a returned stake out of the jackpot again.
func (b *Book) giveBack(s *side) {
	if b.page.closed {
		b.feed(-b.part(s))
	}
}

// mayWinJackpot: the box's first two cards are ace and king of one suit, and the bank has an ace or a king. A box that
// was split had two aces.
func (b *Book) mayWinJackpot(s *side) bool {
	r := b.page.row(place{s.box, 1})
	return r != nil && b.page.sideFate(s) == lives && r.n > 1 && b.page.hands(s.box) == 1 &&
		suitedAceKing(r.cards[:2]) && aceOrKing(b.page.bank[0])
}

func (b *Book) progressiveBrings(s *side, r *row) (verdict, error) {
	bank, first := b.page.bank, r.cards[:2]
	line := sidebet.AceKing
	switch {
	case !natural(first):
		return b.byLine(s, 0), nil
	case !aceKing(first):
		line = sidebet.BlackJack
	case suitedAceKing(first):
		line = sidebet.SuitedAceKing
	case first[0].Red() == first[1].Red():
		line = sidebet.ColouredAceKing
	}
	switch {
	case line != sidebet.SuitedAceKing || len(bank) == 1 && !aceOrKing(bank[0]):
	case len(bank) == 1:
		return verdict{}, fmt.Errorf("it is decided while the bank has %s and it may still win the jackpot",
			names(bank))
	case aceKing(bank):
		return b.jackpotBrings(), nil
	}
	return b.byLine(s, line), nil
}

// jackpotBrings shares the jackpot among all who win it; a remainder that cannot be shared
// in whole units stays in it.
func (b *Book) jackpotBrings() verdict {
	p := &b.page
	if p.share == 0 {
		winners := int64(0)
		for i := range p.sides {
			if bet, _ := p.sides[i].wager.Side(); bet == sidebet.Progressive && b.mayWinJackpot(&p.sides[i]) {
				winners++
			}
		}
		unit := b.rules.Table.Unit
		p.share = b.jackpot / winners / unit * unit
		b.feed(b.rules.Meter.Seed - p.share*winners)
	}
	return verdict{
		outcome: vocab.Win, why: vocab.WhyLine(sidebet.Jackpot), prize: p.share,
		reason: reason{text: "ace and king of one suit, and the bank has ace and king"},
	}
}

// envy checks the prize for each progressive stake that did not win the jackpot.
func (b *Book) envy(out *vocab.Output) error {
	p := &b.page
	at := p.findSide(out.Box, out.Bettor, out.Wager)
	switch prize := b.rules.Meter.Envy; {
	case at < 0:
		return fmt.Errorf("an envy prize without a progressive stake")
	case p.share == 0 || p.sideFate(&p.sides[at]) != lives || b.mayWinJackpot(&p.sides[at]):
		return fmt.Errorf("an envy prize that is not due")
	case out.Won != prize || out.Stake != p.sides[at].amount:
		return fmt.Errorf("the envy prize is %s; recorded: %s", amount(prize), amount(out.Won))
	}
	return nil
}
