package touch_test

import (
	"slices"
	"testing"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/display/touch"
	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

// TestPacks: a house that names no packs has the keys that it always had. Where it does, the
// key that the shoe is loaded means the same packs as before, and another opens the list;
// only between two rounds, since it counts as a fresh shoe.
func TestPacks(t *testing.T) {
	var tab table.Table
	tab.Step(tabletest.SetUp(rules.Setup{House: "baden"}))
	named := func(packs ...string) (names []string) {
		v := display.From(&tab, "bj-1", 1)
		v.Packs = packs
		for _, k := range touch.Keys(v) {
			names = append(names, k.Name)
		}
		return names
	}
	wants := func(when string, got, want []string) {
		t.Helper()
		if !slices.Equal(got, want) {
			t.Errorf("%s the keys are %q, not %q", when, got, want)
		}
	}
	wants("without packs", named(), []string{"loaded", "open"})
	wants("with packs", named("red 1-6"), []string{"packs", "loaded", "open"})
	tab.Step(&vocab.Input{Kind: vocab.InShoe, Shoe: vocab.ShoeSaid{Event: vocab.ShoeCutCard}})
	wants("after the cut card", named("red 1-6"), []string{"packs", "open", "loaded"})

	keys := touch.Packs(display.View{Own: display.Own{Packs: []string{"red 1-6", "blue 7-12"}}})
	tab.Step(&keys[1].Put[0])
	if is := tab.Shoe(); is.Packs != "blue 7-12" || is.CutCard || keys[1].Shortcut != "2" {
		t.Errorf("after %+v the shoe is %+v", keys[1], is)
	}
	tab.Step(&vocab.Input{Kind: vocab.InOpen})
	if slices.Contains(named("red 1-6"), "packs") {
		t.Error("packs may be named in a round")
	}
}
