package journal

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"

	"github.com/sabot-table/sabot/internal/securefile"
)

// lock takes the lock file at path for this process. The kernel releases it when the file
// is closed or the process ends, however it ends. The file holds the owner's process id and
// is never removed: between removing and creating it, two processes could lock two files of
// the same name.
func lock(path string) (io.Closer, error) {
	f, err := securefile.OpenLock(path)
	if errors.Is(err, errors.ErrUnsupported) {
		return nil, fmt.Errorf("%w: this system has no flock, so a journal can only be read here", err)
	}
	if err != nil {
		return nil, err
	}
	held, err := lockFile(f)
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return held, nil
}

func lockFile(f *os.File) (*securefile.Locked, error) {
	held, err := securefile.TryLock(f)
	switch {
	case errors.Is(err, securefile.ErrLocked):
		return nil, fmt.Errorf("%w (%s)", ErrInUse, owner(f))
	case err != nil:
		return nil, err
	}
	if err := f.Truncate(0); err != nil {
		return nil, err
	}
	_, err = f.WriteAt([]byte(strconv.Itoa(os.Getpid())+"\n"), 0)
	return held, err
}

// mostPID is how many bytes of the lock file are looked at: anybody may have written to it.
const mostPID = 16

// owner describes the process that holds the lock. Its id is unknown between taking the
// lock and writing the id.
func owner(f *os.File) string {
	b := make([]byte, mostPID)
	n, err := f.ReadAt(b, 0)
	pid := string(bytes.TrimSpace(b[:n]))
	if _, wrong := strconv.ParseUint(pid, 10, 32); wrong != nil || err != nil && !errors.Is(err, io.EOF) {
		return "pid unknown"
	}
	return "pid " + pid
}
