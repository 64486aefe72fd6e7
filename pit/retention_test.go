package pit

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/internal/testkit/brokertest"
	"github.com/sabot-table/sabot/internal/testkit/journaltest"
	"github.com/sabot-table/sabot/internal/testkit/processes"
	"github.com/sabot-table/sabot/pit/figures"
	"github.com/sabot-table/sabot/pit/store"
	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/profile"
)

// TestRetention: with keep_days a pit that runs removes older rounds and keeps their sums, and the page of the rounds
// says so; a command that only looks after the database removes nothing.
func TestRetention(t *testing.T) {
	folder, log := processes.FastDir(t), slog.New(slog.DiscardHandler)
	c, err := Parse("pit.yaml", []byte("site: wiesbaden\nmqtt:\n  broker: tcp://127.0.0.1:1\nstore:\n  source: "+
		filepath.Join(folder, "pit.db")+"\n  time_zone: Europe/Berlin\n  keep_days: 30\n"))
	if err != nil {
		t.Fatal(err)
	}
	n := journaltest.NewNight(t, filepath.Join(folder, "journal"), "wiesbaden", 1) // months ago
	n.Apart = 2 * time.Minute                                                      // two gaming days
	n.Deal(500)
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
	h, err := p.Pages(PagesOptions{Name: "Kursaal", Language: display.English, Houses: profile.Built()})
	if err != nil {
		t.Fatal(err)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "http://localhost"+figures.Root+
		"/rounds?night=2026-03-28", nil))
	if !strings.Contains(w.Body.String(), "Only their sums are kept.") {
		t.Error("the page of the first day does not say that its rounds are not kept any more")
	}
}
