package store_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sabot-table/sabot/internal/testkit/journaltest"
	"github.com/sabot-table/sabot/internal/testkit/system"
	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/internal/testkit/tier"
	"github.com/sabot-table/sabot/pit/store"
	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/table/journal"
)

// onEach runs a test on each kind of database.
func onEach(t *testing.T, test func(t *testing.T, source string)) {
	t.Run("sqlite", func(t *testing.T) { test(t, filepath.Join(tabletest.FastDir(t), "pit.db")) })
	t.Run("postgres", func(t *testing.T) { test(t, server.source()) })
}

// onEachInSoak is onEach for a test with many records: make test runs it on SQLite alone.
func onEachInSoak(t *testing.T, test func(t *testing.T, source string)) {
	t.Run("sqlite", func(t *testing.T) { test(t, filepath.Join(tabletest.FastDir(t), "pit.db")) })
	t.Run("postgres", func(t *testing.T) {
		tier.Soak(t, "many records over a socket")
		test(t, server.source())
	})
}

func open(t testing.TB, source string) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), store.Options{
		Source: source, Day: store.Day{Begins: 6 * time.Hour, Zone: system.Zone(t, "Europe/Berlin")},
		Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func table(t testing.TB, name string) topic.Table {
	t.Helper()
	table, err := topic.NewTable("wiesbaden", name)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

func reader(t testing.TB, folder string) *journal.Reader {
	t.Helper()
	r, err := journal.OpenReadOnly(folder)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
	return r
}

// same fails unless the store has the folder's records, byte for byte, and no others.
func same(t testing.TB, s *store.Store, table topic.Table, r *journal.Reader) {
	t.Helper()
	head, hash, err := r.Head()
	if err != nil {
		t.Fatal(err)
	}
	c, err := s.Check(context.Background(), table, r, nil)
	if err != nil || !c.Same() || len(c.Extra) > 0 || c.Records != head {
		t.Fatalf("table %s: of %d records: %+v, %v", table, head, c, err)
	}
	id, record, kept, err := s.Position(context.Background(), table)
	if err != nil || id != r.ID() || record != head || kept != hash {
		t.Fatalf("table %s: the position is %s %d, %v; the journal's is %s %d", table, id, record, err, r.ID(), head)
	}
	if differ, err := s.Compare(context.Background(), nil); err != nil || len(differ) > 0 {
		t.Fatalf("the figures do not follow from the records: %v, %v", differ, err)
	}
}

// TestRefill: what a journal has is kept byte for byte.
func TestRefill(t *testing.T) {
	onEachInSoak(t, func(t *testing.T, source string) {
		s := open(t, source)
		for i, house := range []string{"wiesbaden", "baden", "schaffhausen"} {
			folder := filepath.Join(tabletest.FastDir(t), "journal")
			n := journaltest.NewNight(t, folder, house, uint64(i))
			n.Mistakes, n.Dealers = i, []string{"d1", "d2"}
			r, name := reader(t, folder), table(t, fmt.Sprintf("bj%d", i))
			for range 3 {
				n.Deal(700 / store.Lighter)
				if err := s.Refill(t.Context(), name, r, nil); err != nil {
					t.Fatal(err)
				}
				same(t, s, name, r)
			}
		}
		if _, err := s.Records(t.Context(), table(t, "bj0"), "another"); !errors.Is(err, store.ErrUnknown) {
			t.Errorf("an unknown journal gives %v", err)
		}
	})
}

// TestPasswordWithoutAnAddress: a password of the environment is for no address, and is told to none.
func TestPasswordWithoutAnAddress(t *testing.T) {
	t.Setenv("PGPASSWORD", "58219")
	_, err := store.Open(t.Context(), store.Options{Source: "postgres://pit@127.0.0.1:1/pit"})
	if err == nil || !strings.Contains(err.Error(), "store.source_file") || strings.Contains(err.Error(), "58219") {
		t.Errorf("it is told it: %v", err)
	}
}
