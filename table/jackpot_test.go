package table_test

import (
	"strings"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

// mendrisio is a table with a jackpot, in minor units.
func mendrisio(jackpot int64) *table.Table {
	t := &table.Table{}
	t.Step(tabletest.SetUp(rules.Setup{House: "mendrisio", Jackpot: jackpot}))
	return t
}

// says plays lines and fails unless every one of want is among the answers.
func says(t *testing.T, tab *table.Table, lines string, want ...string) {
	t.Helper()
	text, err := tabletest.Play(tab, lines)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range want {
		if !strings.Contains(text, line+"\n") {
			t.Fatalf("no line %q in\n%s", line, text)
		}
	}
}

func wantJackpot(t *testing.T, tab *table.Table, want int64) {
	t.Helper()
	if got := tab.Jackpot(); got != want {
		t.Fatalf("the jackpot stands at %d, want %d", got, want)
	}
}

const twoProgressives = `open; stake 1 a 20; stake 2 b 20
stake 1 a 5 progressive; stake 2 b 5 progressive`

// lostRound is one in which nobody wins anything of the jackpot.
const lostRound = twoProgressives + `
close
TS TD 7D 9S 9D
rest; rest; TC; paid`

func TestJackpotIsFedWhenBetsClose(t *testing.T) {
	tab := mendrisio(100_000)
	says(t, tab, twoProgressives)
	wantJackpot(t, tab, 100_000)
	says(t, tab, "close")
	wantJackpot(t, tab, 100_700)
	says(t, tab, "undo", "undone: close")
	wantJackpot(t, tab, 100_000)
	says(t, tab, "stake 2 b 0 progressive; close")
	wantJackpot(t, tab, 100_350)
}

// TestJackpotIsFedOnce: taking back later presses deals the round again, and feeds
// it only once.
func TestJackpotIsFedOnce(t *testing.T) {
	tab := mendrisio(100_000)
	says(t, tab, twoProgressives+"\nclose; TS TD 7D 9S 9D; rest; undo; rest; undo", "undone: call rest of box 1")
	wantJackpot(t, tab, 100_700)
}

func TestJackpotStartsFromSeedAndRemainder(t *testing.T) {
	tab := mendrisio(100_025) // a quarter that no part can be paid in
	says(t, tab, twoProgressives+"\nclose; AS TD KD KS 9D; rest; AD",
		"box 1 a progressive 5.00: win 1007.00, jackpot", "box 2 b progressive 5.00: bonus 500.00, envy")
	wantJackpot(t, tab, 100_025+25)
}

// TestJackpotIsWonOnce: a payment that is taken back after the win does not win it
// again.
func TestJackpotIsWonOnce(t *testing.T) {
	tab := mendrisio(100_000)
	says(t, tab, twoProgressives+"\nclose; AS TD KD KS 9D; rest; AD", "box 1 a progressive 5.00: win 1007.00, jackpot")
	wantJackpot(t, tab, 100_000)
	says(t, tab, "paid box 1; undo", "undone: paid")
	wantJackpot(t, tab, 100_000)
	says(t, tab, "paid", "round 1 finished")
	wantJackpot(t, tab, 100_000)
}

func TestSetupBetweenRoundsKeepsTheJackpot(t *testing.T) {
	tab := mendrisio(100_000)
	says(t, tab, twoProgressives)
	if tab.Step(tabletest.SetUp(rules.Setup{House: "mendrisio"})); tab.Rejected() != vocab.RoundRunning {
		t.Fatalf("a setup with bets open: %q", tab.Rejected())
	}
	says(t, tab, "close; TS TD 7D 9S 9D; rest; rest; TC; paid", "round 1 finished")
	tab.Step(tabletest.SetUp(rules.Setup{House: "mendrisio", Min: 2000}))
	wantJackpot(t, tab, 100_700)
	tab.Step(tabletest.SetUp(rules.Setup{House: "mendrisio", Jackpot: 250_000}))
	wantJackpot(t, tab, 250_000)
	tab.Step(tabletest.SetUp(rules.Setup{House: "wiesbaden"}))
	wantJackpot(t, tab, 0)
	tab.Step(tabletest.SetUp(rules.Setup{House: "mendrisio"}))
	wantJackpot(t, tab, 1_000_000) // the profile's
}

func TestRestartKeepsTheJackpot(t *testing.T) {
	tab := mendrisio(100_000)
	says(t, tab, lostRound, "round 1 finished")
	again := table.Resume(tab.Rules(), tab.Carry())
	wantJackpot(t, again, 100_700)
	says(t, again, twoProgressives+"\nclose; AS TD KD KS 9D; rest; AD",
		"box 1 a progressive 5.00: win 1014.00, jackpot")
	wantJackpot(t, again, 100_000)
}

// TestNoJackpotElsewhere: a house without one has nothing to feed.
func TestNoJackpotElsewhere(t *testing.T) {
	var tab table.Table
	wantJackpot(t, &tab, 0)
	tab.Step(tabletest.SetUp(rules.Setup{House: "baden"}))
	tab.Step(&vocab.Input{Kind: vocab.InCard, Card: card.Joker})
	wantJackpot(t, &tab, 0)
}

// TestRestartKeepsWhoGaveTheJackpot: a round that lies on the table over a restart is dealt again with the amount that
// the pit gave, by the same entry.
func TestRestartKeepsWhoGaveTheJackpot(t *testing.T) {
	tab := &table.Table{}
	tab.Step(tabletest.SetUp(rules.Setup{House: "linked"}))
	says(t, tab, "meter 20001 entry=5; "+tabletest.WinsJackpot+"; jackpot 20001 entry=9; paid", "round 1 finished")
	again := table.Resume(tab.Rules(), tab.Carry())
	again.Step(&vocab.Input{Kind: vocab.InUndo})
	for _, out := range again.Step(&vocab.Input{Kind: vocab.InPaid}) {
		if out.Kind == vocab.JackpotTold && out.Meter.Entry == 9 {
			return
		}
	}
	t.Error("the round's payment does not name entry 9")
}
