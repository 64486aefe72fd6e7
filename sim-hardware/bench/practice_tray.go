package bench

import (
	"strconv"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/sim-hardware/practice"
)

// floatModel is a tray: what lies in it, and what is on record of it.
type floatModel struct{ Lies, Moves []lineModel }

func (p *practiceModel) float(asked practice.Asked) *floatModel {
	m := &floatModel{}
	for _, c := range asked.Float.Lies {
		m.Lies = append(m.Lies, lineModel{
			What: p.chip(c.Value, asked.Shows.Digits),
			Work: strconv.FormatInt(c.Pieces, 10) + " ×",
		})
	}
	for _, one := range asked.Float.Moves {
		m.Moves = append(m.Moves, lineModel{
			What: p.Say("tray." + one.What), Won: p.language.Money(one.Amount, asked.Shows.Digits),
		})
	}
	return m
}

// workedOut says how the amount of a tray is worked out: what each value comes to, and what each line of the record
// adds.
func (p *practiceModel) workedOut(d *doneModel, asked practice.Asked) {
	digits := asked.Shows.Digits
	var lies, must int64
	compares := len(asked.Float.Lies) > 0 && len(asked.Float.Moves) > 0
	for _, one := range asked.Float.Moves {
		must += one.Adds
		d.Lines = append(d.Lines, lineModel{What: p.Say("tray." + one.What), Won: p.added(one.Adds, digits)})
	}
	if compares {
		d.Lines = append(d.Lines, lineModel{What: p.Say("tray.must"), Won: p.language.Money(must, digits)})
	}
	for _, c := range asked.Float.Lies {
		sum := c.Value * c.Pieces
		lies += sum
		d.Lines = append(d.Lines, lineModel{
			What: p.chip(c.Value, digits), Work: strconv.FormatInt(c.Pieces, 10) + " × " + p.chip(c.Value, digits),
			Won: p.language.Money(sum, digits),
		})
	}
	if compares {
		d.Lines = append(d.Lines, lineModel{What: p.Say("tray.counted"), Won: p.language.Money(lies, digits)})
		d.SumOf = p.topicName(asked.About)
	}
	d.Sum = p.language.Price(asked.Right.Amount, digits, asked.Shows.Currency)
}

// added is what a line adds, with its sign; what moves nothing is a dash.
func (p *practiceModel) added(amount int64, digits int) string {
	switch {
	case amount < 0:
		return display.Take.Sign() + p.language.Money(-amount, digits)
	case amount > 0:
		return display.Pay.Sign() + p.language.Money(amount, digits)
	}
	return "–"
}
