package table_test

import (
	"fmt"
	"slices"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table"
)

// This file is the house rules a second time, as a guest with a pencil would
// apply them: it says what each wager must bring, and what the bank must draw.

// count is what cards count: pictures ten, an ace eleven where that does not bust.
func count(cards []card.Card) (total int, soft bool) {
	ace := false
	for _, c := range cards {
		total += min(int(c.Rank()), 10)
		ace = ace || c.String()[0] == 'A'
	}
	if ace && total <= 11 {
		return total + 10, true
	}
	return total, false
}

// natural says whether two cards are an ace and a ten-value.
func natural(cards []card.Card) bool {
	total, _ := count(cards)
	return len(cards) == 2 && total == 21
}

// verdict is what a wager must bring.
type verdict struct {
	outcome table.Outcome
	why     table.Why
	won     int64
}

// follow writes down one output and says what is against the rules in it.
func (b *book) follow(out table.Output) error {
	switch out.Kind {
	case table.Dealt:
		return b.page.dealt(out)
	case table.Settled:
		return b.settled(out)
	case table.RoundDecided:
		return b.decided(out)
	}
	return nil
}

func (p *page) dealt(out table.Output) error {
	var cards []card.Card
	switch out.To {
	case table.ToBank:
		p.bank = append(p.bank, out.Card)
		cards = p.bank
	case table.ToBox:
		h := &p.boxes[int(out.Box)].hands[out.Hand-1]
		h.cards = append(h.cards, out.Card)
		cards = h.cards
	default:
		return nil
	}
	if total, soft := count(cards); total != int(out.Total) || soft != out.Soft {
		return fmt.Errorf("%v count %d (soft %t), told were %d (%t)", cards, total, soft, out.Total, out.Soft)
	}
	return nil
}

func (b *book) settled(out table.Output) error {
	want, stake, err := b.expect(out)
	if err != nil {
		return fmt.Errorf("box %d %s %s: %w", out.Box, out.Bettor, out.Wager, err)
	}
	returned := stake
	if want.outcome == table.Lose {
		returned = 0
	}
	got := verdict{out.Outcome, out.Why, out.Won}
	if got != want || out.Stake != stake || out.Returned != returned {
		return fmt.Errorf("box %d hand %d %s %s: got %v on %d, back %d; want %v on %d, back %d",
			out.Box, out.Hand, out.Bettor, out.Wager, got, out.Stake, out.Returned, want, stake, returned)
	}
	p := &b.page
	p.sums.Staked += out.Stake
	p.sums.Returned += out.Returned
	p.sums.Won += out.Won
	return nil
}

// expect finds the wager of a settlement, marks it as settled, and says what it
// must bring on which stake.
func (b *book) expect(out table.Output) (verdict, int64, error) {
	p, who := &b.page, guest{int(out.Box), out.Bettor}
	if out.Wager == table.WagerInsurance {
		i := p.insured[who]
		if i.amount == 0 || i.settled {
			return verdict{}, 0, fmt.Errorf("there is no open insurance")
		}
		p.insured[who] = insurance{i.amount, true}
		want, err := p.insuranceBrings(i.amount, out.Outcome == table.Void)
		return want, i.amount, err
	}
	hands := p.boxes[who.box].hands
	h := &hands[out.Hand-1]
	at := slices.IndexFunc(h.wagers, func(w wager) bool { return w.name == who.name && !w.settled })
	if at < 0 {
		return verdict{}, 0, fmt.Errorf("there is no open wager on hand %d", out.Hand)
	}
	h.wagers[at].settled = true
	stake := h.wagers[at].amount
	if out.Outcome == table.Void {
		return verdict{table.Void, table.WhyVoidRound, 0}, stake, nil
	}
	want, err := b.handBrings(h.cards, len(hands) > 1, p.even[who], stake)
	return want, stake, err
}

// insuranceBrings pays 2:1 when the bank has Black Jack. (Common rule 16.)
func (p *page) insuranceBrings(stake int64, void bool) (verdict, error) {
	switch {
	case void:
		return verdict{table.Void, table.WhyVoidRound, 0}, nil
	case len(p.bank) != 2:
		return verdict{}, fmt.Errorf("settled while the bank has %v", p.bank)
	case natural(p.bank):
		return verdict{table.Win, table.WhyBankBlackJack, 2 * stake}, nil
	}
	return verdict{table.Lose, table.WhyNoBankBlackJack, 0}, nil
}

