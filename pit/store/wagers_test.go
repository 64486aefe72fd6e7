package store_test

import (
	"context"
	"database/sql"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/storetest"
	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/pit/store"
)

// TestRoundsOfAnEarlierForm: rounds that were kept before they had their wagers' bits are found like new ones.
func TestRoundsOfAnEarlierForm(t *testing.T) {
	onEachInSoak(t, func(t *testing.T, source string) {
		f := newFloor(t, source)
		text, err := os.ReadFile("migrations/00006_wagers.sql")
		if err != nil {
			t.Fatal(err)
		}
		_, down, ok := strings.Cut(string(text), "-- +goose Down")
		if !ok {
			t.Fatal("there is no way back")
		}
		err = f.store.Change(t.Context(), func(ctx context.Context, tx *sql.Tx) error {
			for _, one := range strings.Split(down, ";") {
				if strings.TrimSpace(one) == "" {
					continue
				}
				if _, err := tx.ExecContext(ctx, one); err != nil {
					return err
				}
			}
			_, err := tx.ExecContext(ctx, `DELETE FROM goose_db_version WHERE version_id = 6`)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		again := open(t, source)
		if differ, err := again.Compare(t.Context(), nil); err != nil || len(differ) > 0 {
			t.Fatalf("%v, %v", err, differ)
		}
		for _, wager := range []string{"main", "insurance", "twins", "nobodys"} {
			want := 0
			for i := range f.rounds {
				if _, _, count := f.rounds[i].amounts(wager); count > 0 {
					want++
				}
			}
			if n, err := again.CountRounds(t.Context(), store.RoundQuery{Wager: wager}); err != nil || int(n) != want {
				t.Errorf("%d rounds have %s, want %d: %v", n, wager, want, err)
			}
		}
	})
}

// TestKnowsItsTables: once it was closed, a SQLite file knows what its tables hold, so that searches go the short way.
func TestKnowsItsTables(t *testing.T) {
	path := filepath.Join(tabletest.FastDir(t), "pit.db")
	s, err := store.Open(t.Context(), store.Options{Source: path, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(tabletest.FastDir(t), "journal")
	storetest.NewNight(t, folder, "wiesbaden", 1).Deal(500)
	err = s.Refill(t.Context(), table(t, "bj0"), reader(t, folder), nil)
	if err := errors.Join(err, s.Close()); err != nil {
		t.Fatal(err)
	}
	var n int
	if err := open(t, path).DB().QueryRow(`SELECT count(*) FROM sqlite_stat1 WHERE tbl = 'round'`).Scan(&n); err != nil || n == 0 {
		t.Errorf("of the rounds %d indexes are known: %v", n, err)
	}
}
