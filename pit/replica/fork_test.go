package replica

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/journaltest"
	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/pit/publish"
	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/recall"
)

// TestAnEarlierState: a table of which an earlier state was restored is shown as it goes on from there, also where its
// starts are counted as before; a copy of what it has said changes nothing.
func TestAnEarlierState(t *testing.T) {
	folder := tabletest.FastDir(t)
	first, restored := filepath.Join(folder, "first"), filepath.Join(folder, "restored")
	night := journaltest.NewNight(t, first, "wiesbaden", 1)
	night.Flush()
	if err := os.CopyFS(restored, os.DirFS(first)); err != nil {
		t.Fatal(err)
	}
	name, err := topic.NewTable("hall", "bj-1")
	if err != nil {
		t.Fatal(err)
	}
	table := NewTable(name, LiveSource{
		Houses: profile.Built(),
		Records: func(context.Context, topic.Table, string) (recall.Records, error) {
			return night.Journal.Reader, nil
		},
	})
	hears := func(j *journal.Journal, after uint64) {
		t.Helper()
		r, err := publish.Fetched(j, topic.Fetch{Reader: topic.Stream, Journal: j.ID(), After: after})
		if err != nil {
			t.Fatal(err)
		}
		r.Site, r.Table, r.Boot = name.Site(), name.Name(), 1
		if table.Hear(r, true); table.Behind() {
			if err := table.CatchUp(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
	}
	hears(night.Journal, 0)
	for after := uint64(1); after < 20; after++ {
		night.Deal(1)
		night.Flush()
		hears(night.Journal, after)
	}
	was := table.at
	hears(night.Journal, was-3)
	if table.at != was {
		t.Fatalf("a copy of what was said has the table stand after record %d, not %d", table.at, was)
	}
	j, err := journal.Open(restored, journal.Options{Program: "test"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = j.Close() })
	other := journaltest.OnJournal(t, j, "wiesbaden", 2)
	for after := uint64(1); after < 5; after++ {
		other.Deal(1)
		other.Flush()
		hears(j, after)
	}
	head, hash, err := j.Head()
	if err != nil || head >= was || table.at != head || table.hash != hash || table.Behind() {
		t.Errorf("the table is shown after record %d of what it has no more; it has %d, %v", table.at, head, err)
	}
}
