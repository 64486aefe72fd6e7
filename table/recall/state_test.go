package recall_test

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/table/notation"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/recall"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

// TestState: the state after every record of a night's rounds is the one that the table
// was in, by the rules of that time.
func TestState(t *testing.T) {
	r := newRecorder(t)
	r.take(*tabletest.SetUp(rules.Setup{House: "wiesbaden", Profile: profile.Built()["wiesbaden"].Fingerprint}))
	player := &tabletest.Player{Dice: rand.New(rand.NewPCG(1, 6)), Boxes: 5, Freely: true}
	var states []string
	for range 400 {
		in := player.Next(&r.table)
		if player.Dice.IntN(8) == 0 {
			in = player.Anything(&r.table)
		}
		if in.Kind == vocab.InSetup {
			continue
		}
		r.take(in)
		states = append(states, string(notation.AppendPosition(nil, &r.table)))
	}
	r.flush()
	from := recall.New(r.journal, profile.Built())
	compared := 0
	for i, want := range states {
		tab, err := tabletest.Position(want, profile.Built())
		if err != nil {
			t.Fatal(err)
		}
		if tab.Phase() == vocab.Idle { // a restart forgets what lay on the table
			continue
		}
		compared++
		if got, err := from.State(uint64(i + 2)); err != nil || got != want {
			t.Fatalf("after record %d the state is\n%s (%v)\nand was\n%s", i+2, got, err, want)
		}
	}
	if compared < 100 {
		t.Errorf("only %d states were compared", compared)
	}
	if _, err := from.State(10_000); !errors.Is(err, recall.ErrNoRecord) {
		t.Errorf("the state after a missing record: %v", err)
	}
}
