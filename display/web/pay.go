package web

import (
	"strconv"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/display/touch"
	"github.com/sabot-table/sabot/table/transcript"
)

// payModel is the sheet on which bettors are paid one by one, and another amount than is due is told. It is nil outside
// the payment.
type payModel struct {
	// Money is an example of how amounts are written, and Point what stands before decimals.
	Money, Point string
	Each         []oneModel
	Chips        []chipModel
	Digits       []string
}

// oneModel is a bettor: Other is the input that an amount completes.
type oneModel struct {
	Key          keyModel
	Where, Name  string
	Pay, Take    string
	Stacks       []stackModel
	Other, Asked string
}

func (r renderer) pay(v display.View) *payModel {
	if !r.hands {
		return nil
	}
	each := touch.Each(v)
	if len(each) == 0 {
		return nil
	}
	m := &payModel{Money: r.language.Money(exampleAmount, v.Digits), Point: r.say("number.point"), Digits: figures}
	for i := range each {
		m.Each = append(m.Each, r.one(v, &each[i]))
	}
	if v.Bets != nil {
		for i, value := range v.Bets.Chips {
			m.Chips = append(m.Chips, r.chip(v, i, value))
		}
	}
	return m
}

func (r renderer) one(v display.View, one *touch.One) oneModel {
	m := oneModel{
		Key: r.key(one.Pay), Where: r.with("past.box", "box", strconv.Itoa(one.Box)), Name: r.bettor(one.Box, one.Bettor),
		Pay: display.Pay.Sign() + r.language.Money(one.Share.Pay, v.Digits), Other: string(transcript.AppendInput(nil, &one.Other)),
	}
	if one.ByOdds {
		m.Pay += " + " + r.word("by-odds")
	}
	if one.Share.Pay == 0 && !one.ByOdds {
		m.Pay = "="
	}
	if one.Take > 0 {
		m.Take = display.Take.Sign() + r.language.Money(one.Take, v.Digits)
	}
	if v.Bets != nil {
		stacks, _ := display.InChips(one.Share.Pay, v.Bets.Chips)
		m.Stacks = r.stacks(v, stacks)
	}
	m.Asked = r.say("pay.asked", display.Arg{Name: "box", Text: strconv.Itoa(one.Box)}, display.Arg{Name: "bettor", Text: m.Name},
		display.Arg{Name: "amount", Text: r.language.Money(one.Share.Pay, v.Digits)})
	return m
}
