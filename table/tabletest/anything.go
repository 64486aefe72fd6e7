package tabletest

import (
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/money"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/sidebet"
)

// Anything returns any input that a line of a transcript can say, whether it
// makes sense now or not. Half of them are of a kind that does.
func (p *Player) Anything(t *table.Table) table.Input {
	if p.oneIn(2) {
		return p.mistake(t)
	}
	switch p.Dice.IntN(13) {
	case 0, 10, 11:
		return table.Input{Kind: table.InUndo}
	case 1:
		return table.Input{Kind: table.InOpen}
	case 2:
		return table.Input{Kind: table.InClose}
	case 3:
		return table.Input{Kind: table.InCard, Card: p.anyCard()}
	case 4:
		return p.anyCall(t, table.CallCard+table.Call(p.Dice.IntN(int(table.CallInsuranceClosed))))
	case 5:
		return p.anyStake(t)
	case 6:
		return p.anyResolution()
	case 7:
		return p.anyShoe()
	case 8:
		return p.anyPayment()
	case 9:
		return p.besideTheRound()
	default:
		return p.anySetup()
	}
}

// mistake returns an input of the kind that is due, with anything in it.
func (p *Player) mistake(t *table.Table) table.Input {
	if _, holding := t.Held(); holding {
		if p.oneIn(2) {
			return p.anyShoe()
		}
		return p.anyResolution()
	}
	switch t.Phase() {
	case table.Bets:
		if p.oneIn(8) {
			return table.Input{Kind: table.InClose}
		}
		return p.anyStake(t)
	case table.InsuranceOffer:
		return p.anyCall(t, table.CallInsurance+table.Call(p.Dice.IntN(2)))
	case table.Play:
		if p.oneIn(4) {
			return table.Input{Kind: table.InCard, Card: p.anyCard()}
		}
		return p.anyCall(t, p.stakingCall(t.Due().Allowed))
	case table.Payment:
		return p.anyPayment()
	default:
		return table.Input{Kind: table.InCard, Card: p.anyCard()}
	}
}

// besideTheRound is what concerns the table and no round.
func (p *Player) besideTheRound() table.Input {
	in := table.Input{Kind: table.InAcknowledge + table.InputKind(p.Dice.IntN(4)), By: p.anyName()}
	switch in.Kind {
	case table.InAcknowledge:
		in.Irregularity = table.UnreadCard + table.Code(p.Dice.IntN(int(table.ReplayDiffers)))
	case table.InDealer:
		in.Shift = "late"
	case table.InNote:
		in.Code = "pin-wrong"
	case table.InStorage:
		in.By, in.Storage = "", table.StorageFailed+table.StorageEvent(p.Dice.IntN(6))
		if in.Storage.Holds() && p.oneIn(2) {
			in.Code = p.anyFound()
		}
	}
	return in
}

func (p *Player) anyFound() string {
	some := [...]string{"part 3 was deleted", "the pit has heard of record 812"}
	return some[p.Dice.IntN(len(some))]
}

func (p *Player) anyCard() card.Card {
	switch n := p.Dice.IntN(70); {
	case n < 52:
		return card.Of(card.Rank(1+n%13), card.Suit(n/13))
	case n < 64:
		return card.Joker
	default:
		return card.Unread
	}
}

func (p *Player) anyName() string { return guests[p.Dice.IntN(4)] }

func (p *Player) anyAmount() int64 {
	some := [...]int64{0, 1000, 2000, 50, 25, -1000, 1050, 1025, 500, 49950, 50000, money.Max, -money.Max}
	return some[p.Dice.IntN(len(some))]
}

// anyBox is often one that is played, and sometimes none that there is.
func (p *Player) anyBox() int {
	if p.oneIn(2) {
		return p.Dice.IntN(11)
	}
	return 1 + p.Dice.IntN(3)
}

// anyBettor is often one who plays on the box.
func (p *Player) anyBettor(box int) string {
	if box >= 1 && box <= len(guests) && p.oneIn(2) {
		return guests[(box-1+3*p.Dice.IntN(3))%len(guests)]
	}
	return p.anyName()
}

