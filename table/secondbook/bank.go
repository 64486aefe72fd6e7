package secondbook

import (
	"fmt"
	"slices"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

// decided checks the round's line: every wager is decided, the sums are right, and the
// bank drew the cards that it had to.
func (b *Book) decided(out *vocab.Output) error {
	p := &b.page
	total, _ := count(p.bank)
	if b.james() {
		total = len(p.bank)
	}
	if out.Result == nil || !slices.Equal(out.Bank, p.bank) || int(out.Total) != total {
		return fmt.Errorf("the bank has %s = %d; the round's line says otherwise", names(p.bank), total)
	}
	if err := p.summed(out); err != nil {
		return err
	}
	switch {
	case p.voided:
		return nil
	case b.james():
		return b.bankForecast()
	}
	return b.bankDrew()
}

func (p *page) summed(out *vocab.Output) error {
	for i := range p.wagers {
		if w := &p.wagers[i]; !w.settled {
			return fmt.Errorf("the round ends, but %s's stake on %s is not decided", w.name, w.place)
		}
	}
	got, want := out.Sums, p.sums
	switch {
	case got.Unstated != want.Unstated || out.Unstated != want.Unstated:
		return fmt.Errorf("whether all amounts of the round are known is recorded wrongly")
	case got.Staked != want.Staked:
		return fmt.Errorf("%s were staked by the lines of the round; its sum says %s", amount(want.Staked),
			amount(got.Staked))
	case got.Returned != want.Returned:
		return fmt.Errorf("%s came back by the lines of the round; its sum says %s", amount(want.Returned),
			amount(got.Returned))
	case got.Won != want.Won:
		return fmt.Errorf("%s were won by the lines of the round; its sum says %s", amount(want.Won), amount(got.Won))
	case p.committed() != want.Staked:
		return fmt.Errorf("%s were put on the table, but %s were decided", amount(p.committed()), amount(want.Staked))
	}
	return nil
}

// bankDrew: the bank draws to 16, and only the cards that an open wager needs. (Common
// rules 6 and 7.)
func (b *Book) bankDrew() error {
	bank := b.page.bank
	least := max(b.leastForHands(), b.leastForOthers())
	if b.page.hole.laid {
		least = max(least, 2) // it is turned, whatever it decides
	}
	switch total, soft := count(bank); {
	case len(bank) == 0 && len(b.page.deaths) > 0 && b.page.allDead():
	case len(bank) == 0:
		return fmt.Errorf("the round ends, but the bank has no card")
	case len(bank) < min(least, 2):
		return fmt.Errorf("the bank drew no second card (%s), but a wager needed it", names(bank))
	case least > 2 && !b.bankStandsOn(total, soft):
		return b.standsTooSoon()
	case len(bank) > least && least < 3 && !b.page.moved && len(b.page.deaths) == 0:
		return fmt.Errorf("the bank drew %s, but no wager needed more than %d of these cards", names(bank), least)
	}
	return nil
}

// leastForHands is 1 or 2, or 3 for as many cards as the bank's own rule requires.
func (b *Book) leastForHands() int {
	if b.rules.Bank.Draws == rules.DrawsAlways {
		return 3
	}
	p := &b.page
	least := 1
	for i := range p.wagers {
		w := &p.wagers[i]
		if b.needsSecond(w) {
			least = max(least, 2)
			continue
		}
		if !w.waited() {
			continue
		}
		if r := p.row(w.place); r == nil || !b.blackJack(r) {
			return 3
		}
		if b.mayHaveBlackJack() {
			least = 2
		}
	}
	return least
}

// mayHaveBlackJack: the bank shows an ace or a ten-value, and nobody has seen that it has none.
func (b *Book) mayHaveBlackJack() bool {
	bank := b.page.bank
	return len(bank) > 0 && !b.page.ruledOut() && (bank[0].Rank() == card.Ace || worth(bank[0]) == 10)
}

// waited reports whether the wager waited for the bank.
func (w *wager) waited() bool {
	switch w.why {
	case vocab.WhyBust, vocab.WhySurrender, vocab.WhyEvenMoney, vocab.WhyBonusBlackJack, vocab.WhyDead,
		vocab.WhyManyCards:
		return false
	}
	return true
}

// leastForOthers is how many of the bank's cards insurances and side bets need.
func (b *Book) leastForOthers() int {
	p := &b.page
	least := 1
	for i := range p.stakes {
		if s := &p.stakes[i]; s.insured != 0 && s.fate == lives {
			least = 2
		}
	}
	for i := range p.sides {
		s := &p.sides[i]
		if s.fate != lives {
			continue
		}
		least = max(least, b.bankFor(s))
	}
	return least
}
