package display_test

import (
	"encoding/json"
	"reflect"
	"slices"
	"testing"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/internal/testkit/displaytest"
	"github.com/sabot-table/sabot/table/vocab"
)

// TestViewsAreReadAsTheyAreWritten: whoever reads a view in JSON has what the table said,
// the zero View included.
func TestViewsAreReadAsTheyAreWritten(t *testing.T) {
	all := slices.Concat(displaytest.Samples(), displaytest.Holds(), []displaytest.Sample{{Name: "zero"}})
	for _, s := range all {
		written, err := json.Marshal(s.View)
		if err != nil {
			t.Fatal(err)
		}
		var read display.View
		if err := json.Unmarshal(written, &read); err != nil {
			t.Fatalf("%s: %v in\n%s", s.Name, err, written)
		}
		again, err := json.Marshal(read)
		if err != nil || string(again) != string(written) {
			t.Errorf("%s is read as\n%s\nnot\n%s\n%v", s.Name, again, written, err)
		}
		if read.Known() != (s.Name != "zero") {
			t.Errorf("%s is known: %t", s.Name, read.Known())
		}
	}
}

// TestNamesInViews: a name and what it means, and that another is refused.
func TestNamesInViews(t *testing.T) {
	for _, c := range []struct {
		text string
		want display.View
	}{
		{`{"undo":"even-money"}`, display.View{Undo: display.Press{Kind: vocab.InCall, Call: vocab.CallEvenMoney}}},
		{`{"undo":"close"}`, display.View{Undo: display.Press{Kind: vocab.InClose}}},
		{`{"game":""}`, display.View{}},
		{`{"game":"black-james"}`, display.View{Game: display.BlackJames}},
		{`{"bank":{"done":"stop"}}`, display.View{Bank: display.Hand{Done: vocab.DoneStop}}},
	} {
		var read display.View
		if err := json.Unmarshal([]byte(c.text), &read); err != nil || !reflect.DeepEqual(read, c.want) {
			t.Errorf("%s is read as %+v, %v", c.text, read, err)
		}
	}
	for _, text := range []string{
		`{"undo":"shuffle"}`, `{"game":"poker"}`, `{"phase":"lunch"}`, `{"due":{"to":"me"}}`,
		`{"due":{"allowed":["fold"]}}`,
		`{"rejected":"no"}`, `{"held":{"code":"made-up"}}`, `{"held":{"choices":["run"]}}`,
		`{"boxes":[{"payouts":[{"outcome":"draw"}]}]}`, `{"boxes":[{"payouts":[{"why":"So"}]}]}`,
		`{"boxes":[{"sides":[{"wager":"All"}]}]}`,
	} {
		var read display.View
		if err := json.Unmarshal([]byte(text), &read); err == nil {
			t.Errorf("%s is read as %+v", text, read)
		}
	}
}
