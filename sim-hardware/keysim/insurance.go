package keysim

import (
	"context"
	"slices"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/table/vocab"
)

// insurance lets some players insure, and half of the Black Jacks take even money if the house offers it.
func (d *Dealer) insurance(ctx context.Context, v display.View) error {
	for _, box := range v.Boxes {
		for _, bettor := range box.Bettors {
			in, wanted := d.insure(v, box, bettor)
			if !wanted {
				continue
			}
			if _, err := d.try(ctx, in); err != nil {
				return err
			}
		}
	}
	return d.press(ctx, vocab.Input{Kind: vocab.InCall, Call: vocab.CallInsuranceClosed})
}

func (d *Dealer) insure(v display.View, box display.Box, b display.Bettor) (in vocab.Input, wanted bool) {
	in = vocab.Input{Kind: vocab.InCall, Box: box.Number, Bettor: b.Name}
	if b.EvenMoney || b.Insurance != 0 {
		return in, false
	}
	if slices.Contains(box.Offers, vocab.CallEvenMoney) && d.rng.IntN(2) == 0 {
		in.Call = vocab.CallEvenMoney
		return in, true
	}
	if !slices.Contains(box.Offers, vocab.CallInsurance) || d.rng.IntN(4) != 0 {
		return in, false
	}
	in.Call = vocab.CallInsurance
	if b.Stake == display.Unstated {
		return in, true
	}
	in.Amount, in.Stated = b.Stake/2, true
	if !v.Due.Half && d.rng.IntN(3) == 0 {
		in.Amount /= 2
	}
	in.Amount = in.Amount / v.Unit * v.Unit
	return in, in.Amount > 0
}
