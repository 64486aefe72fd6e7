package store_test

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/pit/store"
)

// onlyThePit are rows that follow from nothing else, one in each table.
var onlyThePit = []string{
	`INSERT INTO place (id, site, name, pruned) VALUES (7, 'wiesbaden', 'bj-2', 0)`,
	`INSERT INTO person (name, role, password, start_until, subject, added, removed) VALUES ('anna', 'manager', '$argon2id$x', 0, NULL, 17, 0)`,
	`INSERT INTO person (name, role, password, start_until, subject, added, removed) VALUES ('bert', 'viewer', '', 0, 'https://house#bert', 18, 19)`,
	`INSERT INTO person_site (person, sites) VALUES ('bert', 'kursaal wiesbaden')`,
	`INSERT INTO person_log (number, at, who, place, what, about, detail) VALUES (1, 17, 'anna', '10.0.0.7', 'added', 'bert', 'Zoë "ü"')`,
	`INSERT INTO spot (tile, x, y) VALUES ('wiesbaden/bj-2', 3, 4)`,
	`INSERT INTO alert (id, over, text, raised, tile, code) VALUES ('a1', 0, '{"note":"bent"}', 5, 'wiesbaden/bj-2', 'unread-card')`,
	`INSERT INTO push_browser (endpoint, p256dh, auth, person, language, key, added) VALUES ('https://push/1', 'p', 'a', 'anna', 'de', 'k', 6)`,
	`INSERT INTO told (place, journal, boot, record, acknowledged, heard, away, began_acknowledged, began_away, at, watched)
		VALUES (7, '00ff', 3, 100, 90, 91, 4, -1, 0, 8, TRUE)`,
	`INSERT INTO witness (place, journal, record, hash, heard, agrees) VALUES (7, '00ff', 100, $1, 9, FALSE)`,
	`INSERT INTO report_signed (began, ended, at, who, role, day, shift, report) VALUES (20, 30, 31, 'anna', 'supervisor', 20260329, 'Spät', '{"money":[]}')`,
	`INSERT INTO drop_count (place, journal, record, nth, day, at, who, role, amount, currency, reason) VALUES (7, '00ff', 90, 2, 20260329, 33, 'anna', 'supervisor', 125000, 'EUR', 'counted again')`,
	`INSERT INTO finding (place, journal, kind, record, what, found) VALUES (7, '00ff', 'rewritten', 100, 'another hash', 10)`,
}

func fillOwn(t *testing.T, s *store.Store) {
	t.Helper()
	err := s.Change(t.Context(), func(ctx context.Context, tx *sql.Tx) error {
		for _, one := range onlyThePit {
			var args []any
			if strings.Contains(one, "$1") {
				args = []any{[]byte{0, 1, 0xfe}}
			}
			if _, err := tx.ExecContext(ctx, one, args...); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func backedUp(t *testing.T, s *store.Store) (text []byte, rows int) {
	t.Helper()
	var b bytes.Buffer
	rows, err := s.BackUp(t.Context(), &b, "wiesbaden", "test")
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes(), rows
}

// TestBackUp: what only the pit knows is the same after a backup was restored into a new database, of either kind,
// whose tables have other numbers.
func TestBackUp(t *testing.T) {
	onEach(t, func(t *testing.T, source string) {
		s := open(t, source)
		fillOwn(t, s)
		text, rows := backedUp(t, s)
		if want := len(onlyThePit) - 1; rows != want { // places follow from the tables
			t.Errorf("%d rows, want %d:\n%s", rows, want, text)
		}
		other := open(t, tabletest.FastDir(t)+"/other.db")
		if n, err := other.Restore(t.Context(), bytes.NewReader(text), "wiesbaden"); err != nil || n != rows {
			t.Fatalf("%d rows, %v", n, err)
		}
		again, _ := backedUp(t, other)
		if a, b := afterHead(text), afterHead(again); a != b {
			t.Errorf("restored:\n%s\nwas:\n%s", b, a)
		}
		if _, err := other.Restore(t.Context(), bytes.NewReader(text), "wiesbaden"); !errors.Is(err,
			store.ErrNotEmpty) {
			t.Errorf("a second time: %v", err)
		}
	})
}

// afterHead are a backup's rows: its head has the time.
func afterHead(text []byte) string {
	lines := strings.Split(string(text), "\n")
	return strings.Join(lines[1:len(lines)-2], "\n")
}

// TestBackUpIsWhole: a backup that was cut off, changed, or is of another house or a later program restores nothing.
func TestBackUpIsWhole(t *testing.T) {
	s := open(t, tabletest.FastDir(t)+"/pit.db")
	fillOwn(t, s)
	text, _ := backedUp(t, s)
	lines := strings.SplitAfter(string(text), "\n")
	empty := open(t, tabletest.FastDir(t)+"/empty.db")
	nothing, _ := backedUp(t, empty)
	for says, spoilt := range map[string]string{
		"no backup of a pit":       "{}\n",
		"cut off":                  strings.Join(lines[:4], ""),
		"checksum":                 strings.Replace(string(text), "manager", "viewer", 1),
		"checksum does not":        strings.Join(slices.Delete(slices.Clone(lines), 2, 3), ""),
		"goes on":                  string(text) + "{}\n",
		"form 9":                   strings.Replace(string(text), `"sabot_pit":4`, `"sabot_pit":9`, 1),
		"of the site wiesbaden":    "another site",
		"line 2 cannot be read":    lines[0] + "garbage\n",
		"it is cut off: the empty": "",
	} {
		site := "wiesbaden"
		switch {
		case spoilt == "another site":
			spoilt, site = string(text), "baden"
		case spoilt == "":
			says = "cut off"
		}
		if _, err := empty.Restore(t.Context(), strings.NewReader(spoilt), site); err == nil ||
			!strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v", says, err)
		}
	}
	if now, _ := backedUp(t, empty); afterHead(now) != afterHead(nothing) {
		t.Errorf("something was restored: %s", now)
	}
}

// followFrom are the tables of the database whose rows follow from the tables' journals, or from nothing that is worth
// keeping.
var followFrom = []string{
	"place", "journal", "stretch", "boot", "gap", "rules", "signer", "seal", "sheet", "round", "irregularity",
	"round_sum", "wager_sum", "irregularity_sum", "tray_event", "tray_round", "tray_gone",
	"adjusted",
	"wager_kind", "person_session", "person_browser", "person_tries", "goose_db_version", "sqlite_sequence",
	"part", "alert_word", "jackpot", "jackpot_table", "jackpot_round", "jackpot_entry", "jackpot_sum",
}

// TestEachTableIsBackedUp: each table of the database is backed up, or its rows follow from something else.
func TestEachTableIsBackedUp(t *testing.T) {
	s := open(t, tabletest.FastDir(t)+"/pit.db")
	fillOwn(t, s)
	text, _ := backedUp(t, s)
	err := s.Change(t.Context(), func(ctx context.Context, tx *sql.Tx) error {
		rows, err := tx.QueryContext(ctx, `SELECT name FROM sqlite_master WHERE type = 'table'`)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var name string
			if err := rows.Scan(&name); err != nil {
				return err
			}
			if kept := bytes.Contains(text, []byte(`{"table":"`+name+`"`)); kept == slices.Contains(followFrom, name) {
				t.Errorf("%s is backed up: %t", name, kept)
			}
		}
		return rows.Err()
	})
	if err != nil {
		t.Fatal(err)
	}
}
