package main

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/sabot-table/sabot/internal/testkit/processes"
	"github.com/sabot-table/sabot/internal/testkit/system"
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/sim-hardware/shoesim"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/vocab"
)

// TestJournalOutOfReach: the table cannot run without its journal, and says where it
// looked for it.
func TestJournalOutOfReach(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	process := w.start()
	contains(t, w.refused(w.path, system.Address(t)), w.path, "in use by another process",
		strconv.Itoa(process.PID()), "journal of its own")
	missing := filepath.Join(w.dir, "nowhere", "journal")
	contains(t, w.refused(missing, system.Address(t)), filepath.Dir(missing), "does not exist", "install -d",
		"journal.path")
	contains(t, w.refused(w.dir, system.Address(t)), w.dir, "not a Sabot journal", "a folder of its own")
	contains(t, w.refused(w.config, system.Address(t)), w.config, "not a Sabot journal", "a journal is a folder")
	w.check(w.deal(1).finish(), 1)
	process.Stop()
}

// limitFiles limits the size of the files that a running process writes, as a full
// disk would.
func limitFiles(t *testing.T, p *processes.Process, bytes uint64) {
	t.Helper()
	if err := unix.Prlimit(p.PID(), unix.RLIMIT_FSIZE, &unix.Rlimit{Cur: bytes, Max: unix.RLIM_INFINITY},
		nil); err != nil {
		t.Fatal(err)
	}
}

// fail deals until a card comes that the journal cannot store.
func (w *world) fail(d *dealing, p *processes.Process) {
	w.t.Helper()
	d.stop(4)
	stored := func(s shoesim.State) bool { return s.Queued == 0 }
	if _, err := w.shoe.Await(d.ctx, stored); err != nil {
		w.t.Fatal(err)
	}
	limitFiles(w.t, p, 0)
	d.goOn(nil)
	d.awaitHeld(irregularity.StorageFailing)
	if stored(w.shoe.State()) {
		w.t.Error("the shoe was told that its card is stored")
	}
}

// TestJournalCannotBeWritten: the table stops and says why, the shoe keeps its card, a key
// press waits; afterwards everything continues.
func TestJournalCannotBeWritten(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	process := w.start()
	d := w.deal(3)
	w.fail(d, process)

	pressed := make(chan error, 1)
	go func() {
		// Nothing is held: once the journal can be written, this is refused.
		refused, err := d.remote.Press(d.ctx, vocab.Input{
			Kind: vocab.InResolve, With: irregularity.Corrected,
			By: "supervisor-1",
		})
		if err == nil && refused != vocab.NotHeld {
			err = errors.New("the press was answered with " + refused.String())
		}
		pressed <- err
	}()
	if _, outputs := w.records(); strings.Count(outputs, `{"out":"dealt"`) != 4 {
		t.Errorf("4 cards came before the journal failed, but it has\n%s", outputs)
	}
	select {
	case err := <-pressed:
		t.Errorf("a press was answered while the journal could not be written: %v", err)
	default:
	}
	logs(t, process, "the journal cannot be written: the table stands still", w.path)

	limitFiles(t, process, unix.RLIM_INFINITY)
	if err := processes.Take(t, "the answer to the press", pressed); err != nil {
		t.Error(err)
	}
	told := d.finish()
	logs(t, process, "the journal can be written again")
	w.check(told, 3, "storage-failing")
	process.Stop()
}

// TestEndWhileTheJournalFails: a daemon that is ended while it cannot write says
// that it lost nothing that was confirmed. The shoe sends its card again.
func TestEndWhileTheJournalFails(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	process := w.start()
	d := w.deal(2)
	w.fail(d, process)
	if status := process.End(syscall.SIGTERM); status != exitFailed {
		t.Errorf("exit status is %d", status)
	}
	contains(t, process.Log(), "stopped while the journal could not be written", "are not in it")
	process = w.start()
	w.check(d.finish(), 2)
	process.Stop()
}

// TestNewJournal: where a journal was moved away a new one begins, and a supervisor must
// confirm it. The shoe has reported cards that the new one does not know: somebody must
// say that none of them is on the table.
func TestNewJournal(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	process := w.start()
	w.deal(1).finish()
	process.Stop()
	if err := os.Rename(w.path, w.path+".old"); err != nil {
		t.Fatal(err)
	}
	process = w.start()
	look := w.look()
	look.awaitHeld(irregularity.JournalNew, irregularity.Accept)
	logs(t, process, "the folder has no journal, but the pit has heard of one")
	look.resolve(irregularity.Accept, card.None)
	look.awaitHeld(irregularity.LostCards, irregularity.Identify, irregularity.NoneDrawn)
	look.resolve(irregularity.NoneDrawn, card.None)
	told := w.deal(1).finish()
	process.Stop()
	inputs, outputs := w.records()
	if got := cardsOf(inputs); got != names(told) || !strings.Contains(outputs, `{"out":"opened","round":1}`) {
		t.Errorf("told    %s\njournal %s\n%s", names(told), got, outputs)
	}
}
