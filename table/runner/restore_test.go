package runner_test

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/runner"
	"github.com/sabot-table/sabot/table/vocab"
)

// dice lets rapid throw a player's dice, so that it can shrink a failing game.
type dice struct{ *rapid.T }

func (d dice) IntN(n int) int { return rapid.IntRange(0, n-1).Draw(d.T, "") }

// counted is a clock set by a record's number, so that the same inputs give the same
// records whenever they are put in.
func counted(m *memory) func() time.Time {
	return func() time.Time {
		seq, _ := m.Next()
		return time.Unix(int64(seq), 0)
	}
}

// session plays at a table, with and without mistakes, and returns the inputs and the
// records.
func session(t *testing.T, rt *rapid.T) ([]vocab.Input, *memory) {
	m := &memory{}
	o := options(t, m, wiesbaden(0))
	o.Now = counted(m)
	tab := o.Table
	r := run(t, o)
	r.wait()
	player := &tabletest.Player{Dice: dice{rt}, Boxes: 2}
	var inputs []vocab.Input
	for range rapid.IntRange(1, 120).Draw(rt, "inputs") {
		in := player.Next(tab)
		if player.Dice.IntN(8) == 7 {
			in = player.Anything(tab)
		}
		if in.Kind == vocab.InLimits {
			in.By = "s1" // the configuration's are the runner's own
		}
		inputs = append(inputs, in)
		if _, err := r.Submit(t.Context(), in); err != nil {
			rt.Fatal(err)
		}
	}
	if err := r.end(); err != nil {
		rt.Fatal(err)
	}
	return inputs, m
}

// wait returns when the runner has put in its own inputs.
func (r *running) wait() {
	r.t.Helper()
	if _, err := r.Submit(r.t.Context(), kind(vocab.InUndo)); err != nil {
		r.t.Fatal(err)
	}
}

// TestRestoreAnywhere cuts a recorded session at any record: the table restored from what
// is left answers the rest as the first table did.
func TestRestoreAnywhere(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		inputs, whole := session(t, rt)
		// The setup and the first undo are the runner's and wait's.
		at := rapid.IntRange(2, len(whole.records)).Draw(rt, "cut at")
		cut := &memory{records: slices.Clone(whole.records[:at])}
		restored, err := runner.Restore(cut, profile.Built(), profile.Built()["wiesbaden"].Rules)
		if err != nil {
			rt.Fatal(err)
		}
		if last, _, _, _ := cut.Checkpoint(); restored.Replayed != at-int(last) {
			rt.Fatalf("%d inputs were replayed, but %d came after the checkpoint", restored.Replayed, at-int(last))
		}
		o := options(t, cut, *restored.Setup)
		o.Now = counted(cut)
		r := run(t, o)
		for _, in := range inputs[at-2:] {
			if _, err := r.Submit(t.Context(), in); err != nil {
				rt.Fatal(err)
			}
		}
		if err := r.end(); err != nil {
			rt.Fatal(err)
		}
		for i := range whole.records {
			if got, want := text(&cut.records[i]), text(&whole.records[i]); got != want {
				rt.Fatalf("cut at %d, record %d is\n%s\nnot\n%s", at, i+1, got, want)
			}
		}
	})
}

func text(r *journal.Record) string {
	return fmt.Sprintf("%d, round %d by %x: %s\n%s%s", r.At, r.Round, r.Rules, r.Input, r.Outputs, r.Carry)
}

// recorded is a round that is not finished.
func recorded(t *testing.T) *memory {
	t.Helper()
	m := &memory{}
	r := run(t, options(t, m, wiesbaden(0)))
	r.put(kind(vocab.InOpen), stake(1000), kind(vocab.InClose))
	if err := r.end(); err != nil {
		t.Fatal(err)
	}
	return m
}

// torn is a journal that cannot be read to its end.
type torn struct{ *memory }

func (j torn) Records(from uint64) iter.Seq2[journal.Record, error] {
	return func(yield func(journal.Record, error) bool) {
		for r, err := range j.memory.Records(from) {
			if r.Seq == 3 {
				yield(journal.Record{}, errDisk)
				return
			}
			if !yield(r, err) {
				return
			}
		}
	}
}

// TestRestoreFromATornJournal returns the error of the journal.
func TestRestoreFromATornJournal(t *testing.T) {
	if _, err := runner.Restore(torn{recorded(t)}, profile.Built(), profile.Built()["wiesbaden"].Rules); !errors.Is(err,
		errDisk) {
		t.Errorf("error is %v", err)
	}
}

// TestRestoreFromNothing gives a table that waits for its setup.
func TestRestoreFromNothing(t *testing.T) {
	restored, err := runner.Restore(&memory{}, profile.Built(), profile.Built()["wiesbaden"].Rules)
	if err != nil || restored.Setup != nil || restored.Replayed != 0 || restored.Table.Rules() != nil {
		t.Errorf("restored is %+v, %v", restored, err)
	}
}
