package display_test

import (
	"strings"
	"testing"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/table/history"
	"github.com/sabot-table/sabot/table/vocab"
)

// TestTablesDaysAreTold: what opens and closes a table, and changes its limits, is told in words,
// once, and with who did it.
func TestTablesDaysAreTold(t *testing.T) {
	round := history.Of(1, []history.Record{
		{
			Seq: 1, Input: []byte(`{"in":"limits","min":2500,"by":"anna"}`),
			Outputs: []byte(`{"out":"limits","min":2500,"box_max":100000,"by":"anna"}` + "\n"),
		},
		{
			Seq: 2, Input: []byte(`{"in":"table","event":"closed","by":"bruno"}`),
			Outputs: []byte(`{"out":"table","event":"closed","by":"bruno"}` + "\n"),
		},
		{
			Seq: 3, Input: []byte(`{"in":"table","event":"opened"}`),
			Outputs: []byte(`{"out":"table","event":"opened"}` + "\n"),
		},
	})
	var said []string
	for _, one := range display.English.Tell(round) {
		said = append(said, one.Text)
	}
	const want = "Limits 25.00 – 1,000.00 – by anna; Closed by bruno; The table is open"
	if got := strings.Join(said, "; "); got != want {
		t.Errorf("it is told as %q, not as %q", got, want)
	}
}

// TestTheFirstHandOfASplitHasItsNumber: of several hands each is told by its number, of a single one none.
func TestTheFirstHandOfASplitHasItsNumber(t *testing.T) {
	round := history.Of(1, []history.Record{
		{
			Seq: 1, Input: []byte(`{"in":"card","card":"8S"}`),
			Outputs: []byte(`{"out":"dealt","card":"8S","to":"box","box":3,"hand":1,"total":8}` + "\n"),
		},
		{
			Seq: 2, Input: []byte(`{"in":"card","card":"8D"}`),
			Outputs: []byte(`{"out":"dealt","card":"8D","to":"box","box":3,"hand":1,"total":16}` + "\n"),
		},
		{Seq: 3, Input: []byte(`{"in":"call","call":"split","box":3}`)},
		{
			Seq: 4, Input: []byte(`{"in":"card","card":"TD"}`),
			Outputs: []byte(`{"out":"dealt","card":"TD","to":"box","box":3,"hand":1,"total":18}` + "\n"),
		},
		{
			Seq: 5, Input: []byte(`{"in":"card","card":"TC"}`),
			Outputs: []byte(`{"out":"dealt","card":"TC","to":"box","box":3,"hand":2,"total":18}` + "\n"),
		},
	})
	var where []string
	for _, one := range display.English.Tell(round) {
		where = append(where, one.Where)
	}
	const want = "Box 3; Box 3; Box 3; Box 3, hand 1; Box 3, hand 2"
	if got := strings.Join(where, "; "); got != want {
		t.Errorf("the hands are told as %q, not as %q", got, want)
	}
}

// TestAHolderCalledAsHisBox is not named twice, and a colon stands as the language has it.
func TestAHolderCalledAsHisBox(t *testing.T) {
	v := display.View{Digits: 2, Currency: "EUR"}
	french, _ := display.Speak("fr")
	for bettor, want := range map[string]string{
		"3":    "Case 3\u00a0: payer 5,00 EUR",
		"anna": "Case 3, anna\u00a0: payer 5,00 EUR",
	} {
		d := display.Difference{
			Box: 3, Hand: 1, Bettor: bettor, Wager: vocab.WagerMain,
			Due: true, More: 500,
		}
		if got := french.Difference(d, v); got != want {
			t.Errorf("%s: it is told as %q, not as %q", bettor, got, want)
		}
	}
	if got := french.About("Case 3", "Carte"); got != "Case 3\u00a0: Carte" {
		t.Errorf("a key is told as %q", got)
	}
}

// TestWhatWasTakenIsTakenBackAsTaken: of a wager alone and of a box, and where anything was paid it was paid.
func TestWhatWasTakenIsTakenBackAsTaken(t *testing.T) {
	settled := func(box, bettor, outcome, returned string) string {
		return `{"out":"settled","box":` + box + `,"bettor":"` + bettor + `","wager":"main","hand":1,"outcome":"` +
			outcome + `","why":"higher-total","stake":2000,"returned":` + returned + `,"won":` + returned + "}\n"
	}
	moved := func(box, bettor, outcome, returned string) string {
		return strings.Replace(strings.Replace(settled(box, bettor, outcome, returned), "settled", "paid", 1),
			`"stake":2000,`, "", 1)
	}
	const undone = `{"out":"undone","in":"paid","was":{"to":"nothing"},"now":{"to":"payment"}}` + "\n"
	card := history.Record{Seq: 1, Input: []byte(`{"in":"card","card":"TD"}`), Outputs: []byte(
		settled("1", "a", "lose", "0") + settled("2", "b", "win", "2000") + settled("2", "c", "lose", "0"))}
	for name, c := range map[string]struct{ paid, told, want string }{
		"a box of which all was taken": {`{"in":"paid","box":1}`, "", "Taken back: Taken"},
		"a box on which one was paid":  {`{"in":"paid","box":2}`, "", "Taken back: Paid"},
		"one of whom all was taken": {
			`{"in":"paid","box":2,"bettor":"c"}`, moved("2", "c", "lose", "0"),
			"Taken back: Taken",
		},
		"one who was paid": {`{"in":"paid","box":2,"bettor":"b"}`, moved("2", "b", "win", "2000"), "Taken back: Paid"},
		"everything":       {`{"in":"paid"}`, "", "Taken back: Paid"},
	} {
		told := display.English.Tell(history.Of(1, []history.Record{
			card,
			{Seq: 2, Input: []byte(c.paid), Outputs: []byte(c.told)},
			{Seq: 3, Input: []byte(`{"in":"undo"}`), Outputs: []byte(undone)},
		}))
		if got := told[len(told)-1].Text; got != c.want {
			t.Errorf("%s: it is told as %q, not as %q", name, got, c.want)
		}
	}
}
