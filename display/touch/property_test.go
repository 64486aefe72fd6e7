package touch_test

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/display/touch"
	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/internal/testkit/tier"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/transcript"
	"github.com/sabot-table/sabot/table/vocab"
)

// TestChips adds chips to any wager of any house, as the screen does: what is below the
// least or between two steps waits, all else is put in as the whole new amount. The
// limits that the screen reads are the engine's: on the table lies the sum of the chips
// that were taken, and a chip is refused only where there is too much.
func TestChips(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		house := rapid.SampledFrom(append(profile.Built().Names(), "every-bet", "potsdam")).Draw(t, "house")
		var tab table.Table
		tab.Step(tabletest.SetUp(rules.Setup{House: house}))
		tab.Step(&vocab.Input{Kind: vocab.InOpen})
		tab.Step(&vocab.Input{Kind: vocab.InStake, Box: 3, Bettor: "3", Wager: vocab.WagerMain})
		v := display.From(&tab, "bj-1", 1)
		w := rapid.SampledFrom(entered(v)).Draw(t, "wager")
		chips := rapid.SliceOfN(rapid.SampledFrom(v.Bets.Chips), 1, 20).Draw(t, "chips")

		var have, lies int64
		for _, chip := range chips {
			amount := have + chip
			if amount < w.Least || amount%w.Step != 0 {
				have = amount
				continue
			}
			in := *w.Chips
			in.Amount, in.Stated = amount, true
			tab.Step(&in)
			switch refused := tab.Rejected(); {
			case refused == 0 && amount <= w.Most:
				have, lies = amount, amount
			case refused != vocab.AboveMaximum || amount <= w.Most:
				t.Fatalf("%s of %d is answered %q: the limits are %+v", w.On, amount, refused, w.Wager)
			}
			if got := onTable(display.From(&tab, "bj-1", 1), w.On); got != lies {
				t.Fatalf("%d lie on %s, want %d", got, w.On, lies)
			}
		}
	})
}

// entered are the wagers of box 3 that chips are for.
func entered(v display.View) []touch.Wager {
	tray, _ := touch.TrayOn(v, v.Boxes[2])
	return slices.DeleteFunc(tray.Guests[0].Wagers, func(w touch.Wager) bool { return w.Chips == nil })
}

func onTable(v display.View, wager vocab.Wager) int64 {
	tray, _ := touch.TrayOn(v, v.Boxes[2])
	for _, w := range tray.Guests[0].Wagers {
		if w.On == wager {
			return max(0, w.Amount)
		}
	}
	return 0
}

// TestAnyMoment touches what is offered at every moment of rounds in which everything goes
// wrong that can. What a key puts in is read again as it was written, and is taken: what
// would be refused is not offered.
func TestAnyMoment(t *testing.T) {
	parser := transcript.NewParser(profile.Built())
	houses := profile.Built().Names()
	touched := map[string]int{}
	never := func() []string {
		return slices.DeleteFunc(
			[]string{
				"box-1", "same", "back", "leave", "seat", "main", "twins", "bust", "progressive", "insurance",
				"even-money",
			},
			func(name string) bool { return touched[name] > 0 })
	}
	// A box with a Black Jack against an ace is rare: it is played on until all was touched.
	for nth := 0; nth < 2*len(houses) || nth < 8*len(houses) && len(never()) > 0; nth++ {
		dice := rand.New(rand.NewPCG(uint64(nth), 15))
		player := &tabletest.Player{Dice: dice, Boxes: 1 + nth%4, Freely: true}
		var tab table.Table
		var memory display.Memory
		tab.Step(tabletest.SetUp(rules.Setup{House: houses[nth%len(houses)]}))
		for range tier.Times(4000, 6000) {
			v := display.From(&tab, "bj-1", 1)
			memory.Look(&v)
			v.Bets.Amounts, v.Bets.RepeatsSides = nth >= len(houses), nth%2 == 0
			if k, ok := some(v, dice); ok {
				touched[k.Name]++
				for _, in := range k.Put {
					line := transcript.AppendInput(nil, &in)
					if again, err := parser.Parse(line, 0); err != nil || !reflect.DeepEqual(again, in) {
						t.Fatalf("%s puts in %s, read again as %+v, %v", k.Name, line, again, err)
					}
					tab.Step(&in)
					if refused := tab.Rejected(); refused != 0 {
						t.Fatalf("%s: %s is refused: %s\n%+v", k.Name, line, refused, v)
					}
				}
			}
			next := player.Next(&tab)
			if dice.IntN(4) == 0 {
				next = player.Anything(&tab)
			}
			tab.Step(&next)
		}
	}
	for _, name := range never() {
		t.Errorf("%s was never touched", name)
	}
}

// some is one of the keys that put something on a box, or on all of them.
func some(v display.View, dice *rand.Rand) (touch.Key, bool) {
	var keys []touch.Key
	for _, k := range touch.Keys(v) {
		if k.Name == "same" {
			keys = append(keys, k)
		}
	}
	for _, b := range v.Boxes {
		if v.Phase == vocab.Payment {
			break
		}
		if k, ok := touch.OnBox(v, b); ok {
			keys = append(keys, k)
		}
		for _, w := range touch.Sides(v, b) {
			keys = append(keys, w.Key)
		}
		keys = append(keys, trayKeys(v, b)...)
	}
	keys = slices.DeleteFunc(keys, func(k touch.Key) bool { return k.Put == nil && k.Name != "main" })
	if len(keys) == 0 || dice.IntN(2) == 0 {
		return touch.Key{}, false
	}
	return keys[dice.IntN(len(keys))], true
}

func trayKeys(v display.View, b display.Box) []touch.Key {
	t, ok := touch.TrayOn(v, b)
	if !ok {
		return nil
	}
	var keys []touch.Key
	for _, g := range t.Guests {
		for _, w := range g.Wagers {
			if w.Chips != nil && len(w.Key.Put) == 0 {
				in := *w.Chips
				in.Amount, in.Stated = w.Least, true
				w.Key.Put = []vocab.Input{in}
			}
			keys = append(keys, w.Key)
		}
		for _, k := range []*touch.Key{g.Seat, g.Back} {
			if k != nil {
				keys = append(keys, *k)
			}
		}
	}
	if t.Back != nil {
		keys = append(keys, *t.Back)
	}
	return keys
}
