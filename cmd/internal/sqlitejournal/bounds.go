package sqlitejournal

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"unicode"
	"unicode/utf8"

	"modernc.org/sqlite" // the driver "sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

const (
	// mostRow limits a row of the file, in bytes: SQLite refuses a longer one by its length, before
	// it is read. No record was ever longer than 1 MiB.
	mostRow = 8 << 20
	// mostName limits the name of a program or of a publisher, in bytes.
	mostName = 256
)

// another is what to do with a file that somebody has changed.
const another = "keep it for the auditor, and take over a copy from before that"

// bounded is a connection that reads no row longer than mostRow.
func bounded(ctx context.Context, db *sql.DB) (*sql.Conn, error) {
	conn, err := db.Conn(ctx)
	if err != nil {
		return nil, err
	}
	if _, err := sqlite.Limit(conn, sqlite3.SQLITE_LIMIT_LENGTH, mostRow); err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return conn, nil
}

// unread says what cannot be read, and why.
func unread(what string, err error) error {
	if long, ok := errors.AsType[*sqlite.Error](err); ok && long.Code() == sqlite3.SQLITE_TOOBIG {
		return fmt.Errorf("%s cannot be read: one has more than %d bytes, which no table has written: somebody has changed the file; %s", what, mostRow, another)
	}
	return fmt.Errorf("%s cannot be read: %w", what, err)
}

// named refuses a name that no program or publisher had. No hash of the file covers these names,
// so that anybody may have written them.
func named(name, of string) error {
	if len(name) > mostName {
		return fmt.Errorf("%s has a name of %d bytes: somebody has changed the file; %s", of, len(name), another)
	}
	if !utf8.ValidString(name) {
		return fmt.Errorf("%s has a name that is no text, %q: somebody has changed the file; %s", of, name, another)
	}
	for _, r := range name {
		if !unicode.IsPrint(r) {
			return fmt.Errorf("%s has a name with characters that steer a terminal, %q: somebody has changed the file; %s", of, name, another)
		}
	}
	return nil
}
