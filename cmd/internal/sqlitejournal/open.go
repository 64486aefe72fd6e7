package sqlitejournal

import (
	"context"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

const (
	// applicationID marks the file as a journal in SQLite's header: "Sabo".
	applicationID = 0x5361626f
	// schemaVersion is the only version that ever existed.
	schemaVersion = 1
)

// Open opens the journal at path for reading. It refuses a file that is not a journal of the
// first format, and one that a table still writes.
//
// It changes nothing in the journal. If the newest records are in a write-ahead log, path
// and "-wal", SQLite must create the file path and "-shm" next to them to read it.
func Open(ctx context.Context, path string) (*Journal, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	j := &Journal{path: path}
	logged, err := look(path)
	if err != nil {
		return nil, j.fault(err)
	}
	if j.held, err = holdOff(path + ".lock"); err != nil {
		return nil, j.fault(err)
	}
	if err := j.connect(ctx, logged); err != nil {
		return nil, j.fault(errors.Join(err, j.held.release()))
	}
	return j, nil
}

// look checks the file, and reports whether it has a write-ahead log.
func look(path string) (logged bool, err error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return false, fmt.Errorf("%w; check the path", err)
	case info.IsDir():
		return false, errors.New("it is a folder, and a journal of the first format is one file: a folder is a journal that needs no import")
	case info.Size() == 0:
		return false, errors.New("the file is empty: it has lost its content, or it never was a journal")
	}
	log, err := os.Stat(path + "-wal")
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil && log.Size() > 0, err
}

func (j *Journal) connect(ctx context.Context, logged bool) (err error) {
	uri := url.URL{Scheme: "file", Path: filepath.ToSlash(j.path)}
	params := url.Values{"mode": {"ro"}, "_pragma": {"query_only(ON)", "trusted_schema(OFF)", "cell_size_check(ON)"}}
	if !logged {
		params.Set("immutable", "1") // otherwise SQLite would create files next to it
	}
	uri.RawQuery = params.Encode()
	if j.db, err = sql.Open("sqlite", uri.String()); err != nil {
		return err
	}
	if j.conn, err = bounded(ctx, j.db); err != nil {
		return errors.Join(unread("it", err), j.db.Close())
	}
	if j.tx, err = j.conn.BeginTx(context.WithoutCancel(ctx), nil); err != nil {
		return errors.Join(unread("it", err), j.conn.Close(), j.db.Close())
	}
	if err := j.identify(ctx); err != nil {
		return errors.Join(err, j.tx.Rollback(), j.conn.Close(), j.db.Close())
	}
	return nil
}

// identify makes sure that the file is a journal.
func (j *Journal) identify(ctx context.Context) error {
	var application, version int
	err := j.tx.QueryRowContext(ctx, `SELECT application_id, user_version FROM pragma_application_id, pragma_user_version`).
		Scan(&application, &version)
	switch {
	case err != nil:
		return unread("it", err)
	case application != applicationID:
		return fmt.Errorf("it is a SQLite file of another program (application id %#x); check the path", application)
	case version != schemaVersion:
		return fmt.Errorf("its schema has version %d, but only version %d was ever in use; use the sabot that came with the program that wrote it",
			version, schemaVersion)
	}
	if err := j.tx.QueryRowContext(ctx, `SELECT value FROM meta WHERE key = 'id'`).Scan(&j.id); err != nil {
		return unread("its id", err)
	}
	if id, err := hex.DecodeString(j.id); err != nil || len(id) != 16 {
		return fmt.Errorf("its id is %.40q, and not 32 hexadecimal digits: somebody has changed the file; %s", j.id, another)
	}
	return nil
}

// lock keeps a table from writing in the meantime.
type lock struct{ file *os.File }

// holdOff takes the lock of a journal that no table writes. Without the lock file none does.
func holdOff(path string) (*lock, error) {
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return &lock{}, nil
	}
	if err != nil {
		return nil, err
	}
	err = unix.Flock(int(file.Fd()), unix.LOCK_SH|unix.LOCK_NB)
	if errors.Is(err, unix.EWOULDBLOCK) {
		err = errors.New("a table writes it: stop sabotd first")
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return &lock{file}, nil
}

func (l *lock) release() error {
	if l.file == nil {
		return nil
	}
	return l.file.Close()
}
