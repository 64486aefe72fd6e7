package runner_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sabot-table/sabot/table/vocab"
)

// TestSubmitAt: an input is on record with the time at which it happened, if that is
// known, and otherwise with the time at which its turn came.
func TestSubmitAt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &memory{}
		r := run(t, options(t, m, wiesbaden(0)))
		began := time.Now()
		pass(time.Minute)
		if _, err := r.SubmitAt(t.Context(), kind(vocab.InOpen), began); err != nil {
			t.Fatal(err)
		}
		r.put(stake(1000))
		if err := r.end(); err != nil {
			t.Fatal(err)
		}
		for i, want := range []time.Time{began, began, began.Add(time.Minute)} { // setup, open, stake
			record := m.records[i]
			if written := want.UTC().Format(`"t":"` + time.RFC3339); record.At != want.UnixNano() ||
				!strings.Contains(string(record.Input), written) {
				t.Errorf("record %d is of %v, not %v: %s", i+1, time.Unix(0, record.At), want, record.Input)
			}
		}
	})
}
