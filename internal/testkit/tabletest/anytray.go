package tabletest

import (
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/vocab"
)

// AnyTray is what may be done with a tray, at a good moment or not: often the next step of a slip that is under way,
// and now and then something that no casino does.
func (p *Player) AnyTray(t *table.Table) vocab.Input {
	y := t.Tray()
	in := vocab.Input{Kind: anyOf(p, vocab.InCount, vocab.InCount, vocab.InCount, vocab.InFill, vocab.InCredit,
		vocab.InBuyIn, vocab.InDrop, vocab.InChange, vocab.InTips), By: p.anyName()}
	switch in.Kind {
	case vocab.InCount:
		in.Tray = &vocab.Tray{
			Count: anyMember(p, vocab.EveryCountEvent), Dealer: p.anyName(),
			Chips: InValues(max(0, y.Must+anyOf[int64](p, 0, 0, 0, -10_000, 50))),
		}
	case vocab.InFill, vocab.InCredit:
		p.anySlip(&in, y.Slips)
	case vocab.InBuyIn, vocab.InTips:
		if in.Amount = anyOf[int64](p, 5000, 10_000, 500, 0, 25, -5000); in.Amount < 0 {
			in.Because = "miscounted"
		}
	case vocab.InChange:
		in.Tray = &vocab.Tray{Chips: p.anyChips(), For: p.anyChips()}
		if p.oneIn(2) {
			in.Tray.For = []vocab.Chips{{Value: 50, Pieces: sumOf(in.Tray.Chips) / 50}}
		}
	}
	if in.Kind != vocab.InChange && p.oneIn(8) {
		in.Role = vocab.Dealer
	}
	return in
}

// anySlip is mostly the next step of one that is under way.
func (p *Player) anySlip(in *vocab.Input, slips []vocab.Slip) {
	y := vocab.Tray{Step: vocab.SlipAsked}
	if len(slips) > 0 && !p.oneIn(4) {
		one := anyOf(p, slips...)
		in.Kind = one.Kind()
		y.Slip, y.Step, y.Chips = one.Number, one.Step+1, one.Chips
		switch {
		case p.oneIn(8):
			y.Step, in.Because = vocab.SlipRefused, "not today"
		case p.oneIn(8):
			y.Step = anyMember(p, vocab.EverySlipStep)
		case p.oneIn(8):
			y.Chips = p.anyChips()
		case p.oneIn(16):
			y.Slip++
		}
	}
	switch y.Step {
	case vocab.SlipAsked:
		y.Slip, y.Chips, in.Because = 0, p.anyChips(), ""
	case vocab.SlipApproved, vocab.SlipRefused:
		y.Chips = nil
	}
	if y.Step != vocab.SlipRefused {
		in.Because = ""
	}
	in.Tray = &y
}

// anyChips are some pieces of one value or two, now and then of one twice.
func (p *Player) anyChips() []vocab.Chips {
	list := []vocab.Chips{{Value: anyOf[int64](p, 500, 2000, 10_000), Pieces: int64(1 + p.Dice.IntN(20))}}
	switch {
	case p.oneIn(3):
		list = append(list, vocab.Chips{Value: 50_000, Pieces: int64(p.Dice.IntN(3))})
	case p.oneIn(8):
		list = append(list, list[0])
	}
	return list
}

func sumOf(list []vocab.Chips) (sum int64) {
	for _, c := range list {
		sum += c.Value * c.Pieces
	}
	return sum
}

// InValues are chips that come to an amount, the most valuable first.
func InValues(amount int64) (list []vocab.Chips) {
	for _, value := range [...]int64{1_000_000, 10_000, 500, 50, 1} {
		if n := amount / value; n > 0 || value == 500 {
			list = append(list, vocab.Chips{Value: value, Pieces: n})
			amount -= n * value
		}
	}
	return list
}
