package display_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/internal/testkit/displaytest"
	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/history"
	"github.com/sabot-table/sabot/table/rules"
)

// onPaper is round 1 of what is put in, with the lines that its sheet has.
func onPaper(t *testing.T, lines string) []string {
	t.Helper()
	inputs, err := tabletest.Inputs(lines)
	if err != nil {
		t.Fatal(err)
	}
	inputs = slices.Insert(inputs, 0, *tabletest.SetUp(rules.Setup{House: "wiesbaden"}))
	round, err := displaytest.RoundsOf(inputs, history.Table{House: "wiesbaden"}).Round(1)
	if err != nil {
		t.Fatal(err)
	}
	var said []string
	for _, one := range display.Once(display.English.Tell(round)) {
		text := one.Text
		if one.Card != card.None {
			text = one.Card.String() + " " + text
		}
		if one.Back {
			text = "↶ " + text
		}
		said = append(said, fmt.Sprintf("%d %s", one.Seq, text))
	}
	return said
}

// TestEachCardIsOnPaperOnce: whatever is corrected, a card is told where it was drawn, with what it counts, and a
// correction stands beside the card that it changes.
func TestEachCardIsOnPaperOnce(t *testing.T) {
	const dealt = "open; stake 1 a 20; stake 2 b 20; close\nTS TC 7D 3H 5C\nhold by=s1\n"
	for name, c := range map[string]struct {
		lines string
		want  []string
	}{
		"a card is another one": {
			"correct rename 1 5S by=s1",
			[]string{
				"↶ TS counts 10", "5S counts 5 – Corrected", "TC counts 10", "7D counts 7",
				"3H counts 13 → counts 8", "5C counts 15",
			},
		},
		"it is another one yet": {"correct rename 1 5S by=s1\ncorrect rename 1 6S by=s1", []string{
			"↶ TS counts 10", "↶ 5S counts 5 – Corrected", "6S counts 6 – Corrected", "TC counts 10", "7D counts 7",
			"3H counts 13 → counts 8 → counts 9", "5C counts 15",
		}},
		"nothing": {"resolve continue by=s1", []string{
			"TS counts 10", "TC counts 10", "7D counts 7", "3H counts 13",
			"5C counts 15",
		}},
	} {
		var cards []string
		for _, one := range onPaper(t, dealt+c.lines) {
			_, text, _ := strings.Cut(one, " ")
			if !strings.Contains(text, " counts ") {
				continue
			}
			if at := strings.Index(text, "Corrected"); at >= 0 {
				text = text[:at+len("Corrected")]
			}
			cards = append(cards, text)
		}
		if !slices.Equal(cards, c.want) {
			t.Errorf("%s: on paper are\n%q, not\n%q", name, cards, c.want)
		}
		stakes := 0
		for _, one := range onPaper(t, dealt+c.lines) {
			if strings.Contains(one, "Main 20.00") {
				stakes++
			}
		}
		if stakes != 2 {
			t.Errorf("%s: the two stakes are there %d times", name, stakes)
		}
	}
}

// TestACardOutOfTurnIsOnPaperOnce: where it was drawn, and how it was put right stands with the hand that has it.
func TestACardOutOfTurnIsOnPaperOnce(t *testing.T) {
	said := strings.Join(onPaper(t, "open; stake 1 a 20; close\nTS 7D 9H 2C\nresolve accept by=s1"), "\n")
	if n := strings.Count(said, "2C"); n != 1 ||
		!strings.Contains(said, "counts 21 – card without a call: accept – by s1") {
		t.Errorf("the card stands there %d times:\n%s", n, said)
	}
}

// TestAStopIsOnPaperOnce: what the record repeats while it stands is counted, and what comes again after it was put
// right is told again.
func TestAStopIsOnPaperOnce(t *testing.T) {
	var records []history.Record
	for i := range 80 {
		records = append(records, history.Record{
			Seq: uint64(i + 1), Input: []byte(`{"in":"note","code":"x"}`),
			Outputs: []byte(`{"out":"irregular","code":"journal-touched","choices":["accept"]}` + "\n"),
		})
	}
	records = append(records,
		history.Record{
			Seq: 81, Input: []byte(`{"in":"resolve","with":"accept","by":"s1"}`),
			Outputs: []byte(`{"out":"resolved","code":"journal-touched","with":"accept","by":"s1"}` + "\n"),
		},
		history.Record{
			Seq: 82, Input: []byte(`{"in":"note","code":"x"}`),
			Outputs: []byte(`{"out":"irregular","code":"journal-touched","choices":["accept"]}` + "\n"),
		})
	var stops []string
	for _, one := range display.Once(display.English.Tell(history.Of(1, records))) {
		if one.Kind == display.ToldStop {
			stops = append(stops, one.Text)
		}
	}
	if len(stops) != 2 || !strings.Contains(stops[0], " ×80 – ") || strings.Contains(stops[1], "×") {
		t.Errorf("the stops on paper are %q", stops)
	}
}
