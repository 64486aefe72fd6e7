package runner_test

import (
	"errors"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sabot-table/sabot/shoe"
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/runner"
	"github.com/sabot-table/sabot/table/vocab"
)

// hang makes a runner write while its journal hangs, and returns what lets the write continue.
func hang(t *testing.T, r *running, m *memory) (goOn func()) {
	t.Helper()
	synctest.Wait()
	m.happened()
	hung := make(chan struct{})
	m.hang(hung)
	go func() {
		if _, err := r.Submit(t.Context(), kind(vocab.InOpen)); err != nil && !errors.Is(err, errDisk) {
			t.Error(err)
		}
	}()
	<-hung
	return func() {
		m.hang(nil)
		hung <- struct{}{}
		synctest.Wait()
	}
}

// TestAWriteThatHangs: it is reported while it is under way, and once it has finished.
func TestAWriteThatHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log strings.Builder
		m := &memory{}
		o := noted(options(t, m, wiesbaden(0)), m)
		o.Log = slog.New(slog.NewTextHandler(&log, nil))
		r := run(t, o)
		goOn := hang(t, r, m)
		pass(time.Second - 1)
		wantSteps(t, m, "shown 2")
		pass(2*time.Second + 1)
		wantSteps(t, m, "slow")
		if strings.Count(log.String(), "a write to the journal is slow") != 1 {
			t.Errorf("the log says\n%s", log.String())
		}
		goOn()
		wantSteps(t, m, "stored 2", "no trouble", "durable 2")
		if !strings.Contains(log.String(), "has finished") || !strings.Contains(log.String(), "took=3s") {
			t.Errorf("the log says\n%s", log.String())
		}
		if got := m.inputs(); slices.ContainsFunc(got, func(s string) bool { return strings.Contains(s, "storage") }) {
			t.Errorf("a slow write is on record as a failed one: %v", got)
		}
		if err := r.end(); err != nil {
			t.Error(err)
		}
	})
}

// TestAWriteThatHangsAndFails: the trouble began with the write, and is put on record.
func TestAWriteThatHangsAndFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &memory{}
		o := noted(options(t, m, wiesbaden(0)), m)
		var troubles []*runner.Trouble
		noting := o.Trouble
		o.Trouble = func(tr *runner.Trouble) {
			troubles = append(troubles, tr)
			noting(tr)
		}
		r := run(t, o)
		goOn := hang(t, r, m)
		began := time.Now()
		pass(5 * time.Second)
		m.fail(true)
		goOn()
		wantSteps(t, m, "shown 2", "slow", "failed", "trouble: the disk does not write")
		m.fail(false)
		pass(time.Second)
		wantSteps(t, m, "stored 2", "durable 2", "shown 4", "stored 3", "stored 4", "no trouble", "durable 4")
		for _, tr := range troubles[:2] {
			if !tr.Since.Equal(began) {
				t.Errorf("the trouble began at %v, not %v: %v", tr.Since, began, tr.Err)
			}
		}
		if failed := time.Unix(0, m.records[2].At); !failed.Equal(began) {
			t.Errorf("on record the journal fails from %v on, not %v", failed, began)
		}
		if err := r.end(); err != nil {
			t.Error(err)
		}
	})
}

// TestTheRecordOfAFailureFails: the trouble lasts until it is on record.
func TestTheRecordOfAFailureFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &memory{}
		o := noted(options(t, m, wiesbaden(0)), m)
		noting := o.Durable
		o.Durable = func(on *table.Table, seq uint64) {
			noting(on, seq)
			m.fail(seq == 2)
		}
		r := run(t, o)
		synctest.Wait()
		m.fail(true)
		r.tell(m, shoe.Event{Kind: shoe.Drawn, Card: card.Joker, Position: shoe.Position{Boot: 1, Seq: 1}})
		synctest.Wait()
		m.fail(false)
		m.happened()
		pass(time.Second)
		wantSteps(t, m, "stored 2", "acknowledged 1", "durable 2", "shown 4", "failed")
		m.fail(false)
		pass(time.Second)
		wantSteps(t, m, "stored 3", "stored 4", "durable 4", "shown 6", "stored 5", "stored 6", "no trouble",
			"durable 6")
		if err := r.end(); err != nil {
			t.Error(err)
		}
	})
}
