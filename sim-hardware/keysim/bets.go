package keysim

import (
	"context"
	"errors"
	"fmt"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/table/vocab"
)

var errNoBets = errors.New("no stake was accepted: the table's limits leave none")

// guest is a player at a box: the one who sits at it, one who sits elsewhere, or one who stands behind.
type guest struct {
	name           string
	holder, seated bool
}

// takeBets lets the players stake, then closes the bets.
func (d *Dealer) takeBets(ctx context.Context, v display.View) error {
	var played []int
	for _, box := range v.Boxes {
		last := box.Number == len(v.Boxes)
		if d.rng.IntN(100) >= 65 && (len(played) > 0 || !last) {
			continue
		}
		taken, err := d.stakeBox(ctx, v, box.Number)
		if err != nil {
			return err
		}
		if taken {
			played = append(played, box.Number)
		}
	}
	if len(played) == 0 {
		return errNoBets
	}
	return d.closeBets(ctx, v, played[0])
}

// closeBets closes the bets. If a player may not play alone on one box, the player also stakes on another, if the table
// has one, or a friend joins in.
func (d *Dealer) closeBets(ctx context.Context, v display.View, played int) error {
	closing := vocab.Input{Kind: vocab.InClose}
	refused, err := d.try(ctx, closing)
	if err != nil || refused == 0 {
		return err
	}
	if refused != vocab.SinglePlayerTwoBoxes {
		return fmt.Errorf("the bets could not be closed: %s", refused)
	}
	alone := guest{name: guestName(played, 0), holder: true, seated: true}
	more := []vocab.Input{d.mainStake(played%len(v.Boxes)+1, alone, v.Min)}
	if len(v.Boxes) == 1 { // the first stake makes room for the friend's
		more = append(more, d.mainStake(played, guest{name: guestName(played, 1)}, v.Min))
	}
	for _, in := range append(more, closing) {
		if err := d.press(ctx, in); err != nil {
			return err
		}
	}
	return nil
}

// guestName is the box's number for the player who sits at it, with a letter added for others.
func guestName(box, at int) string {
	if at == 0 {
		return fmt.Sprint(box)
	}
	return fmt.Sprintf("%d%c", box, 'a'+rune(at-1))
}

// stakeBox lets one to three players stake on a box, then on side bets.
func (d *Dealer) stakeBox(ctx context.Context, v display.View, box int) (taken bool, err error) {
	var guests []guest
	left := v.BoxMax
	for i := range 1 + max(0, d.rng.IntN(6)-3) {
		one := guest{name: guestName(box, i), holder: i == 0, seated: i == 0 || d.rng.IntN(2) == 0}
		amount := min(d.amount(v), left/v.Unit*v.Unit)
		if amount < v.Min {
			break
		}
		refused, err := d.try(ctx, d.mainStake(box, one, amount))
		if err != nil {
			return false, err
		}
		if refused == 0 {
			guests = append(guests, one)
			left -= amount
		}
		if err := d.rest(ctx); err != nil {
			return false, err
		}
	}
	if len(guests) == 0 {
		return false, nil
	}
	return true, d.sideBets(ctx, box, guests)
}

func (d *Dealer) mainStake(box int, one guest, amount int64) vocab.Input {
	in := d.stake(box, one, amount)
	in.Wager = vocab.WagerMain
	if one.seated && !one.holder {
		in.Seat = vocab.Seated
	}
	return in
}

// stake is a stake of a guest on a box, without the amount where stakes are marks.
func (d *Dealer) stake(box int, one guest, amount int64) vocab.Input {
	in := vocab.Input{Kind: vocab.InStake, Box: box, Bettor: one.name}
	if !d.Marks {
		in.Amount, in.Stated = amount, true
	}
	return in
}

// amount is a stake within the limits: mostly small, at times the box's maximum.
func (d *Dealer) amount(v display.View) int64 {
	steps := int64(1 + d.rng.IntN(4))
	if d.rng.IntN(12) == 0 {
		steps = 1 + d.rng.Int64N(max(1, v.BoxMax/v.Min))
	}
	return min(v.Min*steps, v.BoxMax/v.Unit*v.Unit)
}
