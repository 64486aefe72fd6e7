package journal

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"sync/atomic"

	sqlite3 "modernc.org/sqlite/lib"
)

// readers bounds the connections that read at once; more readers wait.
const readers = 4

// Reader reads a journal. It may be used by several goroutines at once, beside
// the process that writes. What it has read stays true: nothing is ever changed
// but the cursors.
type Reader struct {
	path   string
	id     string
	db     *sql.DB
	closed atomic.Bool
	// writes says that this process may write the journal.
	writes bool

	page       *sql.Stmt
	last       *sql.Stmt
	firstEvent *sql.Stmt
	cursor     *sql.Stmt
}

// columns of a record, in the order in which scan takes them.
const columns = `seq, boot, at, round, shoe_boot, shoe_seq, first_event, setup, shoe, checkpoint, rules, input, outputs, carry, hash`

// OpenReadOnly opens the journal at path to read it, also while another process
// writes it, and also from a disk that cannot be written. Close the Reader after
// use.
func OpenReadOnly(path string) (*Reader, error) {
	r, err := openReader(path)
	return r, fault("open to read", path, err)
}

func openReader(path string) (*Reader, error) {
	path, err := resolve(path)
	if err != nil {
		return nil, err
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.Size() == 0 {
		return nil, fmt.Errorf("%w: the file is empty", ErrDamaged)
	}
	db, err := connect(path, "ro", readers, reading)
	if err != nil {
		return nil, err
	}
	if err := db.Ping(); cannotShare(err) && !hasLog(path) {
		if err := db.Close(); err != nil {
			return nil, err
		}
		if db, err = open(path, url.Values{"mode": {"ro"}, "immutable": {"1"}, "_pragma": reading}, readers); err != nil {
			return nil, err
		}
	}
	r := &Reader{path: path, db: db}
	if err := r.prepare(); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return r, nil
}

// cannotShare says whether SQLite could not make the files through which the
// processes that use a journal talk to one another.
func cannotShare(err error) bool {
	c := code(err)
	return c == sqlite3.SQLITE_CANTOPEN || c == sqlite3.SQLITE_READONLY
}

// hasLog says whether records may stand in the write-ahead log.
func hasLog(path string) bool {
	info, err := os.Stat(path + "-wal")
	return !errors.Is(err, fs.ErrNotExist) && (err != nil || info.Size() > 0)
}

// resolve is the one absolute name of a file, whatever links lead to it, so that
// all names of a journal share one lock.
func resolve(path string) (string, error) {
	dir, err := filepath.Abs(filepath.Dir(path))
	if err != nil {
		return "", err
	}
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return "", err
	}
	full := filepath.Join(dir, filepath.Base(path))
	target, err := filepath.EvalSymlinks(full)
	if errors.Is(err, fs.ErrNotExist) {
		return full, nil
	}
	return target, err
}

func (r *Reader) prepare() error {
	version, err := schemaVersion(r.db)
	if err != nil {
		return err
	}
	if version < len(migrations) {
		return fmt.Errorf("its schema has version %d, this program reads %d: let this program's sabotd open it once", version, len(migrations))
	}
	for _, s := range []struct {
		stmt **sql.Stmt
		text string
	}{
		{&r.page, `SELECT ` + columns + ` FROM record WHERE seq >= ? ORDER BY seq LIMIT ?`},
		{&r.last, `SELECT coalesce(max(seq), 0) FROM record`},
		{&r.firstEvent, `SELECT first_event FROM record WHERE seq = ?`},
		{&r.cursor, `SELECT event FROM cursor WHERE name = ?`},
	} {
		if *s.stmt, err = r.db.Prepare(s.text); err != nil {
			return err
		}
	}
	return r.db.QueryRow(`SELECT value FROM meta WHERE key = 'id'`).Scan(&r.id)
}

// ID names the journal, and is different for each one ever created: 32
// hexadecimal digits. Boots and events are numbered within one ID.
func (r *Reader) ID() string { return r.id }

// Path is the journal's file, absolute and without links.
func (r *Reader) Path() string { return r.path }

// Close ends all reading. Iterations that are under way end with ErrClosed.
func (r *Reader) Close() error {
	if r.closed.Swap(true) {
		return nil
	}
	return fault("close", r.path, r.db.Close())
}

// fault is the error of an operation on this journal.
func (r *Reader) fault(op string, err error) error {
	if err != nil && r.closed.Load() {
		err = ErrClosed
	}
	return fault(op, r.path, err)
}

// Boot is one opening of the journal for writing.
type Boot struct {
	// Number counts the openings from 1.
	Number uint64
	// Program is the name and version of the program that opened it.
	Program string
	// FirstRecord is the number of the first record that it could write.
	FirstRecord uint64
}

// Boots lists the openings of the journal, in the order of their numbers.
func (r *Reader) Boots(ctx context.Context) ([]Boot, error) {
	boots, err := r.boots(ctx)
	return boots, r.fault("read the boots", err)
}

func (r *Reader) boots(ctx context.Context) (boots []Boot, err error) {
	rows, err := r.db.QueryContext(ctx, `SELECT number, program, first_record FROM boot ORDER BY number`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var b Boot
		var number, first int64
		if err := rows.Scan(&number, &b.Program, &first); err != nil {
			return nil, err
		}
		b.Number, b.FirstRecord = uint64(number), uint64(first)
		boots = append(boots, b)
	}
	return boots, rows.Err()
}