// handBrings is what a hand must bring at this moment. (Common rules 4, 5, 8, 9,
// 10 and 17.)
func (b *book) handBrings(cards []card.Card, split, even bool, stake int64) (verdict, error) {
	bank := b.page.bank
	total, _ := count(cards)
	against, _ := count(bank)
	blackJack := natural(cards) && !split
	oneAndAHalf := stake * 3 / 2 / b.unit * b.unit
	switch {
	case even && blackJack && len(bank) == 1 && bank[0].Rank() == card.Ace:
		return verdict{table.Win, table.WhyEvenMoney, stake}, nil
	case even:
		return verdict{}, fmt.Errorf("even money for %v against %v", cards, bank)
	case total > 21:
		return verdict{table.Lose, table.WhyBust, 0}, nil
	case blackJack && len(bank) == 1 && against < 10: // an ace counts eleven
		return verdict{table.Win, table.WhyBlackJack, oneAndAHalf}, nil
	case len(bank) < 2 || against < 17 && !blackJack:
		return verdict{}, fmt.Errorf("%v is decided while the bank has %v", cards, bank)
	case blackJack && natural(bank):
		return verdict{table.StandOff, table.WhyTie, 0}, nil
	case blackJack:
		return verdict{table.Win, table.WhyBlackJack, oneAndAHalf}, nil
	case natural(bank):
		return verdict{table.Lose, table.WhyBankBlackJack, 0}, nil
	case against > 21:
		return verdict{table.Win, table.WhyBankBust, stake}, nil
	case total > against:
		return verdict{table.Win, table.WhyHigherTotal, stake}, nil
	case total == against:
		return verdict{table.StandOff, table.WhyTie, 0}, nil
	}
	return verdict{table.Lose, table.WhyLowerTotal, 0}, nil
}

// bustIsLost: a hand over 21 is lost at once. (Common rule 5.)
func (b *book) bustIsLost() error {
	for n, box := range b.page.boxes {
		for i, h := range box.hands {
			if total, _ := count(h.cards); total > 21 && slices.ContainsFunc(h.wagers, open) {
				return fmt.Errorf("box %d hand %d is bust and a wager on it is open", n, i+1)
			}
		}
	}
	return nil
}

func open(w wager) bool { return !w.settled }

// decided checks the round's line: every wager is decided, the sums are right,
// and the bank drew what it had to.
func (b *book) decided(out table.Output) error {
	p := &b.page
	total, _ := count(p.bank)
	if !slices.Equal(out.Bank, p.bank) || int(out.Total) != total {
		return fmt.Errorf("the bank has %v = %d, told were %v = %d", p.bank, total, out.Bank, out.Total)
	}
	if out.Sums != p.sums || p.committed() != p.sums.Staked {
		return fmt.Errorf("on the table are %d, decided %+v, told were %+v", p.committed(), p.sums, out.Sums)
	}
	if p.voided {
		return nil
	}
	return p.bankDrew()
}

// bankDrew: the bank draws to 16 and stands on 17, and draws what an open wager
// needs and no more. (Common rules 6 and 7.)
func (p *page) bankDrew() error {
	least := p.leastBankCards()
	if len(p.bank) < 2 || least < 3 {
		if len(p.bank) != least {
			return fmt.Errorf("the bank drew %v, and needed %d cards", p.bank, least)
		}
		return nil
	}
	last, _ := count(p.bank)
	before, _ := count(p.bank[:len(p.bank)-1])
	if last < 17 || len(p.bank) > 2 && before > 16 {
		return fmt.Errorf("the bank drew %v", p.bank)
	}
	return nil
}

// leastBankCards is 1 or 2, or 3 for as many as the bank's own rule says.
func (p *page) leastBankCards() int {
	up, _ := count(p.bank[:1])
	least := 1
	for _, i := range p.insured {
		if i.amount > 0 {
			least = 2
		}
	}
	for n, b := range p.boxes {
		for _, h := range b.hands {
			total, _ := count(h.cards)
			switch {
			case total > 21:
			case len(b.hands) > 1 || !natural(h.cards):
				return 3
			case up >= 10 && slices.ContainsFunc(h.wagers, func(w wager) bool { return !p.even[guest{n, w.name}] }):
				least = 2
			}
		}
	}
	return least
}
