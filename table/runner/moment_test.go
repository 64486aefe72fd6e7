package runner_test

import (
	"errors"
	"testing"
	"testing/synctest"

	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/runner"
	"github.com/sabot-table/sabot/table/vocab"
)

// An input that comes too late for what its sender saw leaves no trace, and another one in
// the same write is taken.
func TestSubmitIf(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &memory{}
		r := run(t, options(t, m, wiesbaden(0)))
		whileIdle := func(t *table.Table) bool { return t.Phase() == vocab.Idle }
		if a, err := r.SubmitIf(t.Context(), kind(vocab.InOpen), whileIdle); err != nil || a.Rejected != 0 {
			t.Fatalf("answered %+v, %v", a, err)
		}
		before := len(m.records)
		if _, err := r.SubmitIf(t.Context(), kind(vocab.InUndo), whileIdle); !errors.Is(err, runner.ErrMovedOn) {
			t.Errorf("answered %v, not %v", err, runner.ErrMovedOn)
		}
		if len(m.records) != before {
			t.Errorf("an input that was not taken made %d records", len(m.records)-before)
		}
		r.put(stake(1000))
		if err := r.end(); err != nil {
			t.Fatal(err)
		}
		if n := len(m.records); n != 3 || m.records[2].Seq != 3 { // setup, open, stake
			t.Errorf("%d records, the last is number %d", n, m.records[n-1].Seq)
		}
	})
}
