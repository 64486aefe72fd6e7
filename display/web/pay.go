package web

import (
	"strconv"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/display/touch"
	"github.com/sabot-table/sabot/table/transcript"
)

// payModel is the sheet on which bettors are paid one by one, and another amount than is due is told, or a hand is
// doubled for less. It is nil where neither can be.
type payModel struct {
	// Opens is what opens the sheet, Title its heading, and Does what the key says that puts an amount in.
	Opens, Title, Does string
	amountPad
	Each  []oneModel
	Chips []chipModel
}

// oneModel is a bettor: Other is the input that an amount completes.
type oneModel struct {
	Key          keyModel
	Where, Name  string
	Moves        []movingModel
	Chips        chipsModel
	Other, Asked string
}

// movingModel is a move of chips.
type movingModel struct {
	Kind   string
	Amount amountModel
}

func (r renderer) pay(v display.View) *payModel {
	if !r.hands {
		return nil
	}
	var each []oneModel
	for i := range v.Boxes {
		b := &v.Boxes[i]
		for _, one := range touch.EachOn(v, b) {
			each = append(each, r.one(v, b, &one))
		}
	}
	opens, title, does := touch.OpensEach, "key.each", "key.paid"
	if len(each) == 0 {
		for _, one := range touch.ForLess(v) {
			each = append(each, r.forLess(v, &one))
		}
		opens, title, does = touch.OpensLess, "key.less", "call.double"
	}
	if len(each) == 0 {
		return nil
	}
	m := &payModel{
		Opens: opens, Title: r.say(title), Does: r.say(does), amountPad: r.amountPad(v.Digits), Each: each,
	}
	if v.Bets != nil {
		for i, value := range v.Bets.Chips {
			m.Chips = append(m.Chips, r.chip(v, i, value))
		}
	}
	return m
}

// forLess are bettors who double a hand together, as a whole or for an amount.
func (r renderer) forLess(v display.View, one *touch.Less) oneModel {
	return oneModel{
		Key: r.key(one.Whole), Where: r.say("past.box", "box", strconv.Itoa(v.Due.Box)), Name: one.Names,
		Moves: []movingModel{{kind(display.Leave), written(r.language.Money(one.Lies, v.Digits), v.Digits)}},
		Other: string(transcript.AppendInput(nil, &one.Other)),
		Asked: r.say("less.asked", "names", one.Names),
	}
}

func (r renderer) one(v display.View, b *display.Box, one *touch.One) oneModel {
	m := oneModel{
		Key: r.key(one.Pay), Where: r.say("past.box", "box", strconv.Itoa(one.Box)),
		Name:  r.bettor(one.Box, one.Bettor),
		Moves: r.moves(v, b, one.Bettor, false), Chips: r.inChips(v, one.Share.Pay),
		Other: string(transcript.AppendInput(nil, &one.Other)),
	}
	due := r.language.Money(one.Share.Pay, v.Digits)
	if one.ByOdds {
		due = m.Moves[0].Amount.whole()
	}
	m.Asked = r.say("pay.asked", "box", strconv.Itoa(one.Box), "bettor", m.Name, "amount", due)
	return m
}

// moves are what is done with a bettor's chips on a box, or was done already.
func (r renderer) moves(v display.View, b *display.Box, bettor string, already bool) (all []movingModel) {
	for _, one := range r.language.Moves(*b, bettor, already, v.Digits) {
		all = append(all, movingModel{kind(one.Move), written(one.Text, v.Digits)})
	}
	if len(all) == 0 && !already {
		all = append(all, movingModel{kind(display.Leave), written(display.Leave.Sign(), v.Digits)})
	}
	return all
}

// chipsModel is an amount in chips, and what no chip pays.
type chipsModel struct {
	Stacks []stackModel
	Rest   amountModel
}

// inChips is an amount in the table's chips, as far as they are known.
func (r renderer) inChips(v display.View, amount int64) (m chipsModel) {
	if v.Bets == nil || amount == 0 {
		return m
	}
	stacks, rest := display.InChips(amount, v.Bets.Chips)
	if m.Stacks = r.stacks(v, stacks); rest > 0 {
		m.Rest = written(display.Pay.Sign()+r.language.Money(rest, v.Digits), v.Digits)
	}
	return m
}
