package recall_test

import (
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/recall"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

// TestLimitsInForce: a round has the limits at which it was played, though they were changed
// before it or after it without another set-up.
func TestLimitsInForce(t *testing.T) {
	r := newRecorder(t)
	r.take(*tabletest.SetUp(rules.Setup{House: "wiesbaden"}))
	round := func() {
		inputs, err := tabletest.Inputs("open; stake 1 a 50; close; TS 8D 9H; rest; TC; paid")
		if err != nil {
			t.Fatal(err)
		}
		for _, in := range inputs {
			r.take(in)
		}
	}
	round()
	r.take(vocab.Input{Kind: vocab.InLimits, By: "anna", Limits: vocab.LimitsChange{Min: 2500, BoxMax: 100000}})
	round()
	round()
	r.take(vocab.Input{Kind: vocab.InLimits, By: "anna", Limits: vocab.LimitsChange{Min: 500}})
	round()
	r.flush()
	from := recall.New(r.journal, profile.Built())
	for number, want := range [][2]int64{1: {1000, 50000}, 2: {2500, 100000}, 3: {2500, 100000}, 4: {500, 100000}} {
		if number == 0 {
			continue
		}
		got, err := from.Round(uint64(number))
		if err != nil || got.Table.Min != want[0] || got.Table.BoxMax != want[1] {
			t.Errorf("round %d was played at %d to %d, %v, want %v", number, got.Table.Min, got.Table.BoxMax, err, want)
		}
	}
}
