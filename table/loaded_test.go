package table_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/sabot-table/sabot/internal/testkit/attack"
	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	_ "github.com/sabot-table/sabot/internal/testkit/tier" // the seed of properties
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

// trusting are Mendrisio's rules at a house that believes its dealers.
func trusting(t *testing.T) *vocab.Input {
	t.Helper()
	h, err := profile.Built().Parse("trusting.yaml",
		[]byte("extends: mendrisio\nhouse: trusting\ntitle: A house that believes its dealers\ncards: "+
			"{loaded_early: dealer}\n"))
	if err != nil {
		t.Fatal(err)
	}
	r, err := profile.Built().With(h).Set(rules.Setup{House: "trusting"})
	if err != nil {
		t.Fatal(err)
	}
	return &vocab.Input{Kind: vocab.InSetup, Setup: &rules.Setup{House: "trusting"}, Rules: r}
}

// TestAHouseMayBelieveItsDealers: where the house says so, a dealer loads the shoe before the
// cut card; in the other houses a supervisor does.
func TestAHouseMayBelieveItsDealers(t *testing.T) {
	for _, c := range []struct {
		setUp *vocab.Input
		want  vocab.Reason
	}{{trusting(t), 0}, {tabletest.SetUp(rules.Setup{House: "mendrisio"}), vocab.NeedsSupervisor}} {
		var tab table.Table
		tab.Step(c.setUp)
		tab.Step(&vocab.Input{Kind: vocab.InCard, Card: 5})
		tab.Step(&vocab.Input{Kind: vocab.InResolve, With: irregularity.Burn})
		tab.Step(&vocab.Input{
			Kind: vocab.InShoe, Shoe: vocab.ShoeSaid{Event: vocab.ShoeLoaded}, Role: vocab.Dealer,
			Origin: &vocab.Origin{From: vocab.FromScreen},
		})
		if tab.Rejected() != c.want {
			t.Errorf("%s: a dealer who loads the shoe early hears %q, not %q", tab.Rules().House,
				tab.Rejected(), c.want)
		}
	}
}

// TestAttackForgottenCards: whatever is put in from anywhere but the shoe, in a round nothing
// forgets the cards that have left it, but for a reload of a shoe that ran out; and between
// two rounds, before the cut card, no dealer does.
func TestAttackForgottenCards(t *testing.T) {
	tries, through := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		var tab table.Table
		player := &tabletest.Player{Dice: drawn{t}, Boxes: 2}
		tab.Step(tabletest.SetUp(rules.Setup{House: "mendrisio"}))
		for range rapid.IntRange(1, 60).Draw(t, "inputs") {
			in := player.Next(&tab)
			tab.Step(&in)
			said := vocab.Input{
				Kind: vocab.InShoe, Shoe: vocab.ShoeSaid{Event: vocab.ShoeLoaded}, Role: vocab.Dealer, By: "mia",
			}
			said.Come(vocab.Origin{From: rapid.SampledFrom([]vocab.Source{
				vocab.FromScreen, vocab.FromPanel,
				vocab.FromPit, vocab.FromBench,
			}).Draw(t, "from")})
			if rapid.Bool().Draw(t, "as supervisor") {
				said.Role = vocab.Supervisor
			}
			before, _ := tab.Dealt()
			running, early := tab.Phase() != vocab.Idle, tab.LoadsEarly()
			if !running && (!early || said.Role == vocab.Supervisor) || before == 0 {
				continue
			}
			tries++
			tab.Step(&said)
			if after, _ := tab.Dealt(); after != before || tab.Rejected() == 0 {
				through++
				t.Errorf("in phase %s the shoe was loaded: %d cards had left it, now %d", tab.Phase(), before, after)
			}
		}
	})
	attack.Report(t, "the shoe is said to be loaded in a round, or early by a dealer", tries, through)
}
