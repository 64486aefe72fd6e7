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

// sqliteFile is one database with all tables, written in one transaction.
type sqliteFile struct {
	db      *sql.DB
	tx      *sql.Tx
	tables  []Table
	indexes string
	inserts []*sql.Stmt
	values  []any
}

func beginSQLite(folder string, o *Files) (format, error) {
	path := filepath.Join(folder, singleFile)
	file, err := create(path)
	if err == nil {
		err = file.Close()
	}
	if err != nil {
		return nil, err
	}
	uri := url.URL{Scheme: "file", Path: slashed(path), RawQuery: url.Values{
		// The file is a draft until it is complete.
		"_pragma": {"journal_mode(OFF)", "synchronous(OFF)"},
	}.Encode()}
	db, err := sql.Open("sqlite", uri.String())
	if err != nil {
		return nil, err
	}
	f := &sqliteFile{db: db, tables: o.Tables, indexes: o.Indexes}
	if err := f.begin(); err != nil {
		return nil, errors.Join(err, f.close())
	}
	return f, nil
}

// slashed is an absolute path as that of a URI. One that begins with a drive, such as C:, has a slash before it.
func slashed(path string) string {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		return "/" + path
	}
	return path
}

func (f *sqliteFile) begin() (err error) {
	if f.tx, err = f.db.Begin(); err != nil {
		return err
	}
	for i := range f.tables {
		t := &f.tables[i]
		if _, err := f.tx.Exec(schema(t)); err != nil {
			return err
		}
		places := strings.TrimSuffix(strings.Repeat("?, ", len(t.Columns)), ", ")
		insert, err := f.tx.Prepare(`INSERT INTO ` + t.Name + ` VALUES (` + places + `)`)
		if err != nil {
			return err
		}
		f.inserts = append(f.inserts, insert)
	}
	return nil
}

// schema makes a table.
func schema(t *Table) string {
	var columns []string
	for i, c := range t.Columns {
		text := c.Name + " INTEGER"
		if c.Kind == reflect.TypeFor[string]() || c.Kind == reflect.TypeFor[Instant]() {
			text = c.Name + " TEXT"
		}
		switch {
		case i == 0:
			text += " PRIMARY KEY"
		case !c.Optional:
			text += " NOT NULL"
		}
		columns = append(columns, text)
	}
	return `CREATE TABLE ` + t.Name + " (\n    " + strings.Join(columns, ",\n    ") + "\n) STRICT"
}

func (f *sqliteFile) write(table int, row any) error {
	f.values = f.tables[table].Values(row, f.values)
	_, err := f.inserts[table].Exec(f.values...)
	return err
}

func (f *sqliteFile) close() (err error) {
	for _, insert := range f.inserts {
		err = errors.Join(err, insert.Close())
	}
	if f.tx != nil {
		if err == nil && f.indexes != "" {
			_, err = f.tx.Exec(f.indexes)
		}
		err = errors.Join(err, f.tx.Commit())
	}
	return errors.Join(err, f.db.Close())
}
