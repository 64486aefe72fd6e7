package host

import (
	"path/filepath"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/journaltest"
	"github.com/sabot-table/sabot/table/journal"
)

// TestKeyMovesWhileAPartBegins: the disk forgets keys while parts begin, and the race detector looks on.
func TestKeyMovesWhileAPartBegins(t *testing.T) {
	o := journal.Options{Program: "test", Key: journaltest.Key, PartMost: 4000}
	j, err := journal.Open(filepath.Join(t.TempDir(), "journal"), o)
	if err != nil {
		t.Fatal(err)
	}
	n := journaltest.OnJournal(t, j, "wiesbaden", 7)
	stop, moved := make(chan struct{}), make(chan error, 1)
	go func() {
		for {
			select {
			case <-stop:
				moved <- nil
				return
			default:
			}
			if err := j.MoveKey(); err != nil {
				moved <- err
				return
			}
		}
	}()
	n.Deal(2000)
	close(stop)
	if err := <-moved; err != nil {
		t.Fatal(err)
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
}
