package store_test

import (
	"context"
	"database/sql"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sabot-table/sabot/internal/testkit/system"
	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/pit/store"
	"github.com/sabot-table/sabot/table/journal"
)

// TestTableOfANewerVersion: records of a kind that the pit does not know are kept byte for byte, and what it can read
// around them is counted. It says so once, and does not count again while it reads no more than before.
func TestTableOfANewerVersion(t *testing.T) {
	onEachInSoak(t, func(t *testing.T, source string) {
		folder := filepath.Join(tabletest.FastDir(t), "journal")
		goesOn(t, folder, 5, 100)
		levitates(t, folder)
		goesOn(t, folder, 6, 100)
		r := reader(t, folder)
		for again := range 2 {
			said := new(system.Text)
			s := openLogged(t, source, said)
			if err := s.Refill(t.Context(), table(t, "bj1"), r, nil); err != nil {
				t.Fatal(err)
			}
			same(t, s, table(t, "bj1"), r)
			requireFigures(t, s)
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			if got := strings.Count(said.String(), "CANNOT READ"); got != 1-again {
				t.Errorf("start %d says %d times that it cannot read a record:\n%s", again+1, got, said)
			}
			if strings.Contains(said.String(), "counted anew") {
				t.Errorf("it counts again what it still cannot read:\n%s", said)
			}
			goesOn(t, folder, 7, 100)
		}
	})
}

// TestUpgradedPit: what an earlier version kept and could not read is counted once a version has come that reads it,
// with all that follows later, and only once.
func TestUpgradedPit(t *testing.T) {
	onEachInSoak(t, func(t *testing.T, source string) {
		folder := filepath.Join(tabletest.FastDir(t), "journal")
		goesOn(t, folder, 5, 300, "anna")
		r := reader(t, folder)
		s := openLogged(t, source, new(system.Text))
		if err := s.Refill(t.Context(), table(t, "bj1"), r, nil); err != nil {
			t.Fatal(err)
		}
		// As a version leaves it that knows nothing of this house's game.
		err := s.Change(t.Context(), func(ctx context.Context, tx *sql.Tx) error {
			for _, earlier := range []string{
				`UPDATE sheet SET game = ''`, `UPDATE journal SET kept = '{}', unread = 1`,
			} {
				if _, err := tx.ExecContext(ctx, earlier); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if differ, err := s.Compare(t.Context(), nil); err != nil || len(differ) == 0 {
			t.Fatalf("nothing differs, %v", err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		for again := range 2 {
			goesOn(t, folder, 6, 50) // its set-up is the new version's to read
			said := new(system.Text)
			s = openLogged(t, source, said)
			if err := s.Refill(t.Context(), table(t, "bj1"), r, nil); err != nil {
				t.Fatal(err)
			}
			requireFigures(t, s)
			requireRoundsOf(t, s, r)
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			if got := strings.Count(said.String(), "counted anew"); got != 1-again {
				t.Errorf("start %d counts %d times anew:\n%s", again+1, got, said)
			}
		}
	})
}

// levitates records an input of a kind that this version does not know.
func levitates(t *testing.T, folder string) {
	t.Helper()
	j, err := journal.Open(folder, journal.Options{Program: "test"})
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	at := time.Date(2026, 3, 29, 19, 0, 0, 0, time.UTC)
	unknown := journal.Entry{At: at.UnixNano(), Input: []byte(`{"in":"levitates","height":3}`)}
	if err := j.Append([]journal.Entry{unknown}); err != nil {
		t.Fatal(err)
	}
}

func openLogged(t *testing.T, source string, said *system.Text) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), store.Options{
		Source: source, Day: store.Day{Begins: 6 * time.Hour, Zone: system.Zone(t, "Europe/Berlin")},
		Log: slog.New(slog.NewTextHandler(said, nil)),
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}
