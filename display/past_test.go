package display_test

import (
	"strings"
	"testing"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/table/past"
)

// TestTablesDaysAreTold: what opens and closes a table, and changes its limits, is told in words,
// once, and with who did it.
func TestTablesDaysAreTold(t *testing.T) {
	round := past.Of(1, []past.Record{
		{Seq: 1, Input: []byte(`{"in":"limits","min":2500,"by":"anna"}`), Outputs: []byte(`{"out":"limits","min":2500,"box_max":100000,"by":"anna"}` + "\n")},
		{Seq: 2, Input: []byte(`{"in":"table","event":"closed","by":"bruno"}`), Outputs: []byte(`{"out":"table","event":"closed","by":"bruno"}` + "\n")},
		{Seq: 3, Input: []byte(`{"in":"table","event":"opened"}`), Outputs: []byte(`{"out":"table","event":"opened"}` + "\n")},
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
