//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package backup

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"syscall"

	"github.com/sabot-table/sabot/internal/modes"
)

// Lock keeps a second backup of the same table from running beside this one: each would remove what the other has just
// written. The kernel ends it with the process. The file stays.
func Lock(path string) (io.Closer, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0o640)
	if err != nil {
		return nil, err
	}
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		err = fmt.Errorf("another backup of this table is under way (%s): wait for it", path)
	}
	if err == nil {
		err = modes.HandOver(filepath.Dir(path), f.Chown) // the backup's service could not open root's
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}
