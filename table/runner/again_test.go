package runner_test

import (
	"strings"
	"testing"
	"testing/synctest"

	"pgregory.net/rapid"

	_ "github.com/sabot-table/sabot/internal/testkit/tier" // the seed of properties
	"github.com/sabot-table/sabot/table/runner"
	"github.com/sabot-table/sabot/table/vocab"
)

// TestRefusedAgain: what a screen puts in again, and is refused again, makes one record; after the table has changed it
// is put in, and so is all that comes from elsewhere.
func TestRefusedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &memory{}
		o := options(t, m, wiesbaden(0))
		again := 0
		o.Again = func(in vocab.Input, why vocab.Reason) {
			if in.Kind != vocab.InClose || why == 0 {
				t.Errorf("it was told of %v and %v", in.Kind, why)
			}
			again++
		}
		r := run(t, o)
		screen := runner.AtScreen(t.Context())
		records := func(want int) {
			t.Helper()
			if len(m.records) != want {
				t.Errorf("there are %d records, want %d", len(m.records), want)
			}
		}
		first, err := r.Submit(screen, kind(vocab.InClose))
		if err != nil || first.Rejected == 0 {
			t.Fatalf("answered %+v, %v", first, err)
		}
		records(2) // with the setup
		for range 1000 {
			if a, err := r.Submit(screen, kind(vocab.InClose)); a != first || err != nil {
				t.Fatalf("again it was answered %+v, %v", a, err)
			}
		}
		records(2)
		if a, err := r.Submit(t.Context(), kind(vocab.InClose)); err != nil || a.Rejected != first.Rejected ||
			a.Seq == first.Seq {
			t.Errorf("a key was answered %+v, %v", a, err)
		}
		records(3)
		for _, in := range []vocab.Input{kind(vocab.InOpen), stake(1000), kind(vocab.InClose)} {
			if a, err := r.Submit(screen, in); err != nil || a.Rejected != 0 {
				t.Errorf("%v was answered %+v, %v", in.Kind, a, err)
			}
		}
		records(6)
		if again != 1000 {
			t.Errorf("it was told %d times, want 1000", again)
		}
		if err := r.end(); err != nil {
			t.Error(err)
		}
	})
}

// TestRefusedAgainIsRight: whatever is put in, a screen is answered as if all of it were put in, and the table is the
// same.
func TestRefusedAgainIsRight(t *testing.T) {
	inputs := []vocab.Input{
		kind(vocab.InOpen), stake(1000), kind(vocab.InClose), kind(vocab.InUndo), kind(vocab.InPaid),
		{Kind: vocab.InCall, Call: vocab.CallRest},
		{Kind: vocab.InCall, Call: vocab.CallCard},
		{Kind: vocab.InNote, Code: "a note"},
		{Kind: vocab.InDealer, By: "dora"},
		{Kind: vocab.InHold, By: "anna"},
		{Kind: vocab.InCard, Card: 3},
		{Kind: vocab.InCard, Card: 17},
	}
	rapid.Check(t, func(rt *rapid.T) {
		chosen := rapid.SliceOfN(rapid.IntRange(0, len(inputs)-1), 1, 60).Draw(rt, "inputs")
		var wrong string
		synctest.Test(t, func(t *testing.T) {
			ma, mb := &memory{}, &memory{}
			all, some := run(t, options(t, ma, wiesbaden(0))), run(t, options(t, mb, wiesbaden(0)))
			for _, i := range chosen {
				a, errA := all.Submit(t.Context(), inputs[i])
				b, errB := some.Submit(runner.AtScreen(t.Context()), inputs[i])
				if errA != nil || errB != nil || a.Rejected != b.Rejected || a.Phase != b.Phase || a.Held != b.Held {
					wrong = inputs[i].Kind.String()
				}
			}
			outputs := func(m *memory) string {
				var taken strings.Builder
				for _, r := range m.records {
					if !strings.HasPrefix(string(r.Outputs), `{"out":"rejected"`) {
						taken.Write(r.Outputs)
					}
				}
				return taken.String()
			}
			if err := all.end(); err != nil {
				t.Error(err)
			}
			if err := some.end(); err != nil {
				t.Error(err)
			}
			if outputs(ma) != outputs(mb) {
				wrong += " and what followed"
			}
		})
		if wrong != "" {
			rt.Errorf("the answers differ at %s", wrong)
		}
	})
}
