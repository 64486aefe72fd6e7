package table_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/transcript"
	"github.com/sabot-table/sabot/table/vocab"
)

// alertLines are what the pit sees, an alert each.
func alertLines(t *table.Table) string {
	var b strings.Builder
	for a := range t.Alerts {
		fmt.Fprintf(&b, "%s round %d at %d: %d times, %d standing", a.Code, a.Round, a.Raised/1e9, a.Times, a.Standing)
		if a.Cleared != 0 {
			fmt.Fprintf(&b, ", %s by %s at %d", a.With, a.By, a.Cleared/1e9)
		}
		if a.AcknowledgedBy != "" || a.Acknowledged != 0 {
			fmt.Fprintf(&b, ", seen by %s at %d", a.AcknowledgedBy, a.Acknowledged/1e9)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// An alert stays until it is put right and a person has seen it, in whichever order, and
// each time that it comes somebody has to look again. Each input comes a second after the
// one before.
func TestAlerts(t *testing.T) {
	var tab table.Table
	parser := transcript.NewParser(profile.Built())
	for i, c := range []struct{ input, shows string }{
		{`{"in":"setup","house":"wiesbaden"}`, ""},
		{`{"in":"dealer","name":"d1"}`, ""},
		{`{"in":"open"}`, ""},
		{`{"in":"stake","box":1,"bettor":"a","wager":"main","amount":2000}`, ""},
		{`{"in":"close"}`, ""},
		{`{"in":"acknowledge","code":"unread-card","by":"p1"}`, ""},
		{`{"in":"card","card":"??"}`, "unread-card round 1 at 7: 1 times, 1 standing"},
		{
			`{"in":"acknowledge","code":"unread-card","by":"p1"}`,
			"unread-card round 1 at 7: 1 times, 1 standing, seen by p1 at 8",
		},
		{
			`{"in":"acknowledge","code":"unread-card","by":"p2"}`,
			"unread-card round 1 at 7: 1 times, 1 standing, seen by p1 at 8",
		},
		{`{"in":"resolve","with":"identify","card":"8S","by":"s1"}`, ""}, // put right and seen

		{`{"in":"card","card":"??"}`, "unread-card round 1 at 11: 1 times, 1 standing"},
		{
			`{"in":"resolve","with":"identify","card":"6D","by":"s1"}`,
			"unread-card round 1 at 11: 1 times, 0 standing, identify by s1 at 12",
		},
		{`{"in":"card","card":"??"}`, "unread-card round 1 at 11: 2 times, 1 standing, identify by s1 at 12"},
		{
			`{"in":"resolve","with":"burn","by":"s2"}`,
			"unread-card round 1 at 11: 2 times, 0 standing, burn by s2 at 14",
		},
		{`{"in":"acknowledge","code":"unread-card","by":"p1"}`, ""},

		// One that was seen and comes again has not been seen.
		{`{"in":"shoe","event":"alarm","code":"jam"}`, "shoe-alarm round 1 at 16: 1 times, 1 standing"},
		{
			`{"in":"acknowledge","code":"shoe-alarm","by":"p1"}`,
			"shoe-alarm round 1 at 16: 1 times, 1 standing, seen by p1 at 17",
		},
		{`{"in":"shoe","event":"alarm","code":"door"}`, "shoe-alarm round 1 at 16: 2 times, 2 standing"},
		{
			`{"in":"resolve","with":"accept","by":"s1"}`,
			"shoe-alarm round 1 at 16: 2 times, 1 standing, accept by s1 at 19",
		},
		{
			`{"in":"resolve","with":"accept","by":"s2"}`,
			"shoe-alarm round 1 at 16: 2 times, 0 standing, accept by s2 at 20",
		},
		{`{"in":"acknowledge","code":"shoe-alarm","by":"p1"}`, ""},

		// What is found beside it is told once more, and put right with it.
		{`{"in":"storage","event":"touched","code":"part 3"}`, "journal-touched round 1 at 22: 1 times, 1 standing"},
		{
			`{"in":"acknowledge","code":"journal-touched","by":"p1"}`,
			"journal-touched round 1 at 22: 1 times, 1 standing, seen by p1 at 23",
		},
		{`{"in":"storage","event":"touched","code":"part 4"}`, "journal-touched round 1 at 22: 2 times, 1 standing"},
		{
			`{"in":"resolve","with":"accept","by":"s1"}`,
			"journal-touched round 1 at 22: 2 times, 0 standing, accept by s1 at 25",
		},
	} {
		in, err := parser.Parse([]byte(c.input), uint64(i+1))
		if err != nil {
			t.Fatal(err)
		}
		in.Time = int64(i+1) * 1e9
		tab.Step(&in)
		if got := alertLines(&tab); strings.TrimSpace(got) != c.shows {
			t.Errorf("after %s:\n%swant %s", c.input, got, c.shows)
		}
	}
	tab.Step(&vocab.Input{Kind: vocab.InAcknowledge, Irregularity: irregularity.Count, By: "p1"})
	if tab.Rejected() != vocab.NotHeld {
		t.Errorf("an irregularity that there is not: %q", tab.Rejected())
	}
	if n := tab.Count(irregularity.UnreadCard); n != 3 {
		t.Errorf("%d unread cards since the dealer took over, want 3", n)
	}
}

// Two keys that contradict each other are told, and are put right at once: somebody has to
// see it all the same.
func TestAlertOfContradictoryKeys(t *testing.T) {
	var tab table.Table
	tab.Step(tabletest.SetUp(rules.Setup{House: "wiesbaden"}))
	if _, err := tabletest.Play(&tab, "open; stake 1 a 20; close; TS 6D 8H; @1s rest; @1.1s card"); err != nil {
		t.Fatal(err)
	}
	const want = "contradictory-keys round 1 at 1: 1 times, 0 standing, cleared by  at 1\n"
	if got := alertLines(&tab); got != want || tab.Count(irregularity.ContradictoryKeys) != 1 {
		t.Errorf("%swant %s", got, want)
	}
}
