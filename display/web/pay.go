package web

import (
	"slices"
	"strconv"
	"strings"

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
		Other: string(transcript.AppendInput(nil, &one.Other)),
	}
	m.Pay, m.Take = r.owes(v, &one.Share)
	if v.Bets != nil {
		stacks, _ := display.InChips(one.Share.Pay, v.Bets.Chips)
		m.Stacks = r.stacks(v, stacks)
	}
	m.Asked = r.say("pay.asked", display.Arg{Name: "box", Text: strconv.Itoa(one.Box)}, display.Arg{Name: "bettor", Text: m.Name},
		display.Arg{Name: "amount", Text: r.language.Money(one.Share.Pay, v.Digits)})
	return m
}

// owes are what a bettor is paid, and what is taken, "" for nothing.
func (r renderer) owes(v display.View, s *display.Share) (pay, take string) {
	switch pay = display.Pay.Sign() + r.language.Money(s.Pay, v.Digits); {
	case s.ByOdds && s.Pay == 0:
		pay = display.Pay.Sign() + " " + r.word("by-odds")
	case s.ByOdds:
		pay += " + " + r.word("by-odds")
	case s.Pay == 0:
		pay = display.Leave.Sign()
	}
	if s.Take > 0 {
		take = display.Take.Sign() + r.language.Money(s.Take, v.Digits)
	}
	return pay, take
}

// shareModel is a bettor's chips on a box, by a touch of which he is paid alone.
type shareModel struct {
	Key                    keyModel
	Name, Pay, Take, Chips string
}

// layShares puts the bettors who can be paid alone on their box, and says whether there are any and they fit. Where the box
// has a single hand they say all that its rows would: who is paid already keeps his. What is paid by odds the rows alone
// say.
func (r renderer) layShares(v display.View, b *display.Box, m *boxModel, at room) bool {
	if !r.hands {
		return false
	}
	each := touch.EachOn(v, b)
	if len(each) == 0 || slices.ContainsFunc(each, func(one touch.One) bool { return one.ByOdds }) {
		return false
	}
	with := *m
	with.Shares = make([]shareModel, 0, len(each))
	for i := range each {
		with.Shares = append(with.Shares, r.share(v, &each[i]))
	}
	if len(m.Hands) == 1 {
		with.Hands = slices.Clone(m.Hands)
		with.Hands[0].Rows = paidRows(m.Hands[0].Rows, each)
		with.Others = paidGroups(m.Others, each)
	}
	if with.fit = at.fit(with); with.fit == "" {
		return false
	}
	*m = with
	return true
}

func (r renderer) share(v display.View, one *touch.One) shareModel {
	m := shareModel{Key: r.key(one.Pay), Name: one.Bettor}
	m.Pay, m.Take = r.owes(v, &one.Share)
	if one.Take > 0 && m.Pay == display.Leave.Sign() {
		m.Pay = ""
	}
	if v.Bets == nil {
		return m
	}
	stacks, _ := display.InChips(one.Share.Pay, v.Bets.Chips)
	for i, s := range stacks {
		if i > 0 {
			m.Chips += "  "
		}
		m.Chips += strconv.FormatInt(s.Count, 10) + "×" + r.chipText(v, s.Value)
	}
	return m
}

// paidRows are those whose chips were moved already, or of the bettors who are paid.
func paidRows(rows []rowModel, each []touch.One) []rowModel {
	return slices.DeleteFunc(slices.Clone(rows), func(row rowModel) bool {
		return !strings.HasSuffix(row.Kind, movedKind) && slices.ContainsFunc(each, func(one touch.One) bool { return one.Bettor == row.Name })
	})
}

func paidGroups(groups []groupModel, each []touch.One) (left []groupModel) {
	for _, g := range groups {
		if g.Rows = paidRows(g.Rows, each); len(g.Rows) > 0 {
			left = append(left, g)
		}
	}
	return left
}
