package publish_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/sabot-table/sabot/internal/testkit/brokertest"
	"github.com/sabot-table/sabot/internal/testkit/journaltest"
	"github.com/sabot-table/sabot/pit/publish"
	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/pit/transport"
	"github.com/sabot-table/sabot/table/journal"
)

// copied is a journal, and the publisher that answers for it.
type copied struct {
	*journal.Journal
	t    *testing.T
	name topic.Table
	path string
	n    int
	stop func()
}

func (tab *copied) open(addr string) {
	tab.t.Helper()
	j, err := journal.Open(tab.path, journal.Options{Program: "sabotd test"})
	if err != nil {
		tab.t.Fatal(err)
	}
	publisher, err := publish.New(publish.Config{
		Config: transport.Config{Broker: "tcp://" + addr, BackoffMax: 200 * time.Millisecond},
		Table:  tab.name, Boot: j.Boot(), HealthEvery: 50 * time.Millisecond, FlushTimeout: time.Millisecond,
		Log:   slog.New(slog.DiscardHandler),
		Fetch: func(f topic.Fetch) (topic.Records, error) { return publish.Fetched(j, f) },
	}, journaltest.Published{Journal: j}, journaltest.NoView{}, func() publish.Condition {
		head, hash, err := j.Head()
		if err != nil {
			return publish.Condition{}
		}
		return publish.Condition{Head: &topic.Head{ID: j.ID(), Record: head, Hash: fmt.Sprintf("%x", hash)}}
	})
	if err != nil {
		tab.t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- publisher.Run(ctx) }()
	tab.Journal = j
	tab.stop = func() {
		cancel()
		<-done
		if err := j.Close(); err != nil {
			tab.t.Error(err)
		}
	}
}

// deal records more cards.
func (tab *copied) deal(count int) {
	tab.t.Helper()
	entries := make([]journal.Entry, count)
	for i := range entries {
		tab.n++
		entries[i] = journal.Entry{
			At: int64(tab.n), Round: uint64(tab.n/40 + 1), Input: []byte(`{"in":"card","card":"TH"}`),
			Outputs: fmt.Appendf(nil, "{\"out\":\"dealt\",\"card\":\"TH\",\"to\":\"bank\",\"total\":%d}\n", tab.n),
		}
	}
	if err := tab.Append(entries); err != nil {
		tab.t.Fatal(err)
	}
}

// requireCopied waits until the copy is up to date, and compares it with the journal's files.
func (tab *copied) requireCopied(c *brokertest.Copyist) {
	tab.t.Helper()
	head, _, err := tab.Head()
	if err != nil {
		tab.t.Fatal(err)
	}
	brokertest.Until(tab.t, "all records are copied", func() bool {
		id, record := c.Has()
		return id == tab.ID() && record == head
	})
	var texts [][]byte
	files, _ := filepath.Glob(filepath.Join(tab.path, "part-*"))
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			tab.t.Fatal(err)
		}
		texts = append(texts, text)
	}
	all := bytes.Join(texts, nil)
	for rec, err := range tab.Records(1) {
		if err != nil {
			tab.t.Fatal(err)
		}
		text := c.Text(tab.ID(), rec.Seq)
		if copied, err := journal.ParseRecord([]byte(text)); err != nil || copied.Hash != rec.Hash ||
			!bytes.Contains(all, []byte(text)) {
			tab.t.Fatalf("record %d was copied as %q (%v)", rec.Seq, text, err)
		}
	}
}

// TestAJournalIsCopied: two readers, of which one comes late, have every record of a table's
// journal byte for byte, over restarts, a broker that is killed, and another journal.
func TestAJournalIsCopied(t *testing.T) {
	name, err := topic.NewTable("wiesbaden", "bj1")
	if err != nil {
		t.Fatal(err)
	}
	mosquitto := brokertest.StartMosquitto(t)
	tab := &copied{t: t, name: name, path: filepath.Join(t.TempDir(), "journal")}
	tab.open(mosquitto.Addr())
	early := brokertest.KeepCopy(t, mosquitto.Addr(), name, "early")
	for range 20 {
		tab.deal(3)
	}
	tab.requireCopied(early)
	tab.deal(3000)
	late := brokertest.KeepCopy(t, mosquitto.Addr(), name, "late")
	tab.stop()
	tab.open(mosquitto.Addr())
	tab.deal(1)
	mosquitto.Kill()
	tab.deal(500)
	mosquitto.Start()
	tab.requireCopied(early)
	tab.requireCopied(late)

	// An earlier state of the journal is restored.
	tab.stop()
	before := tab.path + ".before"
	if err := os.CopyFS(before, os.DirFS(tab.path)); err != nil {
		t.Fatal(err)
	}
	tab.open(mosquitto.Addr())
	tab.deal(10)
	tab.requireCopied(early)
	tab.stop()
	if err := os.RemoveAll(tab.path); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(before, tab.path); err != nil {
		t.Fatal(err)
	}
	tab.open(mosquitto.Addr())
	tab.deal(1)
	brokertest.Until(t, "a reader sees that it was rolled back", func() bool { return early.RolledBack() > 0 })
	tab.stop()

	// Another journal takes its place.
	if err := os.RemoveAll(tab.path); err != nil {
		t.Fatal(err)
	}
	tab.open(mosquitto.Addr())
	tab.deal(40)
	tab.requireCopied(early)
	tab.requireCopied(late)
	tab.stop()
}
