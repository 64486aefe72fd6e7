package secondbook

import (
	"fmt"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

// worth is what a card counts: pictures ten, an ace one.
func worth(c card.Card) int { return min(int(c.Rank()), 10) }

// count is what cards count: an ace counts eleven if that does not bust.
func count(cards []card.Card) (total int, soft bool) {
	ace := false
	for _, c := range cards {
		total += worth(c)
		ace = ace || c.Rank() == card.Ace
	}
	if ace && total <= 11 {
		return total + 10, true
	}
	return total, false
}

// natural reports whether cards are an ace and a ten-value.
func natural(cards []card.Card) bool {
	return len(cards) == 2 &&
		(cards[0].Rank() == card.Ace && worth(cards[1]) == 10 || cards[1].Rank() == card.Ace && worth(cards[0]) == 10)
}

func (b *Book) james() bool { return b.rules.Game == rules.BlackJames }

// dealt lays a card where the output says that it went, and counts.
func (b *Book) dealt(out *vocab.Output) error {
	switch out.To {
	case vocab.ToBank:
		return b.toBank(out)
	case vocab.ToBox:
		return b.toBox(out)
	default:
		b.page.aside = out.Card
		if int(out.Box) < len(b.page.joker) {
			b.page.joker[out.Box] = true
		}
		return nil
	}
}

func (b *Book) toBank(out *vocab.Output) error {
	p := &b.page
	over := b.bankIsOver()
	p.bank = append(p.bank, out.Card)
	switch {
	case b.james():
		return p.checkBankPoints(out)
	case over != nil:
		return over
	}
	if err := b.isTurned(); err != nil {
		return err
	}
	return checkTotal(place{}, p.bank, out)
}

// bankIsOver: the bank draws no card once it has to stand. (Common rule 6.)
func (b *Book) bankIsOver() error {
	bank := b.page.bank
	if total, soft := count(bank); len(bank) > 1 && b.bankStandsOn(total, soft) && !b.james() {
		return fmt.Errorf("the bank drew a card on %s (%s): it stands on 17 and more", counted(total, soft),
			names(bank))
	}
	return nil
}

// standsTooSoon is that the bank has taken no card on a total on which it has to.
func (b *Book) standsTooSoon() error {
	upTo := "16"
	total, soft := count(b.page.bank)
	if total == 17 {
		upTo = "a soft 17"
	}
	return fmt.Errorf("the bank stands on %s (%s): it draws up to %s", counted(total, soft), names(b.page.bank), upTo)
}

// bankStandsOn: the bank stands on a hard 17, on 18 and more, and on a soft 17 unless the house has it draw there.
func (b *Book) bankStandsOn(total int, soft bool) bool {
	if total == 17 && soft {
		return b.rules.Bank.Soft17 == nil || *b.rules.Bank.Soft17 == rules.StandsOnSoft17
	}
	return total > 16
}

func (b *Book) toBox(out *vocab.Output) error {
	p, at := &b.page, place{out.Box, out.Hand}
	r := p.row(at)
	switch {
	case r == nil:
		return fmt.Errorf("%s got %s, but there is no stake on it", at, out.Card)
	case int(r.n) == len(r.cards):
		return fmt.Errorf("%s got %s, but has %d cards already", at, out.Card, r.n)
	}
	over := b.handIsOver(r)
	r.cards[r.n] = out.Card
	r.n++
	if r.n == 2 && p.second[r.box] == card.None {
		p.second[r.box] = out.Card
	}
	var err error
	if b.james() {
		err = b.checkPoints(r, out)
	} else {
		b.countSevens(r)
		err = checkTotal(at, r.laid(), out)
	}
	if over != nil {
		return over
	}
	b.finished = append(b.finished, at)
	return err
}

// handIsOver: a hand on which every wager is decided gets no card, unless a side bet on its first two cards has
// outlived its main wagers.
func (b *Book) handIsOver(r *row) error {
	if r.n < 2 && len(b.page.deaths) > 0 && b.page.anySide(r.box) {
		return nil
	}
	for i := range b.page.wagers {
		if w := &b.page.wagers[i]; w.place == r.place && !w.settled {
			return nil
		}
	}
	total, soft := count(r.laid())
	if total > 21 {
		return fmt.Errorf("%s got a card though it was bust (%s = %d)", r.place, names(r.laid()), total)
	}
	return fmt.Errorf("%s got a card though all its wagers were decided (%s = %s)", r.place, names(r.laid()),
		counted(total, soft))
}

// checkTotal compares the recorded total with the cards.
func checkTotal(whose place, cards []card.Card, out *vocab.Output) error {
	total, soft := count(cards)
	if total == int(out.Total) && soft == out.Soft {
		return nil
	}
	return fmt.Errorf("%s has %s, which count %s; recorded: %s", whose, names(cards), counted(total, soft),
		counted(int(out.Total), out.Soft))
}

// countSevens: three sevens as a hand's first three cards are a bonus for everybody who
// has not left. (Common rule 15.)
func (b *Book) countSevens(r *row) {
	rule := &b.rules.ThreeSevens
	if !rule.Paid || r.n != 3 || b.page.hands(r.box) > 1 && !rule.AfterSplit {
		return
	}
	for _, c := range r.laid() {
		if c.Rank() != 7 {
			return
		}
	}
	for i := range b.page.wagers {
		if w := &b.page.wagers[i]; w.place == r.place && !w.settled &&
			b.page.fated(w.fate, w.place, w.name, vocab.WagerMain) == lives {
			b.page.sevens++
		}
	}
}

// paidAtOnce: a hand over 21 loses at once, and a Bonus Black Jack and bonuses are paid at
// once. (Common rules 5 and 15.)
func (b *Book) paidAtOnce() error {
	p := &b.page
	finished := b.finished
	b.finished = b.finished[:0]
	if p.sevens != 0 {
		n := p.sevens
		p.sevens = 0
		return fmt.Errorf("three sevens came, but %d bonuses for them are missing", n)
	}
	for _, at := range finished {
		r := p.row(at)
		if r == nil || !b.endsAtOnce(r) {
			continue
		}
		for i := range p.wagers {
			if w := &p.wagers[i]; w.place == at && !w.settled {
				total, _ := count(r.laid())
				return fmt.Errorf("%s has %s = %d, but %s's stake on it is not decided at once", at, names(r.laid()),
					total, w.name)
			}
		}
	}
	return nil
}

func (b *Book) endsAtOnce(r *row) bool {
	if b.james() {
		return false
	}
	total, _ := count(r.laid())
	return total > 21 && !b.mayGetBack(r) || b.isBonus(r) || b.wonByCards(r)
}

// isBonus: jack and ace of spades, at the tables that pay them. (St. Moritz, 6:5.)
func (b *Book) isBonus(r *row) bool {
	if b.rules.Pays.BonusBlackJack == nil || !b.blackJack(r) {
		return false
	}
	jack, ace := card.Of(card.Jack, card.Spades), card.Of(card.Ace, card.Spades)
	return r.cards[0] == jack && r.cards[1] == ace || r.cards[0] == ace && r.cards[1] == jack
}

// blackJack: an ace and a ten-value as the first two cards of an unsplit box.
func (b *Book) blackJack(r *row) bool { return natural(r.laid()) && b.page.hands(r.box) == 1 }
