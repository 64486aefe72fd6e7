package web

import (
	"fmt"
	"math"
	"strconv"

	"github.com/sabot-table/sabot/display"
)

// settleModel is how a box is paid: what is taken in, what is laid beside, and in which
// chips.
type settleModel struct {
	Name      string
	Take, Pay amountModel
	Line      []string
	Chips     chipsModel
}

// stackModel is so many chips of one value.
type stackModel struct {
	Class, Text string
	Count       int64
}

// settle is about the box that comes next, nil where there is none.
func (r renderer) settle(v display.View) *settleModel {
	b, paying := display.NextToPay(v)
	if !paying {
		return nil
	}
	m := &settleModel{
		Name: r.say("past.box", "box", strconv.Itoa(b.Number)), Pay: r.foot(v, b),
		Line: r.language.OnTheLine(v, b),
	}
	if take := display.ToTake(b); take > 0 {
		m.Take = written(display.Take.Sign()+r.language.Money(take, v.Digits), v.Digits)
	}
	pay, _ := display.ToPay(b)
	m.Chips = r.inChips(v, pay)
	return m
}

func (r renderer) stacks(v display.View, stacks []display.Stack) (all []stackModel) {
	for _, s := range stacks {
		text := r.chipText(v, s.Value)
		all = append(all, stackModel{Class: chipClass(v, s.Value, text), Text: text, Count: s.Count})
	}
	return all
}

// chipText is what stands on a chip: its value, without decimals that say nothing.
func (r renderer) chipText(v display.View, value int64) string {
	return r.language.Short(value, v.Digits)
}

// chipClass is a chip's colour, the house's or by its value, its form, and the size of what stands on it. In a currency
// without decimals a hundred has the colour that one has in others.
func chipClass(v display.View, value int64, text string) string {
	look := v.Look(value)
	class := fmt.Sprintf("c%d d%d", value/int64(math.Pow10(max(v.Digits, 2))), len([]rune(text)))
	if look.Colour != 0 {
		class += " in-" + look.Colour.String()
	}
	if look.Plaque {
		class += " plaque"
	}
	return class
}
