package keysim

import (
	"context"
	"fmt"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/hand"
)

// takeBets lets the players stake, then closes the bets.
func (d *Dealer) takeBets(ctx context.Context, v display.View) error {
	staked := 0
	for _, box := range v.Boxes {
		if d.rng.IntN(100) >= 65 && !(staked == 0 && box.Number == len(v.Boxes)) {
			continue
		}
		taken, err := d.stakeBox(ctx, v, box.Number)
		if err != nil {
			return err
		}
		staked += taken
	}
	if staked == 0 {
		return errNoBets
	}
	return d.press(ctx, table.Input{Kind: table.InClose})
}

// stakeBox lets one to three players stake on a box: the one who sits at it, and
// standing ones. What passes the box's maximum is refused, and nobody minds.
func (d *Dealer) stakeBox(ctx context.Context, v display.View, box int) (int, error) {
	players := 1 + max(0, d.rng.IntN(6)-3)
	taken := 0
	for i := range players {
		name := fmt.Sprintf("%d", box)
		if i > 0 {
			name += string(rune('a' + i - 1))
		}
		refused, err := d.Press(ctx, table.Input{
			Kind: table.InStake, Wager: table.WagerMain, Box: box, Bettor: name, Amount: d.amount(v), Stated: true,
		})
		switch {
		case err != nil:
			return 0, err
		case refused == table.RoundHeld:
			return 0, ErrLookAgain
		case refused == 0:
			taken++
		}
		if err := d.rest(ctx); err != nil {
			return 0, err
		}
	}
	return taken, nil
}

// amount is a stake within the limits: mostly small, at times the box's maximum.
func (d *Dealer) amount(v display.View) int64 {
	steps := int64(1 + d.rng.IntN(4))
	if d.rng.IntN(12) == 0 {
		steps = 1 + d.rng.Int64N(max(1, v.BoxMax/v.Min))
	}
	return min(v.Min*steps, v.BoxMax/v.Unit*v.Unit)
}

// insurance lets some players insure half, and half of the Black Jacks take even
// money.
func (d *Dealer) insurance(ctx context.Context, v display.View) error {
	for _, box := range v.Boxes {
		for _, bettor := range box.Bettors {
			in, wanted := d.insure(v, box, bettor)
			if !wanted {
				continue
			}
			if _, err := d.Press(ctx, in); err != nil {
				return err
			}
		}
	}
	return d.press(ctx, table.Input{Kind: table.InCall, Call: table.CallInsuranceClosed})
}

func (d *Dealer) insure(v display.View, box display.Box, b display.Bettor) (table.Input, bool) {
	in := table.Input{Kind: table.InCall, Box: box.Number, Bettor: b.Name}
	if hand.BlackJack(box.Hands[0].Cards) && d.rng.IntN(2) == 0 {
		in.Call = table.CallEvenMoney
		return in, true
	}
	in.Call, in.Stated = table.CallInsurance, true
	in.Amount = b.Stake / 2 / v.Unit * v.Unit
	return in, in.Amount > 0 && d.rng.IntN(4) == 0
}

// choose is the holder's call for the hand that is due, in the manner of the
// usual tables: never a card at 17, few against a weak bank.
func choose(v display.View) table.Input {
	allowed := map[string]bool{}
	for _, call := range v.Due.Allowed {
		allowed[call] = true
	}
	h := v.Boxes[v.Due.Box-1].Hands[v.Due.Hand-1]
	bank := hand.Points(v.Bank.Cards[0].Rank())
	weak := bank >= 2 && bank <= 6
	in := table.Input{Kind: table.InCall, Call: table.CallRest}
	switch {
	case allowed["split"] && splits(h.Cards[0], weak):
		in.Call = table.CallSplit
	case allowed["double"] && (h.Total == 11 || h.Total == 10 && bank != 1 && bank != 10 || h.Total == 9 && weak):
		in.Call = table.CallDouble
	case allowed["card"] && draws(h, weak):
		in.Call = table.CallCard
	}
	return in
}

// splits: aces and eights always, small pairs against a weak bank, never tens or fives.
func splits(c card.Card, weak bool) bool {
	switch points := hand.Points(c.Rank()); points {
	case 1, 8:
		return true
	case 4, 5, 10:
		return false
	default:
		return weak
	}
}

// draws: soft hands to 18, hard ones to 17, or to 12 against a weak bank.
func draws(h display.Hand, weak bool) bool {
	switch {
	case h.Soft:
		return h.Total < 18
	case weak:
		return h.Total < 12
	default:
		return h.Total < 17
	}
}
