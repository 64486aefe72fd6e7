package journal

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// What can be wrong with a journal; test with errors.Is.
var (
	// ErrInUse: another process holds the journal for writing.
	ErrInUse = errors.New("journal is in use by another process")
	// ErrDamaged: the file is not what was written.
	ErrDamaged = errors.New("journal is damaged")
	// ErrForeign: the file is a SQLite database, but no journal.
	ErrForeign = errors.New("file is no Sabot journal")
	// ErrNewer: a newer program has written the file.
	ErrNewer = errors.New("journal was written by a newer program")
	// ErrFull: there is no space left for the journal.
	ErrFull = errors.New("no space left for the journal")
	// ErrClosed: the journal has been closed by this program.
	ErrClosed = errors.New("journal is closed")
)

// Error says which operation failed on which file, why, and what to do next.
type Error struct {
	Op   string // such as "open" or "append"
	Path string
	Err  error
	Hint string // empty where there is nothing to advise
}

func (e *Error) Error() string {
	s := fmt.Sprintf("journal %s: %s: %v", e.Path, e.Op, e.Err)
	if e.Hint != "" {
		s += "; " + e.Hint
	}
	return s
}

func (e *Error) Unwrap() error { return e.Err }

// BrokenError names the first record at which a journal is not what was written.
// It is an ErrDamaged.
type BrokenError struct {
	Seq  uint64
	What string
}

func (e *BrokenError) Error() string { return fmt.Sprintf("record %d %s", e.Seq, e.What) }

// Is says that a broken record is damage.
func (e *BrokenError) Is(target error) bool { return target == ErrDamaged }

func brokenf(seq uint64, format string, args ...any) error {
	return &BrokenError{Seq: seq, What: fmt.Sprintf(format, args...)}
}

// fault is the error of an operation, nil for nil. It adds to err which of this
// package's errors it amounts to, and what to do about it.
func fault(op, path string, err error) error {
	if err == nil {
		return nil
	}
	if kind := kindOf(err); kind != nil && !errors.Is(err, kind) {
		err = fmt.Errorf("%w: %w", kind, err)
	}
	return &Error{Op: op, Path: path, Err: err, Hint: hint(err)}
}

// kindOf finds the package's error behind what SQLite says, or nil.
func kindOf(err error) error {
	switch code(err) {
	case sqlite3.SQLITE_FULL:
		return ErrFull
	case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB:
		return ErrDamaged
	}
	if errors.Is(err, syscall.ENOSPC) {
		return ErrFull
	}
	return nil
}

// code is SQLite's primary result code of err, or SQLITE_OK.
func code(err error) int {
	if e, ok := errors.AsType[*sqlite.Error](err); ok {
		return e.Code() & 0xff
	}
	return sqlite3.SQLITE_OK
}

func hint(err error) string {
	switch {
	case errors.Is(err, ErrInUse):
		return "stop that process, or give this one a journal of its own"
	case errors.Is(err, ErrDamaged):
		return "sabotd does not start on it: keep the file, and the one with -wal behind its name if there is one, " +
			"unchanged for the auditor; move both away to begin a new journal"
	case errors.Is(err, ErrForeign):
		return "check the path in the configuration; the file was not changed"
	case errors.Is(err, ErrNewer):
		return "install the newer program again; the file was not changed"
	case errors.Is(err, ErrFull):
		return "make space on the file system; nothing was written, and the same may be tried again"
	case errors.Is(err, syscall.EROFS) || code(err) == sqlite3.SQLITE_READONLY:
		return "the file or its file system is read-only: look into the kernel's log (a failing card turns read-only), " +
			"check owner and mode, mount it writable"
	case errors.Is(err, fs.ErrPermission) || code(err) == sqlite3.SQLITE_PERM || code(err) == sqlite3.SQLITE_CANTOPEN:
		return "check owner and mode of the file and of its directory"
	case errors.Is(err, fs.ErrNotExist):
		return "check the path"
	case code(err) == sqlite3.SQLITE_BUSY:
		return "another program holds a transaction on the file: end it"
	case code(err) == sqlite3.SQLITE_IOERR:
		return "the disk does not read or write: look into the kernel's log, and replace the disk or card if it fails"
	}
	return ""
}
