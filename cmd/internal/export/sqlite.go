package export

import (
	"database/sql"
	"errors"
	"net/url"
	"path/filepath"
	"reflect"
	"strings"

	_ "modernc.org/sqlite" // the driver "sqlite"
)

// singleFile is the name of a format's single file in its folder.
const singleFile = "tables"

// indexes support the most frequent queries: a round, and a record's events.
const indexes = `
CREATE INDEX record_round ON record (round);
CREATE INDEX event_round ON event (round);
CREATE INDEX event_record ON event (record);`

// sqliteFile is one database with all tables, written in one transaction.
type sqliteFile struct {
	db      *sql.DB
	tx      *sql.Tx
	inserts []*sql.Stmt
	values  []any
}

func beginSQLite(folder string) (format, error) {
	uri := url.URL{Scheme: "file", Path: filepath.ToSlash(filepath.Join(folder, singleFile)), RawQuery: url.Values{
		// The file is a draft until it is complete.
		"_pragma": {"journal_mode(OFF)", "synchronous(OFF)"},
	}.Encode()}
	db, err := sql.Open("sqlite", uri.String())
	if err != nil {
		return nil, err
	}
	f := &sqliteFile{db: db}
	if err := f.begin(); err != nil {
		return nil, errors.Join(err, f.close())
	}
	return f, nil
}

func (f *sqliteFile) begin() (err error) {
	if f.tx, err = f.db.Begin(); err != nil {
		return err
	}
	for i := range tables {
		t := &tables[i]
		if _, err := f.tx.Exec(schema(t)); err != nil {
			return err
		}
		places := strings.TrimSuffix(strings.Repeat("?, ", len(t.columns)), ", ")
		insert, err := f.tx.Prepare(`INSERT INTO ` + t.name + ` VALUES (` + places + `)`)
		if err != nil {
			return err
		}
		f.inserts = append(f.inserts, insert)
	}
	return nil
}

// schema makes a table.
func schema(t *table) string {
	var columns []string
	for i, c := range t.columns {
		text := c.name + " INTEGER"
		if c.kind == reflect.TypeFor[string]() || c.kind == reflect.TypeFor[instant]() {
			text = c.name + " TEXT"
		}
		switch {
		case i == 0:
			text += " PRIMARY KEY"
		case !c.optional:
			text += " NOT NULL"
		}
		columns = append(columns, text)
	}
	return `CREATE TABLE ` + t.name + " (\n    " + strings.Join(columns, ",\n    ") + "\n) STRICT"
}

func (f *sqliteFile) write(row any) error {
	f.values = values(row, f.values)
	_, err := f.inserts[tableOf(row)].Exec(f.values...)
	return err
}

func (f *sqliteFile) close() (err error) {
	for _, insert := range f.inserts {
		err = errors.Join(err, insert.Close())
	}
	if f.tx != nil {
		if err == nil {
			_, err = f.tx.Exec(indexes)
		}
		err = errors.Join(err, f.tx.Commit())
	}
	return errors.Join(err, f.db.Close())
}
