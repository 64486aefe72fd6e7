package touch_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/display/touch"
	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/internal/testkit/tier"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

// TestFrame walks every pair of a decision that is due and chips that are to be moved now, in every house: the frame is
// around the box on which the calls act, the mark is on those of the chips, and every key of the two names its boxes.
func TestFrame(t *testing.T) {
	pairs := map[string]int{}
	apart := 0
	for _, house := range profile.Built().Names() {
		dice := rand.New(rand.NewPCG(32, uint64(len(house))))
		var tab table.Table
		tab.Step(tabletest.SetUp(rules.Setup{House: house}))
		player := &tabletest.Player{Dice: dice, Boxes: 4, Freely: true}
		for range tier.Times(6000, 60000) {
			in := player.Next(&tab)
			tab.Step(&in)
			v := display.From(&tab, "bj-1", 1)
			now, asked := display.Asked(v)
			if !asked || v.Due.To != vocab.ToCall {
				continue
			}
			for _, call := range v.Due.Allowed {
				pairs[fmt.Sprint(call, " beside ", now.Move.Sign(), now.Wager, " on another box: ",
					!now.On(v.Due.Box))]++
			}
			if !now.On(v.Due.Box) {
				apart++
			}
			framed(t, v, now)
		}
	}
	for _, of := range []string{
		"split beside −twins on another box: true",
		"card beside +perfect-pairs on another box: true", "double beside +main on another box: true",
		"rest beside −main on another box: true",
	} {
		if pairs[of] == 0 {
			t.Errorf("no round had %s", of)
		}
	}
	if len(pairs) < 40 || apart < 100 {
		t.Errorf("%d pairs, %d on different boxes: the test shows too little: %v", len(pairs), apart, pairs)
	}
}

func framed(t *testing.T, v display.View, now display.Ask) {
	t.Helper()
	for _, b := range v.Boxes {
		if due := display.DueBox(v, b); due != (b.Number == v.Due.Box) {
			t.Fatalf("box %d is framed: %v, and the calls act on box %d", b.Number, due, v.Due.Box)
		}
		if marked := display.MovesOn(v, b); marked != now.On(b.Number) {
			t.Fatalf("box %d is marked: %v, and chips are moved on %v", b.Number, marked, now.Boxes)
		}
	}
	for _, k := range touch.Keys(v) {
		switch {
		case k.Name == "now":
			if !slices.Equal(k.On, now.Boxes) || len(k.Put) != 1 || k.Put[0].Box != 0 &&
				!slices.Equal(k.On, []int{k.Put[0].Box}) {
				t.Fatalf("the key for chips on %v names %v, and puts in %+v", now.Boxes, k.On, k.Put)
			}
		case k.Kind == touch.Call:
			if !slices.Equal(k.On, []int{v.Due.Box}) {
				t.Fatalf("the key %s names %v, and acts on box %d", k.Name, k.On, v.Due.Box)
			}
			// The holder calls for the hand, but each bettor decides whether he stakes more, or leaves.
			own := slices.Contains([]string{"double", "split", "surrender"}, k.Name)
			if asks := own && len(display.OnDueHand(v)) > 1; asks != (k.Opens != "") || asks == (len(k.Put) == 1) {
				t.Fatalf("the key %s on a hand of %d opens %q and puts in %+v", k.Name, len(display.OnDueHand(v)),
					k.Opens, k.Put)
			}
		}
	}
}
