package display

import (
	"slices"

	"github.com/sabot-table/sabot/table"
)

// From draws the view of a table. The view keeps nothing of the table's memory;
// name is the table's own and seq counts the inputs it has taken.
func From(t *table.Table, name string, seq uint64) View {
	v := View{Table: name, Seq: seq, Round: t.Round(), Phase: phases[t.Phase()], Due: due(t)}
	r := t.Rules()
	if r == nil {
		return v
	}
	v.House, v.Game, v.Currency, v.Digits = r.House, r.Game.String(), r.Table.Currency, 2
	v.Jackpot = t.Jackpot()
	v.Min, v.BoxMax, v.Unit = r.Table.Min, r.Table.BoxMax, r.Table.Unit
	v.Bank = bank(t)
	for n := 1; n <= t.Boxes(); n++ {
		v.Boxes = append(v.Boxes, box(t, n, v.Due))
	}
	v.Held = held(t)
	v.Rejected = t.Rejected().String()
	v.Aside = slices.Clone(t.Aside())
	if s := t.Sums(); t.Phase() == table.Payment && !s.Unstated {
		v.Sums = &Sums{Staked: s.Staked, Returned: s.Returned, Won: s.Won}
	}
	v.Shoe = Shoe{Online: !t.Shoe().Offline, Alarm: t.Shoe().Alarm, CutCard: t.Shoe().CutCard}
	v.Shoe.Dealt, v.Shoe.Left = t.Dealt()
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
		Cards: slices.Clone(b.Cards), Total: b.Total, Soft: b.Soft, Done: b.Done.String(),
		Active: t.Due().To == table.ToBank,
	}
	if h.Done == "" && t.Phase() == table.Payment && t.BankDrew() {
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
	for _, s := range t.Sides(n) {
		b.Sides = append(b.Sides, SideBet{Bettor: s.Bettor, Wager: s.Bet.String(), Stake: s.Amount})
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
		Cards: slices.Clone(th.Cards), Total: th.Total, Soft: th.Soft,
		Done: th.Done.String(), Active: d.Box == n && d.Hand == i,
	}
	for bettor, amount := range t.Stakes(n, i) {
		h.Stakes = append(h.Stakes, HandStake{Bettor: bettor, Amount: amount})
	}
	return h
}

func payout(out table.Output) Payout {
	p := Payout{
		Bettor: out.Bettor, Wager: out.Wager.String(), Hand: int(out.Hand),
		Outcome: out.Outcome.String(), Why: out.Why.String(),
		Stake: out.Stake, Returned: out.Returned, Won: out.Won,
	}
	if out.Unstated {
		p.Stake, p.Returned, p.Won, p.Times = Unstated, Unstated, Unstated, int(out.Times)
		if out.Odds.Den != 0 {
			p.Odds = out.Odds.String()
		}
	}
	return p
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
