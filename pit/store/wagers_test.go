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

	"github.com/sabot-table/sabot/internal/testkit/journaltest"
	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/pit/store"
	"github.com/sabot-table/sabot/pit/tally"
)

// TestRoundsOfAnEarlierForm: rounds that were kept before they had their wagers' bits are found like new ones.
func TestRoundsOfAnEarlierForm(t *testing.T) {
	onEachInSoak(t, func(t *testing.T, source string) {
		f := newFloor(t, source)
		f.undo(t, 6, "00006_wagers.sql")
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

// TestUnlaidRounds: of rounds that were kept before their boxes were, the store says that they are not found by them,
// until they are counted anew.
func TestUnlaidRounds(t *testing.T) {
	onEachInSoak(t, func(t *testing.T, source string) {
		f := newFloor(t, source)
		last := f.rounds[0].Opened
		for i := range f.rounds {
			if f.rounds[i].Opened.After(last) {
				last = f.rounds[i].Opened
			}
		}
		f.undo(t, 34, "00034_boxes.sql")
		again := open(t, source)
		q := store.RoundQuery{Boxes: []uint8{1}, Limit: 1 << 20}
		if list, err := again.Rounds(t.Context(), q); err != nil || len(list) > 0 {
			t.Errorf("%d rounds are found by a box that nobody knows, %v", len(list), err)
		}
		if until, err := again.UnlaidUntil(t.Context()); err != nil || !until.Equal(last) {
			t.Errorf("rounds are not found by box until %s, %v; the last one is of %s", until, err, last)
		}
		differ, err := again.Compare(t.Context(), nil)
		if err != nil || len(differ) != len(f.tables) || !strings.Contains(differ[0], "lack what lay on their boxes") {
			t.Errorf("%v, %v", differ, err)
		}
		for i := range len(f.tables) {
			if err := again.Rebuild(t.Context(), table(t, floorTable(i))); err != nil {
				t.Fatal(err)
			}
		}
		want := 0
		for i := range f.rounds {
			if f.rounds[i].on(1, 0, 0) {
				want++
			}
		}
		if list, err := again.Rounds(t.Context(), q); err != nil || len(list) != want || want == 0 {
			t.Errorf("%d rounds are found by box, want %d: %v", len(list), want, err)
		}
		if until, err := again.UnlaidUntil(t.Context()); err != nil || !until.IsZero() {
			t.Errorf("rounds are not found by box until %s, %v", until, err)
		}
	})
}

// TestSumsOfAnEarlierForm: what void rounds came to, and the boxes of tables whose places are known, follow from sums
// that an earlier version has kept, too; a dead wager that was taken in a good round is none of a void one.
func TestSumsOfAnEarlierForm(t *testing.T) {
	onEach(t, func(t *testing.T, source string) {
		folder := filepath.Join(tabletest.FastDir(t), "journal")
		journaltest.VoidAndDead(t, folder)
		f := floor{store: open(t, source)}
		if err := f.store.Refill(t.Context(), table(t, "bj0"), reader(t, folder), nil); err != nil {
			t.Fatal(err)
		}
		f.undo(t, 65, "00065_unplaced.sql")
		f.undo(t, 62, "00062_taken.sql")
		f.undo(t, 61, "00061_kept.sql")
		again := open(t, source)
		sums, err := again.Sums(t.Context(), store.Query{Of: tally.OfWagers})
		if err != nil || len(sums) != 1 || sums[0].Kept != 0 || sums[0].VoidStaked-sums[0].VoidReturned != 1000 {
			t.Errorf("%+v, %v", sums, err)
		}
		if differ, err := again.Compare(t.Context(), nil); err != nil || len(differ) > 0 {
			t.Errorf("%v, %v", err, differ)
		}
	})
}

// undo takes a step of the schema back, as if an earlier version had kept what there is.
func (f *floor) undo(t *testing.T, version int, file string) {
	t.Helper()
	text, err := os.ReadFile("migrations/" + file)
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
		_, err := tx.ExecContext(ctx, `DELETE FROM goose_db_version WHERE version_id = $1`, version)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestKnowsItsTables: once it was closed, a SQLite file knows what its tables hold, so that searches go the short way.
func TestKnowsItsTables(t *testing.T) {
	path := filepath.Join(tabletest.FastDir(t), "pit.db")
	s, err := store.Open(t.Context(), store.Options{Source: path, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(tabletest.FastDir(t), "journal")
	journaltest.NewNight(t, folder, "wiesbaden", 1).Deal(500)
	err = s.Refill(t.Context(), table(t, "bj0"), reader(t, folder), nil)
	if err := errors.Join(err, s.Close()); err != nil {
		t.Fatal(err)
	}
	var n int
	if err := open(t,
		path).DB().QueryRow(`SELECT count(*) FROM sqlite_stat1 WHERE tbl = 'round'`).Scan(&n); err != nil || n == 0 {
		t.Errorf("of the rounds %d indexes are known: %v", n, err)
	}
}
