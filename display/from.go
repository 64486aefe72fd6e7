package display

import (
	"cmp"
	"slices"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

// From draws the view of a table. The view keeps nothing of the table's memory;
// name is the table's own and seq counts the inputs it has taken.
func From(t *table.Table, name string, seq uint64) View {
	v := View{
		Table: name, Seq: seq, Round: t.Round(), Phase: t.Phase(), Due: due(t),
		Bank: Hand{Cards: []card.Card{}}, Boxes: []Box{},
		Rejected: t.Rejected(), Shoe: shoe(t),
		Own: Own{TwoKeys: t.TwoKeys(), Moment: Moment(t)},
	}
	v.Alerts, v.Shift, v.Opening = alerts(t), shift(t), opening(t)
	v.Undo, v.Held = undo(t), held(t)
	r := t.Rules()
	if r == nil {
		return v
	}
	v.House, v.Game, v.Currency, v.Digits = r.House, 1+Game(r.Game), r.Table.Currency, r.Digits()
	v.Jackpot = t.Jackpot()
	v.Min, v.BoxMax, v.Unit = r.Table.Min, r.Table.BoxMax, r.Table.Unit
	v.Bets, v.Rules, v.Tray = bets(t), r, tray(t)
	v.Bank, v.HoleSeen = bank(t), t.HoleSeen()
	for n := 1; n <= t.Boxes(); n++ {
		v.Boxes = append(v.Boxes, box(t, n, v.Due))
	}
	v.Unmoves = unmoves(t, v.Boxes)
	v.Aside, v.Waiting = slices.Clone(t.Aside()), lies(t)
	v.Differences = differences(t)
	if correctable(v) {
		v.Corrects = corrects(t)
	}
	if s := t.Sums(); t.Phase() == vocab.Payment && !s.Unstated {
		v.Sums = &Sums{Staked: s.Staked, Returned: s.Returned, Won: s.Won, Over: t.Over()}
	}
	return v
}

// correctable says whether a supervisor may correct the round, whatever has to be decided about it. Between two rounds
// there is none, and only who has stopped the table wants the shoe to end.
func correctable(v View) bool {
	if v.Held == nil || len(v.Held.Choices) == 0 || v.Held.Code == irregularity.ReplayDiffers {
		return false
	}
	return v.Phase != vocab.Idle || v.Held.Code == irregularity.HeldByHand
}

// undo is what an undo would take back.
func undo(t *table.Table) Press {
	press, ok := t.Undoable()
	if !ok {
		return Press{}
	}
	return Press{press.Kind, press.Call}
}

// unmoves is how the chips were moved of a wager, or in the payment of a box, whose confirmation an undo would take
// back: paid, if any of them were.
func unmoves(t *table.Table, boxes []Box) (move Move) {
	press, ok := t.Undoable()
	if !ok || press.Kind != vocab.InPaid || press.Wager == "" && press.Box == 0 {
		return Open
	}
	for _, b := range boxes {
		for _, p := range b.Payouts {
			switch {
			case press.Box != 0 && press.Box != b.Number, press.Bettor != "" && press.Bettor != p.Bettor:
			case press.Hand != 0 && int(press.Hand) != p.Hand, p.Paid != (press.Wager != ""):
			case press.Wager != "" && press.Wager != p.Wager:
			case moveOf(p) == Pay:
				return Pay
			case move == Open:
				move = moveOf(p)
			}
		}
	}
	return move
}

func shoe(t *table.Table) Shoe {
	told, r := t.Shoe(), t.Rules()
	s := Shoe{
		Online: !told.Offline, Alarm: t.Alarm(), CutCard: told.CutCard,
		Maker: told.Maker, Serial: told.Serial, Firmware: told.Firmware, Packs: told.Packs, LoadedBy: told.By,
	}
	s.Shuffler = r != nil && r.Cards.Source == rules.Shuffler
	s.Dealt, s.Left = t.Dealt()
	s.LoadSupervised = t.LoadNeedsSupervisor()
	return s
}

func due(t *table.Table) Due {
	d := t.Due()
	v := Due{To: d.To, Box: int(d.Box), Hand: int(d.Hand), Cards: int(d.Cards)}
	if d.To == vocab.ToAside {
		burning, _ := t.Burning()
		v.ByValue = burning.ByValue
	}
	for c := range d.Allowed.All {
		v.Allowed = append(v.Allowed, c)
	}
	v.Half = d.To == vocab.ToInsurance && t.Rules().Insurance.Exactly
	v.Implied = d.Allowed.Has(vocab.CallCard) && t.Rules().Play.Calls == rules.CallsImplied && len(t.Waiting()) == 0
	return v
}

// isBanks says whether what is due concerns the bank: a card, or its hole card.
func isBanks(due vocab.To) bool {
	switch due {
	case vocab.ToBank, vocab.ToHole, vocab.ToLook, vocab.ToTurn:
		return true
	}
	return false
}

func bank(t *table.Table) Hand {
	b := t.Bank()
	h := Hand{
		Cards: copied(b.Cards), Total: b.Total, Soft: b.Soft, Done: b.Done,
		Active: isBanks(t.Due().To),
	}
	if hole, lies := t.Hole(); lies {
		h.Cards = append(h.Cards, cmp.Or(hole.Known, card.Down))
	}
	if h.Done == 0 && t.Phase() == vocab.Payment && t.BankDrew() {
		h.Done = vocab.DoneStands
		if t.Rules().Game == rules.BlackJames {
			h.Done = vocab.DoneStop
		}
	}
	return h
}

func box(t *table.Table, n int, d Due) Box {
	b := Box{Number: n, Paid: t.Paid(n)}
	for i, one := range t.Bettors(n) {
		b.Bettors = append(b.Bettors, Bettor{
			Name: one.Name, Holder: i == 0, Stake: one.Stake,
			Insurance: one.Insured, EvenMoney: one.EvenMoney, Seated: one.Seated, Player: one.Player,
		})
	}
	for _, s := range t.Sides(n) {
		b.Sides = append(b.Sides, SideBet{
			Bettor: s.Bettor, Wager: vocab.SideWager(s.Bet), Stake: s.Amount,
			Player: s.Player,
		})
	}
	for i := 1; i <= t.Hands(n); i++ {
		b.Hands = append(b.Hands, boxHand(t, n, i, d))
	}
	for nth, out := range t.Decided() {
		if int(out.Box) == n {
			p := payout(out)
			atOnce(t, &p, &out, nth)
			p.Already = already(t, nth)
			if owed, given, differs := t.PaidOtherwise(nth); differs {
				p.Instead = &Instead{Due: owed, Paid: given}
			}
			if t.Phase() != vocab.Idle { // in Idle what lies there is for the next round
				p.LineChips = lineChips(t, &out)
			}
			b.Payouts = append(b.Payouts, p)
		}
	}
	if t.Phase() == vocab.InsuranceOffer {
		b.Offers = offers(t, b)
	}
	if paid, back, was := t.PaidBefore(n); was {
		b.Before = &PaidBefore{paid, back}
	}
	for _, l := range t.OnLines() {
		if int(l.Box) == n && !decidesLine(b.Payouts, l.Bettor) {
			b.Line = append(b.Line, l.Bettor)
		}
	}
	return b
}

// lineChips is how many chips lie on the line and go with a wager, 0 for no more than one.
func lineChips(t *table.Table, out *vocab.Output) int64 {
	if n := t.OnLine(out); out.OnLine && n > 1 {
		return n
	}
	return 0
}

// decidesLine says whether it is decided what becomes of a bettor's chip on the line.
func decidesLine(payouts []Payout, bettor string) bool {
	return slices.ContainsFunc(payouts, func(p Payout) bool {
		return p.Bettor == bettor && p.Wager == vocab.WagerMain && p.Hand == 1 && p.Outcome != vocab.Void
	})
}

func already(t *table.Table, nth int) *Already {
	paid, more, known, moved := t.Already(nth)
	if !moved {
		return nil
	}
	return &Already{Paid: paid, More: more, Unknown: !known}
}

// offers are what a box may take against the bank's first card: insurance, even money, a surrender before the dealer
// looks. A Black Jack that is paid already takes nothing, and some houses offer a Black Jack even money only.
func offers(t *table.Table, b Box) []vocab.Call {
	if len(b.Hands) == 0 {
		return nil
	}
	r, up := t.Rules(), t.Bank().Cards[0].Rank()
	blackJack := b.Hands[0].Done == vocab.DoneBlackJack
	paid := func(p Payout) bool { return p.Why == vocab.WhyBonusBlackJack }
	if blackJack && slices.ContainsFunc(b.Payouts, paid) {
		return nil
	}
	var list []vocab.Call
	if r.Insurance.Against(up) && (!blackJack || r.Insurance.BlackJack) {
		list = append(list, vocab.CallInsurance)
	}
	if r.Insurance.EvenMoney && blackJack && up == card.Ace {
		list = append(list, vocab.CallEvenMoney)
	}
	if _, may := t.SurrenderOffered(b.Number); may {
		list = append(list, vocab.CallSurrender)
	}
	return list
}

func boxHand(t *table.Table, n, i int, d Due) Hand {
	th := t.Hand(n, i)
	h := Hand{
		Cards: copied(th.Cards), Total: th.Total, Soft: th.Soft,
		Done: th.Done, Active: d.Box == n && d.Hand == i,
	}
	for bettor, amount := range t.Stakes(n, i) {
		h.Stakes = append(h.Stakes, HandStake{Bettor: bettor, Amount: amount})
	}
	return h
}

// copied takes the cards of a hand out of the table's memory. No cards are an empty
// list in JSON, never null.
func copied(cards []card.Card) []card.Card { return append([]card.Card{}, cards...) }

func payout(out vocab.Output) Payout {
	p := Payout{
		Bettor: out.Bettor, Wager: out.Wager, Hand: int(out.Hand),
		Outcome: out.Outcome, Why: out.Why,
		Stake: out.Stake, Returned: out.Returned, Won: out.Won, Carried: out.Carried, Line: out.OnLine,
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
	h := &Held{
		Code: i.Code, Card: i.Card, Choices: []irregularity.Choice{}, Missing: i.Missing, Box: i.Box,
		Found: i.Found, By: i.By, Because: i.Because,
	}
	h.Bettor, h.Owed, h.Given = i.Bettor, i.Owed, i.Given
	if i.Code == irregularity.BigWin {
		h.Wager, h.Hand, h.Why, h.Won = i.Wager, int(i.Hand), i.Why, i.Won
		h.Guests = t.Rules().BigWin.Guests
	}
	h.Joker = t.Rules() != nil && t.Rules().Cards.Jokers > 0 &&
		(i.Choices.Has(irregularity.Identify) || i.Code == irregularity.ForeignJoker)
	h.Behind, h.Arrived = t.Behind()
	ways := t.Rules().Ways(i.Code)
	for c := range i.Choices.All {
		h.Choices = append(h.Choices, c)
		if ways.Dealer(c) {
			h.Dealer = append(h.Dealer, c)
		}
	}
	return h
}
