package store

import (
	"context"
	"database/sql"
	"log/slog"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// TestLayOut: a file of an earlier version, whose sums lie in the order in which they came, has the same sums once it
// was opened, in the order of their keys, and what is asked for most is added up without sorting.
func TestLayOut(t *testing.T) {
	file := filepath.Join(fastDir(t), "pit.db")
	asked := []Query{
		{},
		{By: []Group{ByDay}},
		{By: []Group{ByTable, ByDay}},
		{By: []Group{ByRules, ByWager}},
		{By: []Group{ByDealer}},
		{By: []Group{ByHour, ByWager}},
		{By: []Group{ByCode, ByTable}, First: 20260310, Last: 20260320},
	}
	var want [][]Sum
	opened := func(look func(*Store)) {
		s, err := Open(t.Context(), Options{Source: file, Log: slog.New(slog.DiscardHandler)})
		if err != nil {
			t.Fatal(err)
		}
		look(s)
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
	opened(func(s *Store) {
		fillMonth(t, s, dealtRounds(t, 60), monthTables*monthDays)
		for _, q := range asked {
			want = append(want, sumsOf(t, s, q))
		}
		for i := range sumTables {
			asEarlier(t, s, &sumTables[i])
		}
		laid, err := column[string](t.Context(), s.read, `SELECT name FROM sqlite_master WHERE sql LIKE '%WITHOUT ROWID'`)
		if err != nil || len(laid) > 0 {
			t.Errorf("the file is not one of an earlier version: %v, %v", laid, err)
		}
	})
	opened(func(s *Store) {
		for i, q := range asked {
			if got := sumsOf(t, s, q); len(got) == 0 || !reflect.DeepEqual(got, want[i]) {
				t.Errorf("%+v has %d sums, and had %d others", q, len(got), len(want[i]))
			}
		}
		for i := range sumTables {
			of := &sumTables[i]
			if by := strings.Join(of.apart([]string{"sheet", "place", "day"}), ", "); sorts(t, s, by, of.table) {
				t.Errorf("the sums of %s are sorted by %s", of.table, by)
			}
		}
	})
}

// TestOpenWhileOthersWrite: a file that is in order is opened while another program writes to it, however long that
// takes, as when it makes a table's figures anew.
func TestOpenWhileOthersWrite(t *testing.T) {
	file := filepath.Join(fastDir(t), "pit.db")
	opened := func() (*Store, error) {
		return Open(t.Context(), Options{Source: file, Log: slog.New(slog.DiscardHandler)})
	}
	pit, err := opened()
	if err != nil {
		t.Fatal(err)
	}
	defer pit.Close()
	var beside *Store
	err = pit.Change(t.Context(), func(ctx context.Context, tx *sql.Tx) (err error) {
		if _, err := tx.ExecContext(ctx, `INSERT INTO rules (fingerprint, content) VALUES ('a', 'b')`); err != nil {
			return err
		}
		beside, err = opened()
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := beside.Close(); err != nil {
		t.Error(err)
	}
}

func sumsOf(t *testing.T, s *Store, q Query) []Sum {
	t.Helper()
	list, err := s.Sums(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// asEarlier has a table of sums as an earlier version has made it.
func asEarlier(t *testing.T, s *Store, of *sumTable) {
	t.Helper()
	key := "day, place, hour, dealer, sheet"
	if of.name != "" {
		key += ", " + of.name
	}
	columns := key + ", " + strings.Join(of.of.Columns(), ", ")
	for _, one := range []string{
		`ALTER TABLE ` + of.table + ` RENAME TO later`,
		`CREATE TABLE ` + of.table + ` (` + strings.ReplaceAll(columns, ",", " BIGINT NOT NULL,") +
			` BIGINT NOT NULL, PRIMARY KEY (` + key + `))`,
		`INSERT INTO ` + of.table + ` (` + columns + `) SELECT ` + columns + ` FROM later ORDER BY random()`,
		`DROP TABLE later`,
	} {
		err := s.do(t.Context(), func(w *writer) error { return w.exec(one) })
		if err != nil {
			t.Fatal(err)
		}
	}
}

// sorts says whether SQLite sorts rows to add them up.
func sorts(t *testing.T, s *Store, by, table string) bool {
	t.Helper()
	steps, err := rowsAs(t.Context(), s.read, func(scan scan) (step string, err error) {
		var rest [3]int
		err = scan(&rest[0], &rest[1], &rest[2], &step)
		return step, err
	}, `EXPLAIN QUERY PLAN SELECT `+by+`, count(*) FROM `+table+` GROUP BY `+by)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Contains(strings.Join(steps, "\n"), "TEMP B-TREE")
}
