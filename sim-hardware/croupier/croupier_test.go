package croupier_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/sabot-table/sabot/sim-hardware/croupier"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

// TestTaken: a table takes whatever a croupier decides, in every house, also where it is narrow; on the boxes, and of
// as many guests, as were asked for.
func TestTaken(t *testing.T) {
	book := profile.Built()
	for _, house := range book.Names() {
		for _, boxes := range []int{0, 1, 2} {
			for _, c := range []croupier.Croupier{
				{Boxes: 3, Freely: true},
				{Boxes: 2, Most: 1, Marks: true},
				{Some: true, Sides: true},
				{Some: true, Boxes: 2, Most: 2, Sides: true},
			} {
				setup := rules.Setup{House: house, Boxes: boxes}
				set, err := book.Set(setup)
				if err != nil {
					continue // the house has no table so narrow
				}
				c.Dice = rand.New(rand.NewPCG(uint64(boxes), 7))
				var tab table.Table
				tab.Step(&vocab.Input{Kind: vocab.InSetup, Setup: &setup, Rules: set})
				what := fmt.Sprintf("%s, %d boxes, %+v", house, boxes, c)
				for range 40 {
					round(t, what, &tab, &c)
				}
			}
		}
	}
}

// round deals a round with all the house's cards.
func round(t *testing.T, what string, tab *table.Table, c *croupier.Croupier) {
	t.Helper()
	cards := croupier.Cards(tab.Rules().Cards)
	rand.New(rand.NewPCG(tab.Round(), 1)).Shuffle(len(cards), func(i, j int) {
		cards[i], cards[j] = cards[j], cards[i]
	})
	tab.Step(&vocab.Input{Kind: vocab.InShoe, Shoe: vocab.ShoeSaid{Event: vocab.ShoeLoaded}})
	for last := vocab.InputKind(0); last != vocab.InPaid; {
		in, decides := c.Next(tab)
		if !decides {
			in, cards = vocab.Input{Kind: vocab.InCard, Card: cards[0]}, cards[1:]
		}
		last = in.Kind
		if tab.Step(&in); tab.Rejected() != 0 {
			t.Fatalf("%s: %+v is refused: %s", what, in, tab.Rejected())
		}
		if held, is := tab.Held(); is {
			t.Fatalf("%s: %+v is held: %s", what, in, held.Code)
		}
		if in.Kind != vocab.InClose {
			continue
		}
		played := 0
		for box := 1; box <= tab.Boxes(); box++ {
			if n := len(tab.Bettors(box)); n > 0 {
				if played++; c.Most != 0 && tab.Boxes() > 1 && n > c.Most {
					t.Errorf("%s: %d play on a box", what, n)
				}
			}
		}
		if c.Boxes != 0 && played != min(c.Boxes, tab.Boxes()) {
			t.Errorf("%s: %d boxes are played", what, played)
		}
	}
}

// TestAgain: what nobody knows to have been taken comes once more.
func TestAgain(t *testing.T) {
	set, err := profile.Built().Set(rules.Setup{House: "wiesbaden"})
	if err != nil {
		t.Fatal(err)
	}
	var tab table.Table
	tab.Step(&vocab.Input{Kind: vocab.InSetup, Setup: &rules.Setup{House: "wiesbaden"}, Rules: set})
	tab.Step(&vocab.Input{Kind: vocab.InOpen})
	c := croupier.Croupier{Dice: rand.New(rand.NewPCG(1, 1)), Boxes: 2}
	first, _ := c.Next(&tab)
	c.Again(first)
	if again, _ := c.Next(&tab); again.Kind != vocab.InStake || again.Box != first.Box || again.Bettor != first.Bettor {
		t.Errorf("after %+v comes %+v", first, again)
	}
	if next, _ := c.Next(&tab); next.Box == first.Box && next.Bettor == first.Bettor {
		t.Errorf("%+v comes a third time", next)
	}
}
