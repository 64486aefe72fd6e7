package pit

import (
	"log/slog"
	"path/filepath"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/brokertest"
	"github.com/sabot-table/sabot/internal/testkit/journaltest"
	"github.com/sabot-table/sabot/internal/testkit/processes"
	"github.com/sabot-table/sabot/pit/store"
	"github.com/sabot-table/sabot/table/journal"
)

// TestRetention: with keep_days a pit that runs removes older rounds and keeps their sums; a
// command that only looks after the database removes nothing.
func TestRetention(t *testing.T) {
	folder, log := processes.FastDir(t), slog.New(slog.DiscardHandler)
	c, err := Parse("pit.yaml", []byte("site: wiesbaden\nmqtt:\n  broker: tcp://127.0.0.1:1\nstore:\n  source: "+
		filepath.Join(folder, "pit.db")+"\n  time_zone: Europe/Berlin\n  keep_days: 30\n"))
	if err != nil {
		t.Fatal(err)
	}
	journaltest.NewNight(t, filepath.Join(folder, "journal"), "wiesbaden", 1).Deal(500) // months ago
	left := func(s *store.Store) (rounds int, counted int64) {
		t.Helper()
		list, err := s.Rounds(t.Context(), store.RoundQuery{})
		if err != nil {
			t.Fatal(err)
		}
		sums, err := s.Sums(t.Context(), store.Query{})
		if err != nil || len(sums) != 1 {
			t.Fatal(sums, err)
		}
		return len(list), sums[0].Rounds
	}
	s, err := OpenStore(t.Context(), c, log)
	if err != nil {
		t.Fatal(err)
	}
	tables, err := (&Config{Site: "wiesbaden", Tables: []string{"bj-1"}}).tables()
	if err != nil {
		t.Fatal(err)
	}
	r, err := journal.OpenReadOnly(filepath.Join(folder, "journal"))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if err := s.Refill(t.Context(), tables[0], r, nil); err != nil {
		t.Fatal(err)
	}
	rounds, counted := left(s)
	if rounds == 0 || counted != int64(rounds) {
		t.Fatalf("%d rounds, %d counted", rounds, counted)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	p, err := Open(t.Context(), c, log)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	brokertest.Until(t, "older rounds are removed", func() bool { now, _ := left(p.Store); return now < rounds/10 })
	if _, now := left(p.Store); now != counted {
		t.Errorf("of %d rounds that were counted %d are", counted, now)
	}
}
