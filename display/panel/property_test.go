package panel_test

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/display/panel"
	"github.com/sabot-table/sabot/internal/testkit/displaytest"
	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/internal/testkit/tier"
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/transcript"
	"github.com/sabot-table/sabot/table/vocab"
)

// TestAnyMoment presses every key at every moment of rounds in which everything goes wrong
// that can. Each press is an input that a journal reads back as it was written, and one lamp
// is always lit; a card may be drawn exactly when the lock is open.
func TestAnyMoment(t *testing.T) {
	parser := transcript.NewParser(profile.Built())
	pressed, refused := map[panel.Key]int{}, 0
	houses, packs := profile.Built().Names(), [][]card.Card{nil, displaytest.Cards("AS TH AD 9C 6D KH")}
	for nth := range 2 * len(houses) {
		dice := rand.New(rand.NewPCG(uint64(nth), 5))
		player := &tabletest.Player{Dice: dice, Boxes: 1 + nth%3, Freely: true, Pack: packs[nth/len(houses)]}
		var tab table.Table
		tab.Step(tabletest.SetUp(rules.Setup{
			House: houses[nth%len(houses)],
			Calls: []string{"required", "implied"}[nth%2],
		}))
		for range tier.Times(600, 4000) {
			v := display.From(&tab, "bj-1", 1)
			checkLight(t, v)
			for key := range panel.EveryKey {
				in, err := panel.Input(v, key)
				if err != nil {
					refused++
					continue
				}
				line := transcript.AppendInput(nil, &in)
				if again, err := parser.Parse(line, 0); err != nil || !reflect.DeepEqual(again, in) {
					t.Fatalf("%s at %+v becomes %s, read again as %+v, %v", key, v, line, again, err)
				}
				if pressed[key] == 0 || dice.IntN(40) == 0 || v.Phase == vocab.InsuranceOffer && dice.IntN(3) == 0 {
					tab.Step(&in)
					if tab.Rejected() == 0 {
						pressed[key]++
					}
					v = display.From(&tab, "bj-1", 1)
				}
			}
			next := player.Next(&tab)
			if dice.IntN(4) == 0 {
				next = player.Anything(&tab)
			}
			tab.Step(&next)
		}
	}
	for key := range panel.EveryKey {
		if pressed[key] == 0 {
			t.Errorf("the key %s was never taken", key)
		}
	}
	if refused == 0 {
		t.Error("it was always clear which bettor is meant")
	}
}

func checkLight(t *testing.T, v display.View) {
	t.Helper()
	l := panel.Light(v)
	dark := l.Green == panel.Off && l.Amber == panel.Off && l.Red == panel.Off
	draws := v.Held == nil && (v.Due.To == vocab.ToBox || v.Due.To == vocab.ToBank || v.Due.Implied)
	if dark || l.Locked == draws || draws != (l.Green == panel.On) || (v.Held != nil) != (l.Red != panel.Off) {
		t.Fatalf("at %+v the panel shows %+v", v, l)
	}
}
