package host

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"syscall"

	"github.com/sabot-table/sabot/internal/securefile"
	"github.com/sabot-table/sabot/table/runner"
	"github.com/sabot-table/sabot/table/vocab"
)

// keptFile is a file that keeps what must survive a restart. It is replaced entirely each
// time, so that a power cut leaves either the old or the new one.
type keptFile[T any] struct {
	path string
	// unread says, after the file's name, what it keeps and that it cannot be read; without
	// says what happens if it is moved away.
	unread, without string
}

// mostKept is more than such a file has, in bytes.
const mostKept = 16 << 20

// load returns what was last kept, zero if nothing ever was.
func (f keptFile[T]) load() (kept T, err error) {
	if kept, err = securefile.Load[T](f.path, mostKept); err != nil {
		return kept, fmt.Errorf("the file %s%s: %w; move it away and start again: %s", f.path, f.unread, err, f.without)
	}
	return kept, nil
}

// restore is load for a start. A file that is not what the table wrote is put aside, where it stays, and the people at
// the table are told: the table goes on without it. Only a disk that does not read, or a file that is another user's,
// is an error.
func (f keptFile[T]) restore(d *Daemon) (kept T, err error) {
	kept, err = f.load()
	if err == nil || errors.Is(err, syscall.EIO) || errors.Is(err, fs.ErrPermission) {
		return kept, err
	}
	var none T
	return none, f.putAside(d, err)
}

// putAside gives the file another name, and notes why.
func (f keptFile[T]) putAside(d *Daemon, why error) error {
	aside, err := securefile.PutAside(f.path)
	if err != nil {
		return errors.Join(why, err)
	}
	d.log.Error("A FILE OF THE TABLE IS NOT WHAT IT WROTE: it was put aside, and the table goes on without it", "err",
		why, "file", aside, "then", f.without)
	d.kept.unusable = append(d.kept.unusable, filepath.Base(f.path)+" was not what the table wrote: "+f.without)
	return nil
}

// doubtsOfFiles are doubts about the files that were put aside.
func (d *Daemon) doubtsOfFiles() (doubts []vocab.Input) {
	for _, found := range d.kept.unusable {
		d.kept.journal.Tells(found)
		doubts = append(doubts, runner.Doubt(vocab.StorageTouched, found))
	}
	return doubts
}

// keep returns once the file is on the disk.
func (f keptFile[T]) keep(what T) error {
	text, err := json.Marshal(what)
	if err != nil {
		return err
	}
	return securefile.Replace(f.path, append(text, '\n'))
}
