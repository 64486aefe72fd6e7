package bench

import (
	"errors"
	"fmt"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/sim-hardware/mishap"
	"github.com/sabot-table/sabot/sim-hardware/shoesim"
)

// A dealer's hand that errs has the tray as its shoe: so the bench knows of those cards, too.
var _ mishap.Shoe = (*tray)(nil)

// DrawUnread draws the next card so that the sensor cannot read it.
func (t *tray) DrawUnread() (card.Card, error) { return t.take(t.shoe.DrawUnread()) }

// DrawForeign draws a card that is not the shoe's. It never goes back.
func (t *tray) DrawForeign(c card.Card) error {
	err := t.shoe.DrawForeign(c)
	if err == nil {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.count++
	}
	return err
}

// DrawLost draws a card while the cable is out. A shoe that keeps such a card loses its power as well.
func (t *tray) DrawLost() (card.Card, error) {
	if err := t.shoe.Unplug(); err != nil {
		return card.None, err
	}
	c, err := t.take(t.shoe.Draw())
	if err == nil {
		err = t.shoe.Reboot()
	}
	return c, errors.Join(err, t.shoe.Replug())
}

// Cover opens the shoe's cover, or closes it.
func (t *tray) Cover(open bool) error {
	err := t.shoe.Trouble(shoesim.Cover, open)
	if errors.Is(err, shoesim.ErrNoSuch) {
		return fmt.Errorf("%w: %w", mishap.ErrCannot, err)
	}
	return err
}

// Unplug pulls the shoe's cable.
func (t *tray) Unplug() error { return t.shoe.Unplug() }

// Plug puts the cable back.
func (t *tray) Plug() error { return t.shoe.Replug() }
