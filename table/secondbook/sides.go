package secondbook

import (
	"fmt"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/sidebet"
	"github.com/sabot-table/sabot/table/vocab"
)

// This file is the side bets.

// alike reports whether two cards have the same rank.
func alike(a, b card.Card) bool { return a.Rank() == b.Rank() }

// expectSide finds a side bet, marks it as settled, and returns what it must bring.
func (b *Book) expectSide(out *vocab.Output) (verdict, int64, error) {
	p := &b.page
	at := p.findSide(out.Box, out.Bettor, out.Wager)
	if at < 0 || p.sides[at].settled {
		return verdict{}, 0, fmt.Errorf("there is no open side bet: it was never placed, or is already decided")
	}
	s := &p.sides[at]
	s.settled = true
	if out.Outcome == vocab.Void {
		b.giveBack(s)
	}
	if s.fate = p.sideFate(s); s.fate != lives {
		return s.fate.brings(), s.amount, nil
	}
	if out.Outcome == vocab.Void {
		return voided, s.amount, b.mayBeVoid()
	}
	want, err := b.sideBrings(s)
	return want, s.amount, err
}

// sideBrings is what a side bet must bring at this moment.
func (b *Book) sideBrings(s *side) (verdict, error) {
	p := &b.page
	bet, _ := s.wager.Side()
	t := b.paytable(bet)
	if t == nil {
		return lost(vocab.WhyNoMatch, reason{text: "a bet that the house does not offer"}), nil
	}
	switch r := p.row(place{s.box, 1}); {
	case r == nil || r.n == 0 || len(p.bank) == 0:
		return verdict{}, fmt.Errorf("it is decided before the cards that decide it came")
	case t.second && p.second[s.box] == card.None:
		return verdict{}, fmt.Errorf("it is decided before the box's second card")
	}
	line, sure := t.wins(b.spot(s.box))
	if !sure {
		return verdict{}, fmt.Errorf("it is decided while the bank has %s and cards to come can change it",
			names(p.bank))
	}
	return b.byLine(s, line)
}

func (b *Book) paytable(bet sidebet.Bet) *paytable {
	for i := range b.paytables {
		if b.paytables[i].bet == bet {
			return &b.paytables[i]
		}
	}
	return nil
}

// spot is what lies for the side bets of a box.
func (b *Book) spot(box uint8) spot {
	p := &b.page
	r := p.row(place{box, 1})
	s := spot{first: r.cards[0], second: p.second[box], up: p.bank[0], joker: p.joker[box]}
	s.dealt = s.second != card.None || b.rules.Cards.Jokers == 0
	if len(p.bank) > 1 {
		s.down = p.bank[1]
	}
	if total, soft := count(p.bank); len(p.bank) > 1 && b.bankStandsOn(total, soft) {
		s.bank = p.bank
	}
	var balance int64
	if balance, s.ended = p.balance(box); s.ended {
		s.lost, s.hand = balance < 0, r.laid()
	}
	return s
}

// balance weighs the hands of the box by the holder's stakes on them; false while one is open.
func (p *page) balance(box uint8) (balance int64, ended bool) {
	holder := p.holder(box)
	for i := range p.wagers {
		w := &p.wagers[i]
		switch {
		case w.box != box || w.name != holder:
		case !w.settled:
			return 0, false
		case w.outcome == vocab.Win:
			balance += w.weight()
		case w.outcome == vocab.Lose, w.outcome == vocab.Surrendered:
			balance -= w.weight()
		case w.outcome == vocab.PartLost:
			balance -= max(1, w.stake)
		}
	}
	return balance, true
}

// weight is how much of a stake lies there: its amount, or how often it does where nobody knows it.
func (w *wager) weight() int64 {
	if w.stake < 0 {
		return w.times
	}
	return w.amount()
}

// byLine is what a line of the house's paytable brings; without a line the bet loses.
func (b *Book) byLine(s *side, line sidebet.Line) (verdict, error) {
	bet, _ := s.wager.Side()
	because := reason{text: "the cards"}
	if line == "" {
		return lost(vocab.WhyNoMatch, because), nil
	}
	prize := b.rules.Offer(bet).Prize(line)
	if prize.Jackpot {
		return b.jackpotBrings(line)
	}
	v := won(vocab.WhyLine(line), prize.Odds, because)
	v.prize = prize.Amount
	return v, nil
}

// bankFor is how many cards the bank needs for a side bet: 1, 2, or 3 for as many as its own rule requires.
func (b *Book) bankFor(s *side) int {
	bet, _ := s.wager.Side()
	t, r := b.paytable(bet), b.page.row(place{s.box, 1})
	if t == nil || r == nil || r.n == 0 || len(b.page.bank) == 0 {
		return 1
	}
	lies := b.spot(s.box)
	down := lies.down
	lies.ended, lies.bank, lies.down = true, nil, card.None
	line, sure := t.wins(lies)
	if sure {
		if b.rules.Offer(bet).Prize(line).Jackpot {
			return 2
		}
		return 1
	}
	lies.down = down
	if _, sure := t.wins(lies); sure || down == card.None && t.down {
		return 2
	}
	return 3
}

// holder is the bettor of a box's first stake.
func (p *page) holder(box uint8) string {
	for i := range p.stakes {
		if p.stakes[i].box == box {
			return p.stakes[i].name
		}
	}
	return ""
}
