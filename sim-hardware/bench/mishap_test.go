package bench

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/sim-hardware/keysim"
	"github.com/sabot-table/sabot/sim-hardware/mishap"
	"github.com/sabot-table/sabot/sim-hardware/shoesim"
)

// TestTrayOfAnErringHand: whatever goes wrong at the shoe of any make, the bench knows which cards have left it, and all but
// a foreign one go back.
func TestTrayOfAnErringHand(t *testing.T) {
	for _, kind := range shoesim.Kinds() {
		t.Run(string(kind), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				shoe, err := shoesim.New(shoesim.Options{Kind: kind, Memory: true, Continuous: true, Decks: 1, Seed: 1, Boot: 1})
				if err != nil {
					t.Fatal(err)
				}
				defer shoe.Close()
				tray := &tray{shoe: shoe}
				for name, draw := range map[string]func() (card.Card, error){"drawn": tray.Draw, "unread": tray.DrawUnread, "lost": tray.DrawLost} {
					if c, err := draw(); err != nil || !c.Ranked() {
						t.Errorf("%s: %v, %v", name, c, err)
					}
				}
				if err := tray.DrawForeign(card.Joker); err != nil {
					t.Error(err)
				}
				if tray.drawn() != 4 || shoe.State().CardsLeft != 49 || !shoe.State().Plugged {
					t.Errorf("%d cards were drawn, %+v", tray.drawn(), shoe.State())
				}
				opened, closed := tray.Cover(true), tray.Cover(false)
				knows := kind != shoesim.AngelEye
				if knows && (opened != nil || closed != nil) || !knows && !errors.Is(opened, mishap.ErrCannot) {
					t.Errorf("the cover: %v, %v", opened, closed)
				}
				if err := tray.Unplug(); err != nil || shoe.State().Plugged {
					t.Errorf("the cable is in: %v", err)
				}
				if err := errors.Join(tray.Plug(), tray.Return()); err != nil || !shoe.State().Plugged || shoe.State().CardsLeft != 52 {
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
		shoe, err := shoesim.New(shoesim.Options{Memory: true, Continuous: true, Seed: 5, Boot: 1, ToHost: wire.ToHost, FromHost: wire.FromHost})
		if err != nil {
			t.Fatal(err)
		}
		defer shoe.Close()
		var under mishap.Shoe
		dealer := &keysim.Dealer{Pace: time.Second}
		b := New(Options{
			Table: &fakeTable{changed: make(chan struct{})}, Shoe: shoe, Wire: wire, Panel: NewPanel(contacts, outputs, 1), Dealer: dealer,
			Errs: func(d *keysim.Dealer, s mishap.Shoe) { under, d.Shoe = s, twice{s} },
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
