package keysim

import (
	"context"
	"math"
	"slices"

	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

// sideBets lets the guests at a box, and sometimes one who has no other stake there, place the side bets that the house
// offers.
func (d *Dealer) sideBets(ctx context.Context, box int, guests []guest) error {
	if d.Rules == nil {
		return nil
	}
	for _, bet := range d.Rules.SideBets {
		offer := d.Rules.Offer(bet.Bet)
		left := offer.BoxMost
		if left == 0 {
			left = math.MaxInt64
		}
		for _, one := range d.bettors(offer, box, guests) {
			amount := d.sideAmount(offer)
			if amount == 0 || amount > left || d.rng.IntN(10) >= 3 {
				continue
			}
			in := d.stake(box, one, amount)
			in.Wager = vocab.SideWager(bet.Bet)
			if _, err := d.try(ctx, in); err != nil {
				return err
			}
			left -= amount
			if err := d.rest(ctx); err != nil {
				return err
			}
		}
	}
	return nil
}

// bettors are the guests whom the house allows to bet.
func (d *Dealer) bettors(offer *rules.Offer, box int, guests []guest) []guest {
	switch offer.Bettors {
	case rules.Anybody:
		if d.rng.IntN(3) == 0 {
			return append(slices.Clone(guests), guest{name: guestName(box, 25)})
		}
	case rules.SeatedOnly:
		return slices.DeleteFunc(slices.Clone(guests), func(g guest) bool { return !g.seated })
	case rules.HoldersOnly:
		return slices.DeleteFunc(slices.Clone(guests), func(g guest) bool { return !g.holder })
	}
	return guests
}

// sideAmount is a stake within the house's limits, mostly the smallest; 0 if they leave none.
func (d *Dealer) sideAmount(offer *rules.Offer) int64 {
	least := (offer.Least + offer.Step - 1) / offer.Step * offer.Step
	amount := least + offer.Step*int64(max(0, d.rng.IntN(6)-3))
	switch {
	case amount <= offer.Most:
		return amount
	case least <= offer.Most:
		return least
	}
	return 0
}
