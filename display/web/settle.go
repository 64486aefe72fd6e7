package web

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/sabot-table/sabot/display"
)

// settleModel is how a box is paid: what is taken in, what is laid beside, and in which
// chips. Rest is what no chip pays.
type settleModel struct {
	Name            string
	Take, Pay, Rest amountModel
	Stacks          []stackModel
}

// stackModel is so many chips of one value.
type stackModel struct {
	Class, Text string
	Count       int64
}

// settle is about the box that comes next, nil where there is none.
func (r renderer) settle(v display.View) *settleModel {
	if now, asked := display.Asked(v); asked {
		return r.settleNow(v, now)
	}
	b, paying := display.NextToPay(v)
	if !paying {
		return nil
	}
	m := &settleModel{Name: r.with("past.box", "box", strconv.Itoa(b.Number)), Pay: written(r.language.Foot(v, b), v.Digits)}
	if take := display.ToTake(b); take > 0 {
		m.Take = written(display.Take.Sign()+r.language.Money(take, v.Digits), v.Digits)
	}
	pay, _ := display.ToPay(b)
	r.stack(v, m, pay)
	return m
}

// settleNow is what is moved before the round goes on.
func (r renderer) settleNow(v display.View, now display.Ask) *settleModel {
	numbers := make([]string, len(now.Boxes))
	for i, n := range now.Boxes {
		numbers[i] = strconv.Itoa(n)
	}
	m := &settleModel{Name: r.with("past.box", "box", strings.Join(numbers, ", "))}
	amount := written(now.Move.Sign()+r.language.Money(now.Amount, v.Digits), v.Digits)
	switch {
	case now.Unknown && now.ByOdds != "":
		m.Pay = written(now.Move.Sign()+now.ByOdds, v.Digits)
	case now.Unknown:
	case now.Move == display.Take:
		m.Take = amount
	default:
		m.Pay = amount
		r.stack(v, m, now.Amount)
	}
	return m
}

// stack says in which chips an amount is laid out.
func (r renderer) stack(v display.View, m *settleModel, pay int64) {
	if v.Bets == nil || pay == 0 {
		return
	}
	stacks, rest := display.InChips(pay, v.Bets.Chips)
	m.Stacks = r.stacks(v, stacks)
	if rest > 0 {
		m.Rest = written(display.Pay.Sign()+r.language.Money(rest, v.Digits), v.Digits)
	}
}

func (r renderer) stacks(v display.View, stacks []display.Stack) (all []stackModel) {
	for _, s := range stacks {
		text := r.chipText(v, s.Value)
		all = append(all, stackModel{Class: chipClass(s.Value, text), Text: text, Count: s.Count})
	}
	return all
}

// chipText is what stands on a chip: its value, without decimals that say nothing.
func (r renderer) chipText(v display.View, value int64) string {
	if unit := int64(math.Pow10(v.Digits)); value%unit == 0 {
		return r.language.Money(value/unit, 0)
	}
	return r.language.Money(value, v.Digits)
}

// chipClass is a chip's colour, by its value, and the size of what stands on it.
func chipClass(value int64, text string) string {
	return fmt.Sprintf("c%d d%d", value/100, len([]rune(text)))
}
