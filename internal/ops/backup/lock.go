package backup

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/sabot-table/sabot/internal/securefile"
)

// Lock keeps a second backup of the same table from running beside this one: each would remove what the other has just
// written. The kernel ends it with the process. The file stays.
func Lock(path string) (io.Closer, error) {
	f, err := securefile.OpenLock(path)
	if errors.Is(err, errors.ErrUnsupported) {
		return nil, fmt.Errorf("%w: a backup is made on the table itself, and this system has no flock", err)
	}
	if err != nil {
		return nil, err
	}
	held, err := securefile.TryLock(f)
	switch {
	case errors.Is(err, securefile.ErrLocked):
		err = fmt.Errorf("another backup of this table is under way (%s): wait for it", path)
	case err == nil:
		err = securefile.HandOver(filepath.Dir(path), f.Chown) // the backup's service could not open root's
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return held, nil
}
