package touch_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/display/panel"
	"github.com/sabot-table/sabot/display/touch"
	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/internal/testkit/tier"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/rules"
)

// TestEach pays bettors alone, in every house, as the screen and the panel do: what each is said to get adds up to the
// box, the table takes it, and it is paid once.
func TestEach(t *testing.T) {
	paid, shared := 0, 0
	for _, house := range profile.Built().Names() {
		dice := rand.New(rand.NewPCG(7, uint64(len(house))))
		var tab table.Table
		tab.Step(tabletest.SetUp(rules.Setup{House: house}))
		player := &tabletest.Player{Dice: dice, Boxes: 3, Freely: true}
		for range tier.Times(4000, 40000) {
			v := display.From(&tab, "bj-1", 1)
			each := touch.Each(v)
			if len(each) == 0 {
				in := player.Next(&tab)
				tab.Step(&in)
				continue
			}
			addsUp(t, v, each)
			one := each[dice.IntN(len(each))]
			in := one.Pay.Put[0]
			if next, share, paying := display.NextShare(v); paying && dice.IntN(2) == 0 {
				var err error
				if in, err = panel.Input(v, panel.Card); err != nil || in.Box != next.Number ||
					in.Bettor != share.Bettor {
					t.Fatalf("the panel pays %+v, %v, not %s on box %d", in, err, share.Bettor, next.Number)
				}
			} else if known := one.Share.Pay > 0 && !one.ByOdds; known && dice.IntN(2) == 0 {
				in.Amount, in.Stated = one.Share.Pay, true
			}
			if tab.Step(&in); tab.Rejected() != 0 {
				t.Fatalf("%s: %+v is refused: %s", house, in, tab.Rejected())
			}
			after := touch.Each(display.From(&tab, "bj-1", 1))
			if slices.ContainsFunc(after, func(o touch.One) bool { return o.Box == in.Box && o.Bettor == in.Bettor }) {
				t.Fatalf("%s: %s on box %d is paid, and is to be paid again", house, in.Bettor, in.Box)
			}
			if paid++; slices.ContainsFunc(after, func(o touch.One) bool { return o.Box == in.Box }) {
				shared++
			}
		}
	}
	if paid < 500 || shared < 50 {
		t.Errorf("%d were paid, %d of them on a box with others: the test shows too little", paid, shared)
	}
}

// addsUp: the bettors of a box get what the box gets.
func addsUp(t *testing.T, v display.View, each []touch.One) {
	t.Helper()
	for _, b := range v.Boxes {
		sum, odds := int64(0), false
		for _, one := range each {
			if one.Box == b.Number {
				sum, odds = sum+one.Share.Pay, odds || one.ByOdds
			}
		}
		if pay, byOdds := display.ToPay(b); !b.Paid && (pay != sum || byOdds != odds) {
			t.Fatalf("box %d gets %d, and its bettors %d", b.Number, pay, sum)
		}
	}
}
