package journal

import (
	"database/sql"
	"net/url"
	"path/filepath"
	"strings"

	_ "modernc.org/sqlite" // the driver "sqlite"
)

// busyTimeout bounds how long a write waits for a foreign program's transaction,
// in milliseconds. The journal's own connections never make one another wait.
const busyTimeout = "busy_timeout(5000)"

// Pragmas of the connections; see README.md for what each kind is good for.
var (
	writing = []string{
		busyTimeout, "synchronous(FULL)", "journal_size_limit(16777216)",
		"trusted_schema(OFF)", "cell_size_check(ON)",
	}
	moving  = []string{busyTimeout, "synchronous(NORMAL)", "trusted_schema(OFF)"}
	reading = []string{busyTimeout, "query_only(ON)", "trusted_schema(OFF)", "cell_size_check(ON)"}
)

// connect prepares a pool of at most n connections to the file at path. The
// mode is that of SQLite's URIs, "ro" or "rw"; neither creates a file.
func connect(path, mode string, n int, pragmas []string) (*sql.DB, error) {
	return open(path, url.Values{"mode": {mode}, "_pragma": pragmas}, n)
}

// open prepares a pool with the given parameters of the file's URI. It touches
// the file only when the first connection is needed.
func open(path string, params url.Values, n int) (*sql.DB, error) {
	name := filepath.ToSlash(path)
	if !strings.HasPrefix(name, "/") {
		name = "/" + name // a drive letter
	}
	uri := url.URL{Scheme: "file", Path: name, RawQuery: params.Encode()}
	db, err := sql.Open("sqlite", uri.String())
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(n)
	db.SetMaxIdleConns(n)
	return db, nil
}
