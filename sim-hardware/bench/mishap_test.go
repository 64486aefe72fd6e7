package bench

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/sim-hardware/keysim"
	"github.com/sabot-table/sabot/sim-hardware/mishap"
	"github.com/sabot-table/sabot/sim-hardware/shoesim"
)

// TestTrayOfAnErringHand: whatever goes wrong at the shoe of any make, the bench knows which cards have left it, and
// all but a foreign one go back.
func TestTrayOfAnErringHand(t *testing.T) {
	for _, kind := range shoesim.Kinds() {
		t.Run(string(kind), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				shoe, err := shoesim.New(shoesim.Options{
					Kind: kind, Memory: true, Continuous: true, Decks: 1,
					Seed: 1, Boot: 1,
				})
				if err != nil {
					t.Fatal(err)
				}
				defer shoe.Close()
				tray := &tray{shoe: shoe}
				do := func(steps ...string) (drawn card.Card) {
					for _, step := range steps {
						c, err := tray.Do(step)
						if err != nil {
							t.Errorf("%s: %v", step, err)
						}
						drawn = max(drawn, c)
					}
					return drawn
				}
				lost := do("pull", "draw", "reboot", "plug")
				if !do("draw").Ranked() || !do("unread").Ranked() || !lost.Ranked() {
					t.Error("a card that was drawn has no name")
				}
				c, now := do("foreign JOKER"), shoe.State()
				if c != card.Joker || tray.drawn() != 4 || now.CardsLeft != 49 || !now.Plugged {
					t.Errorf("%s: %d cards were drawn, %+v", c, tray.drawn(), shoe.State())
				}
				if err := tray.Return(); err != nil || shoe.State().CardsLeft != 52 {
					t.Errorf("%+v, %v", shoe.State(), err)
				}
			})
		})
	}
}

// TestErrs: a hand that errs gets the tray, and has the dealer's last word on his shoe.
func TestErrs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		wire := NewWire(shoesim.Sabot)
		shoe, err := shoesim.New(shoesim.Options{
			Memory: true, Continuous: true, Seed: 5, Boot: 1, ToHost: wire.ToHost,
			FromHost: wire.FromHost,
		})
		if err != nil {
			t.Fatal(err)
		}
		defer shoe.Close()
		var under mishap.Shoe
		dealer := &keysim.Dealer{Pace: time.Second}
		b := New(Options{
			Table: &fakeTable{changed: make(chan struct{})}, Shoe: shoe, Wire: wire, Dealer: dealer,
			Panel: NewPanel(contacts, outputs, 1),
			Errs:  func(d *keysim.Dealer, s mishap.Shoe) { under, d.Shoe = s, twice{s} },
		})
		if _, is := dealer.Shoe.(twice); !is || under == nil {
			t.Fatalf("the dealer's shoe is %T, on %T", dealer.Shoe, under)
		}
		if _, err := dealer.Shoe.Draw(); err != nil || b.tray.drawn() != 2 {
			t.Errorf("the bench knows of %d cards: %v", b.tray.drawn(), err)
		}
	})
}

// twice is a hand that draws two cards.
type twice struct{ mishap.Shoe }

func (s twice) Draw() (card.Card, error) {
	if _, err := s.Shoe.Draw(); err != nil {
		return card.None, err
	}
	return s.Shoe.Draw()
}
