package display

import (
	"slices"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/hand"
)

// From draws the view of a table. The view keeps nothing of the table's memory;
// name is the table's own and seq counts the inputs it has taken.
func From(t *table.Table, name string, seq uint64) View {
	v := View{
		Table: name, Seq: seq, Round: t.Round(), Phase: phases[t.Phase()], Due: due(t),
		Bank: Hand{Cards: []card.Card{}}, Boxes: []Box{},
		Rejected: t.Rejected().String(),
		Shoe:     Shoe{Online: !t.Shoe().Offline, Alarm: t.Alarm()},
	}
	r := t.Rules()
	if r == nil {
		return v
	}
	v.House, v.Currency, v.Digits = r.House, r.Table.Currency, 2
	v.Min, v.BoxMax, v.Unit = r.Table.Min, r.Table.BoxMax, r.Table.Unit
	v.Bank = bank(t)
	for n := 1; n <= t.Boxes(); n++ {
		v.Boxes = append(v.Boxes, box(t, n, v.Due))
	}
	v.Held = held(t)
	v.Aside = slices.Clone(t.Aside())
	if t.Phase() == table.Payment {
		s := t.Sums()
		v.Sums = &Sums{Staked: s.Staked, Returned: s.Returned, Won: s.Won}
	}
	return v
}

var phases = [...]string{
	table.Idle: PhaseIdle, table.Bets: PhaseBets, table.Deal: PhaseDeal,
	table.InsuranceOffer: PhaseInsurance, table.Play: PhasePlay,
	table.BankDraws: PhaseBank, table.Payment: PhasePayment,
}

func due(t *table.Table) Due {
	d := t.Due()
	v := Due{To: d.To.String(), Box: int(d.Box), Hand: int(d.Hand)}
	for c := range d.Allowed.All {
		v.Allowed = append(v.Allowed, c.String())
	}
	return v
}

func bank(t *table.Table) Hand {
	b := t.Bank()
	h := Hand{
		Cards: copied(b.Cards), Total: b.Value.Total(), Soft: b.Value.Soft(),
		Active: t.Due().To == table.ToBank,
	}
	switch {
	case hand.BlackJack(b.Cards):
		h.Done = "blackjack"
	case b.Value.Bust():
		h.Done = "bust"
	case t.Phase() == table.Payment && len(b.Cards) > 1:
		h.Done = "stands"
	}
	return h
}

func box(t *table.Table, n int, d Due) Box {
	b := Box{Number: n, Paid: t.Paid(n)}
	for i, one := range t.Bettors(n) {
		b.Bettors = append(b.Bettors, Bettor{
			Name: one.Name, Holder: i == 0, Stake: one.Stake,
			Insurance: one.Insured, EvenMoney: one.EvenMoney,
		})
	}
	for i := 1; i <= t.Hands(n); i++ {
		b.Hands = append(b.Hands, boxHand(t, n, i, d))
	}
	for _, out := range t.Decided() {
		if int(out.Box) == n {
			b.Payouts = append(b.Payouts, payout(out))
		}
	}
	return b
}

func boxHand(t *table.Table, n, i int, d Due) Hand {
	th := t.Hand(n, i)
	h := Hand{
		Cards: copied(th.Cards), Total: th.Value.Total(), Soft: th.Value.Soft(),
		Done: th.Done.String(), Active: d.Box == n && d.Hand == i,
	}
	if h.Done == "" && t.Hands(n) == 1 && hand.BlackJack(th.Cards) {
		h.Done = table.DoneBlackJack.String()
	}
	for bettor, amount := range t.Stakes(n, i) {
		h.Stakes = append(h.Stakes, HandStake{Bettor: bettor, Amount: amount})
	}
	return h
}

// copied takes the cards of a hand out of the table's memory. No cards are an empty
// list in JSON, never null.
func copied(cards []card.Card) []card.Card { return append([]card.Card{}, cards...) }

func payout(out table.Output) Payout {
	return Payout{
		Bettor: out.Bettor, Wager: out.Wager.String(), Hand: int(out.Hand),
		Outcome: out.Outcome.String(), Why: out.Why.String(),
		Stake: out.Stake, Returned: out.Returned, Won: out.Won,
	}
}

func held(t *table.Table) *Held {
	i, holding := t.Held()
	if !holding {
		return nil
	}
	h := &Held{Code: i.Code.String(), Card: i.Card, Choices: []string{}}
	for c := range i.Choices.All {
		h.Choices = append(h.Choices, c.String())
	}
	return h
}
