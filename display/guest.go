package display

import (
	"slices"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/money"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

// Guest is what guests may see of a table on a display of their own: what the house announces,
// and the bank. Names, stakes, alerts and the shoe have no place in it.
type Guest struct {
	Table, House, Title string
	Currency            string
	Digits              int
	Min, BoxMax         int64
	// Jackpot is what the progressive jackpot stands at, 0 where there is none.
	Jackpot int64
	// State says how far the round is.
	State Message
	// Rule is how the bank draws, empty where that is another in each round.
	Rule Message
	Bank Hand
	// Main are what the main game pays, Sides the house's side bets.
	Main  []GuestPay
	Sides []GuestBet
}

// GuestPay is a line of a paytable. Name has the text of what wins it.
type GuestPay struct {
	Name  string
	Prize rules.Prize
}

// GuestBet is a side bet with its limits and its paytable, the highest line first.
type GuestBet struct {
	Wager       vocab.Wager
	Least, Most int64
	Pays        []GuestPay
}

// GuestOf returns what guests may see of a view.
func GuestOf(v View) Guest {
	g := Guest{
		Table: v.Table, House: v.House, Currency: v.Currency, Digits: v.Digits, Min: v.Min, BoxMax: v.BoxMax,
		Jackpot: v.Jackpot, Bank: v.Bank, State: guestState(v),
	}
	if v.Rules == nil {
		return g
	}
	g.Title = v.Rules.Title
	g.Main = mainPays(v.Rules)
	if v.Rules.Game == rules.BlackJack {
		g.Rule = say("guest.rule")
		if v.Rules.Bank.DrawsSoft17() {
			g.Rule = say("guest.rule-soft-17")
		}
	}
	for _, o := range v.Rules.Offers() {
		g.Sides = append(g.Sides, guestBet(o))
	}
	return g
}

// guestState says how far the round is. What holds it is none of the guests' business, but for a big win that the house
// wants them to hear of.
func guestState(v View) Message {
	switch {
	case v.Opening.Closed:
		return say("guest.closed")
	case v.Held != nil && v.Held.Guests:
		return say("guest.big-win", priceArg(v.Held.Won, v))
	case v.Held != nil || !v.Known():
		return say("guest.moment")
	case v.Phase == vocab.Idle:
		return say("guest.idle")
	case v.Phase == vocab.Bets:
		return say("guest.bets")
	case v.Phase == vocab.InsuranceOffer && !slices.Equal(offered(v), []vocab.Call{vocab.CallSurrender}):
		return say("guest.insurance")
	case v.Phase == vocab.Payment:
		return say("guest.payment")
	}
	return say("guest.play")
}

func mainPays(r *rules.Rules) []GuestPay {
	var list []GuestPay
	add := func(offered bool, why vocab.Why, odds money.Ratio) {
		if offered {
			list = append(list, GuestPay{key(LabelWhy, why.String()), rules.Prize{Odds: odds}})
		}
	}
	jack, p := r.Game == rules.BlackJack, &r.Pays
	add(true, vocab.WhyBlackJack, p.BlackJack)
	if p.BonusBlackJack != nil {
		add(jack, vocab.WhyBonusBlackJack, *p.BonusBlackJack)
	}
	add(jack && r.ThreeSevens.Paid, vocab.WhyThreeSevens, p.ThreeSevens)
	add(!jack, vocab.WhyFiveCardTrick, p.FiveCardTrick)
	if jack && r.Insurance.Offered {
		list = append(list, GuestPay{key(LabelWager, vocab.WagerInsurance.String()), rules.Prize{Odds: p.Insurance}})
	}
	return list
}

func guestBet(o *rules.Offer) GuestBet {
	g := GuestBet{Wager: vocab.SideWager(o.Bet), Least: o.Least, Most: o.Most}
	for _, line := range o.Lines() {
		if prize := o.Prize(line); prize != (rules.Prize{}) {
			g.Pays = append(g.Pays, GuestPay{key(LabelWhy, vocab.WhyLine(line).String()), prize})
		}
	}
	return g
}

// GuestResult is how a round went for the bank.
type GuestResult struct {
	Round uint64
	Total int
	// Done is a Black Jack or a bust; 0 for a total.
	Done vocab.Done
	// Drew is false where the bank needed no second card.
	Drew bool
}

// ResultOf returns how a round went, from the bank's cards and what they count.
func ResultOf(game Game, round uint64, bank []card.Card, total int) GuestResult {
	r := GuestResult{Round: round, Total: total, Drew: len(bank) > 1 || game == BlackJames}
	switch {
	case game == BlackJames:
	case len(bank) == 2 && total == 21:
		r.Done = vocab.DoneBlackJack
	case total > 21:
		r.Done = vocab.DoneBust
	}
	return r
}