func (p *Player) anyPayment() table.Input {
	in := table.Input{Kind: table.InPaid, Box: p.anyBox(), Stated: p.oneIn(2)}
	if in.Stated {
		in.Amount = p.anyAmount()
	}
	return in
}

// stakingCall is a call that puts more money on the hand, if one is allowed.
func (p *Player) stakingCall(allowed table.Calls) table.Call {
	for _, c := range [...]table.Call{table.CallDouble, table.CallSplit} {
		if allowed.Has(c) {
			return c
		}
	}
	return table.CallCard + table.Call(p.Dice.IntN(int(table.CallLower)))
}

func (p *Player) anyCall(t *table.Table, call table.Call) table.Input {
	in := table.Input{Kind: table.InCall, Call: call}
	switch in.Call {
	case table.CallDouble, table.CallSplit, table.CallSurrender:
		for range p.Dice.IntN(3) {
			in.Bettors = append(in.Bettors, p.anyBettor(int(t.Due().Box)))
		}
	case table.CallInsurance:
		in.Box = p.anyBox()
		in.Bettor = p.anyBettor(in.Box)
		p.anyStated(&in)
	case table.CallEvenMoney:
		in.Box = p.anyBox()
		in.Bettor = p.anyBettor(in.Box)
	}
	return in
}

// anyStated gives an input an amount, or at times none.
func (p *Player) anyStated(in *table.Input) {
	if in.Stated = !p.oneIn(8); in.Stated {
		in.Amount = p.anyAmount()
	}
}

func (p *Player) anyStake(t *table.Table) table.Input {
	in := table.Input{
		Kind: table.InStake, Box: p.anyBox(), Bettor: p.anyName(), Wager: p.anyWager(t),
		Seat: table.Seat(p.Dice.IntN(3)),
	}
	p.anyStated(&in)
	if p.oneIn(2) {
		in.Player = p.anyBettor(in.Box)
	}
	return in
}

// anyWager is half the time the main wager, and often one that the house takes.
func (p *Player) anyWager(t *table.Table) table.Wager {
	if p.oneIn(2) {
		return table.WagerMain
	}
	list := []table.Wager{table.WagerInsurance, table.WagerUnknown}
	house := t.Rules() != nil && !p.oneIn(4)
	for bet := sidebet.Bet(1); bet < sidebet.Count; bet++ {
		if !house || t.Rules().Offer(bet) != nil {
			list = append(list, table.SideWager(bet))
		}
	}
	return list[p.Dice.IntN(len(list))]
}

func (p *Player) anyResolution() table.Input {
	in := table.Input{
		Kind: table.InResolve, With: table.Identify + table.Choice(p.Dice.IntN(int(table.Reload))),
		By: p.anyName(), Role: table.Role(p.Dice.IntN(2)),
	}
	if p.oneIn(2) {
		in.Card = p.anyCard()
	}
	if p.oneIn(4) {
		in.Because = "a card of the other pack"
	}
	return in
}

func (p *Player) anyShoe() table.Input {
	in := table.Input{Kind: table.InShoe, Shoe: table.ShoeLoaded + table.ShoeEvent(p.Dice.IntN(int(table.ShoeAlarmCleared)))}
	switch in.Shoe {
	case table.ShoeGap:
		in.Missing = p.Dice.IntN(4)
	case table.ShoeAlarmRaised, table.ShoeAlarmCleared:
		in.Code = "cover"
	}
	return in
}

// anySetup is mostly a house as its profile has it.
func (p *Player) anySetup() table.Input {
	some := [...]rules.Setup{
		{House: "wiesbaden", Boxes: 3, Calls: "implied", KeysApart: -1},
		{House: "wiesbaden", Min: 50, Unit: 50, Boxes: 9},
		{House: "wiesbaden", Min: 1000, Unit: 500, Currency: "CHF", Decks: 1},
		{House: "mendrisio", Jackpot: 50_000},
		{House: "schaffhausen", Min: 500, Decks: 8, Calls: "implied"},
	}
	if p.oneIn(2) {
		return *SetUp(some[p.Dice.IntN(len(some))])
	}
	houses := rules.Built().Names()
	return *SetUp(rules.Setup{House: houses[p.Dice.IntN(len(houses))]})
}
