package secondbook

import (
	"fmt"

	"github.com/sabot-table/sabot/table/sidebet"
	"github.com/sabot-table/sabot/table/vocab"
)

// This file is the jackpot. (Mendrisio, Progressive Black Jack.)

// part is the amount that a stake feeds into the jackpot.
func (b *Book) part(s *side) int64 {
	if b.rules.Jackpot == nil || !b.forJackpot(s) {
		return 0
	}
	feeds := b.rules.Meter.Feeds
	return s.amount * feeds.Num / feeds.Den
}

// forJackpot says whether a side bet can win the jackpot, or a part of it.
func (b *Book) forJackpot(s *side) bool {
	for i := range b.rules.SideBets {
		bet := &b.rules.SideBets[i]
		if bet.Bet.String() != s.wager.String() {
			continue
		}
		for k := range bet.Pays {
			if bet.Pays[k].Pays.Jackpot {
				return true
			}
		}
	}
	return false
}

// feedJackpot: the stakes of a round feed the jackpot when bets close.
func (b *Book) feedJackpot() {
	b.page.closed = true
	for i := range b.page.sides {
		b.feed(b.part(&b.page.sides[i]))
	}
}

// feed puts an amount into the jackpot. One of several tables shows what the pit says of it.
func (b *Book) feed(amount int64) {
	if !b.rules.Linked() {
		b.jackpot += amount
	}
	b.page.fed += amount
}

// give notes how much of a jackpot of several tables the winners of the round get.
func (b *Book) give(amount int64) { b.page.granted = amount }

// jackpotTold checks what is told of a jackpot of several tables at the end of a round.
func (b *Book) jackpotTold(out *vocab.Output) error {
	m, p := out.Meter, &b.page
	if m.Event != vocab.JackpotRound {
		return nil
	}
	fed, paid := p.fed+p.paid, p.paid
	if m.Fed != fed || m.Paid != paid || m.Name != b.rules.LinkedTo() || m.Seed != b.rules.Meter.Seed {
		return fmt.Errorf("the round has fed %s into the jackpot and paid %s from it; recorded: %s and %s", amount(fed),
			amount(paid), amount(m.Fed), amount(m.Paid))
	}
	return nil
}

// giveBack takes the part of a returned stake out of the jackpot again.
func (b *Book) giveBack(s *side) {
	if b.page.closed {
		b.feed(-b.part(s))
	}
}

// wonOf is what a side bet that lives wins of the jackpot with the cards that lie: its line, "" for nothing.
func (b *Book) wonOf(s *side) sidebet.Line {
	bet, _ := s.wager.Side()
	t, r := b.paytable(bet), b.page.row(place{s.box, 1})
	if t == nil || r == nil || r.n == 0 || b.page.sideFate(s) != lives {
		return ""
	}
	line, sure := t.wins(b.spot(s.box))
	if !sure || !b.rules.Offer(bet).Prize(line).Jackpot {
		return ""
	}
	return line
}

// shareOut is what each winner of a line gets of the jackpot.
type shareOut struct {
	line sidebet.Line
	won  int64
}

// jackpotBrings shares the jackpot among all who win it, and parts of it before: what cannot be shared in whole units
// stays in it.
func (b *Book) jackpotBrings(line sidebet.Line) (verdict, error) {
	p := &b.page
	if len(p.bank) < 2 {
		return verdict{}, fmt.Errorf("it wins of the jackpot before the bank's second card has decided on all boxes")
	}
	if !p.shared {
		p.shared = true
		b.shareJackpot()
	}
	v := verdict{outcome: vocab.Win, why: vocab.WhyLine(line), reason: reason{text: "a line of the jackpot"}}
	for _, one := range p.shares {
		if one.line == line {
			v.prize = one.won
		}
	}
	return v, nil
}

func (b *Book) shareJackpot() {
	p, had := &b.page, b.jackpot
	if b.rules.Linked() {
		had = p.granted
	}
	for _, whole := range [...]bool{false, true} {
		for i := range b.rules.SideBets {
			for _, row := range b.rules.SideBets[i].Pays {
				winners := b.winnersOf(row.Line)
				if !row.Pays.Jackpot || winners == 0 || whole != (row.Pays.Part.Den == 0) {
					continue
				}
				of := had * row.Pays.Part.Num / max(1, row.Pays.Part.Den)
				if whole && b.rules.Linked() {
					of = had
				} else if whole {
					of = b.jackpot
				}
				unit := b.rules.Table.Unit
				one := shareOut{row.Line, of / winners / unit * unit}
				p.shares = append(p.shares, one)
				b.feed(-one.won * winners)
				p.paid += one.won * winners
				p.emptied = p.emptied || whole
				if whole && !b.rules.Linked() {
					b.feed(b.rules.Meter.Seed)
				}
			}
		}
	}
}

func (b *Book) winnersOf(line sidebet.Line) (n int64) {
	for i := range b.page.sides {
		if b.wonOf(&b.page.sides[i]) == line {
			n++
		}
	}
	return n
}

// envy checks the prize for each progressive stake that did not win all of the jackpot.
func (b *Book) envy(out *vocab.Output) error {
	p := &b.page
	at := p.findSide(out.Box, out.Bettor, out.Wager)
	switch prize := b.rules.Meter.Envy; {
	case at < 0:
		return fmt.Errorf("an envy prize without a progressive stake")
	case !p.emptied || prize == 0 || !b.forJackpot(&p.sides[at]) || p.sideFate(&p.sides[at]) != lives ||
		b.wonAll(&p.sides[at]):
		return fmt.Errorf("an envy prize that is not due")
	case out.Won != prize || out.Stake != p.sides[at].amount:
		return fmt.Errorf("the envy prize is %s; recorded: %s", amount(prize), amount(out.Won))
	}
	return nil
}

// wonAll says whether a side bet wins all of the jackpot.
func (b *Book) wonAll(s *side) bool {
	bet, _ := s.wager.Side()
	line := b.wonOf(s)
	return line != "" && b.rules.Offer(bet).Prize(line).Part.Den == 0
}
