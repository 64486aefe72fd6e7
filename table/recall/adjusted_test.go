package recall_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/table/history"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/recall"
	"github.com/sabot-table/sabot/table/rules"
)

// TestAdjusted: a past round has what was adjusted of it, whenever that was, in its order; and whether it is found
// alone or among the last. A payment that was taken back has not ended the round.
func TestAdjusted(t *testing.T) {
	const (
		deal  = "open; stake 1 a 20; stake 2 b 30; close; TS TC 7D 9H 8H; rest; rest; TD; paid; "
		after = deal + "adjust 1 1 a 5 by=s1 because=dispute; "
		in    = "open; adjust 1 2 b -10 by=s2 because=dispute; stake 1 a 20; close; TS 7D 9H; rest; TD; paid; " +
			"undo; paid; "
		end = deal + "adjust 2 1 a 50 by=s1 because=dispute; adjust 1 1 a 15 by=s1 because=dispute; " + deal + "open"
	)
	r := newRecorder(t)
	r.take(*tabletest.SetUp(rules.Setup{House: "wiesbaden"}))
	for line := range strings.SplitSeq(after+in+end, "; ") {
		inputs, err := tabletest.Inputs(line)
		if err != nil {
			t.Fatal(err)
		}
		for _, one := range inputs {
			if r.take(one); r.table.Rejected() != 0 {
				t.Fatalf("%s is refused: %s", line, r.table.Rejected())
			}
		}
	}
	r.flush()
	told := func(round history.Round) (text string) {
		for _, a := range round.Adjusted {
			out := &a.Line.Out
			text += fmt.Sprintf("%d by %s in %d; ", out.Adjusted, out.By, a.In)
		}
		return text
	}
	want := map[uint64]string{1: "500 by s1 in 1; -1000 by s2 in 2; 1500 by s1 in 3; ", 2: "5000 by s1 in 3; "}
	from := recall.New(r.journal, profile.Built())
	last, err := from.Last(9)
	if err != nil || len(last) != 5 {
		t.Fatalf("%d rounds, %v", len(last), err)
	}
	for _, listed := range last {
		round, err := from.Round(listed.Number)
		if err != nil {
			t.Fatal(err)
		}
		if told(round) != want[round.Number] || told(listed) != want[round.Number] {
			t.Errorf("round %d was adjusted by %q, listed by %q, want %q", round.Number, told(round), told(listed),
				want[round.Number])
		}
	}
	if second := last[3]; second.Later() != 5000 || second.Ended.Unix() != second.Steps[len(second.Steps)-1].At.Unix() {
		t.Errorf("round 2 was adjusted by %d and ended at %s", second.Later(), second.Ended)
	}
}
