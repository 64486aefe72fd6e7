package bench

import (
	"context"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/sim-hardware/mishap"
	"github.com/sabot-table/sabot/sim-hardware/scenario"
)

// A dealer's hand that errs has the tray as its shoe: so the bench knows of those cards, too.
var _ mishap.Shoe = (*tray)(nil)

// Do does a step of a scenario at the shoe.
func (t *tray) Do(step string) (drawn card.Card, err error) {
	s, err := scenario.Parse(scriptName, step)
	if err != nil {
		return card.None, err
	}
	err = s.Play(context.Background(), scenario.Hardware{Shoe: t.shoe}, func(s scenario.Step, c card.Card) {
		t.note(s, c)
		drawn = c
	})
	return drawn, err
}
