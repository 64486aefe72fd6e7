package journal

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"syscall"
)

// What can be wrong with a journal; test with errors.Is.
var (
	// ErrInUse: another process holds the journal for writing.
	ErrInUse = errors.New("journal is in use by another process")
	// ErrDamaged: a part is not what was written, or parts are missing.
	ErrDamaged = errors.New("journal is damaged")
	// ErrForeign: what is there is not a journal.
	ErrForeign = errors.New("not a Sabot journal")
	// ErrSealed: the journal is sealed, and there is no key to continue it with.
	ErrSealed = errors.New("journal is sealed, and the key is missing")
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
	Hint string // empty if there is no advice
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
	// Gone says that records are missing from Seq on, or cannot be read.
	Gone bool
	// Forged says that its code, or that of a line behind it, is not the table's.
	Forged bool
}

func (e *BrokenError) Error() string { return fmt.Sprintf("record %d %s", e.Seq, e.What) }

// Is makes a broken record an ErrDamaged.
func (e *BrokenError) Is(target error) bool { return target == ErrDamaged }

// AwayError is a part that is needed but not in the folder.
type AwayError struct {
	Part uint64
	// First and Last are the records that it holds, 0 if unknown.
	First, Last uint64
	// To is where it was moved, according to the journal.
	To string
}

func (e *AwayError) Error() string {
	s := fmt.Sprintf("part %d", e.Part)
	switch {
	case e.First > 0:
		s += fmt.Sprintf(" with the records %d to %d", e.First, e.Last)
	case e.Last > 0:
		s += fmt.Sprintf(" with records up to %d", e.Last)
	}
	if e.To != "" {
		return s + " was moved to " + e.To + ": copy it back into the folder to read it"
	}
	return s + " is not in the folder: copy it back from the archive to read it"
}

func brokenf(seq uint64, format string, args ...any) error {
	return &BrokenError{Seq: seq, What: fmt.Sprintf(format, args...)}
}

// fault is the error of an operation, nil for nil. It adds to err which of this package's
// errors it is, and what to do about it.
func fault(op, path string, err error) error {
	if err == nil {
		return nil
	}
	if kind := kindOf(err); kind != nil && !errors.Is(err, kind) {
		err = fmt.Errorf("%w: %w", kind, err)
	}
	return &Error{Op: op, Path: path, Err: err, Hint: hint(err)}
}

// faultOf makes the error with which a function returns that of an operation.
func faultOf(op, path string, err *error) { *err = fault(op, path, *err) }

// kindOf finds the package's error for an error of the system, or nil.
func kindOf(err error) error {
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		return ErrFull
	}
	return nil
}

func hint(err error) string {
	for _, h := range hints {
		if slices.ContainsFunc(h.of, func(kind error) bool { return errors.Is(err, kind) }) {
			return h.text
		}
	}
	return ""
}

// hints say what to do next, the first that fits.
var hints = []struct {
	of   []error
	text string
}{
	{[]error{ErrInUse}, "stop that process, or give this one a journal of its own"},
	{[]error{ErrSealed}, "set journal.key_file to the table's key; nothing was changed"},
	{[]error{ErrForeign}, "check the path in the configuration; nothing was changed"},
	{[]error{ErrNewer}, "install the newer program again; nothing was changed"},
	{[]error{ErrShort}, "make space, or give the journal an archive: the table stands still when nothing is left"},
	{[]error{ErrFull}, "make space on the file system; nothing was lost, and the operation may be repeated"},
	{[]error{ErrDamaged}, "keep the folder unchanged for the auditor: `sabot journal audit` says what is wrong"},
	{
		[]error{syscall.EROFS},
		"the file system is read-only: look at the kernel's log (a failing card turns read-only), mount it writable",
	},
	{[]error{fs.ErrPermission}, "check owner and mode of the folder and of its files"},
	{
		[]error{syscall.EIO, errNotRead},
		"the disk does not read or write: look at the kernel's log, and replace the disk or card if it fails",
	},
	{[]error{syscall.EFBIG}, "a limit on the size of files was reached: raise it"},
	{[]error{syscall.EMFILE, syscall.ENFILE}, "too many files are open: raise the limit"},
	{[]error{fs.ErrNotExist}, "check the path"},
}
