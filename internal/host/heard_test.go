package host

import (
	"log/slog"
	"path/filepath"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/brokertest"
	"github.com/sabot-table/sabot/pit/publish"
)

// TestHeardIsKept: the newest head is in the file when all is over, however many came
// faster than the disk takes them.
func TestHeardIsKept(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal.db")
	k := newHeardKeeper(path, slog.New(slog.DiscardHandler))
	ended := make(chan struct{})
	go func() {
		k.run()
		close(ended)
	}()
	for n := range uint64(100) {
		k.hear(publish.Heard{ID: "ab", Record: n + 1, Hash: "cd", Event: 2 * n})
	}
	close(k.heads)
	<-ended
	got, err := heardFile(path).load()
	if err != nil || got.At.IsZero() {
		t.Fatalf("kept %+v, %v", got, err)
	}
	want := heardHead{Heard: publish.Heard{ID: "ab", Record: 100, Hash: "cd", Event: 198}}
	if got.At = want.At; got != want {
		t.Errorf("kept %+v", got)
	}
}

// TestHeardCannotBeKept: the log says so once.
func TestHeardCannotBeKept(t *testing.T) {
	var log brokertest.Log
	k := newHeardKeeper(filepath.Join(t.TempDir(), "nowhere", "journal.db"), log.Logger())
	ended := make(chan struct{})
	go func() {
		k.run()
		close(ended)
	}()
	for n := range uint64(100) {
		k.hear(publish.Heard{Record: n})
	}
	close(k.heads)
	<-ended
	if log.Count("could not be kept; look at the disk") != 1 {
		t.Errorf("the log says\n%s", log.String())
	}
}
