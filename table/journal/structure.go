package journal

import (
	"context"
	"database/sql"
	"errors"
	"maps"
	"slices"
	"strings"
)

// Structure compares the file's tables, triggers and views with those that a journal
// is made with, and names what is missing, changed or added, such as "trigger
// record_no_update is missing". They guard against mistakes; somebody who meant to
// change records had to take them away.
func (r *Reader) Structure(ctx context.Context) ([]string, error) {
	differs, err := r.structure(ctx)
	return differs, r.fault("read the structure", err)
}

func (r *Reader) structure(ctx context.Context) ([]string, error) {
	want, err := expected()
	if err != nil {
		return nil, err
	}
	have, err := structure(ctx, r.db)
	if err != nil {
		return nil, err
	}
	var differs []string
	for _, name := range slices.Sorted(maps.Keys(want)) {
		switch made, there := have[name]; {
		case !there:
			differs = append(differs, name+" is missing")
		case made != want[name]:
			differs = append(differs, name+" is not as it was made")
		}
		delete(have, name)
	}
	for _, name := range slices.Sorted(maps.Keys(have)) {
		differs = append(differs, name+" was added")
	}
	return differs, nil
}

// expected is the structure of a fresh journal.
func expected() (map[string]string, error) {
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	if err := migrate(db, 0); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	have, err := structure(context.Background(), db)
	return have, errors.Join(err, db.Close())
}

// querier is a connection or a pool of them.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// structure is a database's tables, views and triggers, and how each was made. SQLite's
// own, such as what ANALYZE leaves behind, are not among them.
func structure(ctx context.Context, db querier) (map[string]string, error) {
	rows, err := db.QueryContext(ctx, `SELECT type || ' ' || name, coalesce(sql, '') FROM sqlite_schema WHERE name NOT LIKE 'sqlite\_%' ESCAPE '\'`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	have := map[string]string{}
	for rows.Next() {
		var name, made string
		if err := rows.Scan(&name, &made); err != nil {
			return nil, err
		}
		have[name] = strings.Join(strings.Fields(made), " ")
	}
	return have, rows.Err()
}
