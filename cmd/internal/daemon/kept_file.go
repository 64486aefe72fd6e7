package daemon

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/sabot-table/sabot/internal/modes"
)

// keptFile is a file that keeps what must survive a restart. It is replaced entirely each
// time, so that a power cut leaves either the old or the new one.
type keptFile[T any] struct {
	path string
	// unread says, after the file's name, what it keeps and that it cannot be read; without
	// says what happens if it is moved away.
	unread, without string
}

// load returns what was last kept, zero if nothing ever was.
func (f keptFile[T]) load() (kept T, err error) {
	file, err := modes.Open(f.path)
	if errors.Is(err, fs.ErrNotExist) {
		return kept, nil
	}
	if err == nil {
		text, unread := io.ReadAll(file)
		if err = errors.Join(unread, file.Close()); err == nil {
			err = json.Unmarshal(text, &kept)
		}
	}
	if err != nil {
		return kept, fmt.Errorf("the file %s%s: %w; move it away and start again: %s", f.path, f.unread, err, f.without)
	}
	return kept, nil
}

// keep returns once the file is on the disk.
func (f keptFile[T]) keep(what T) error {
	text, err := json.Marshal(what)
	if err != nil {
		return err
	}
	return modes.Replace(f.path, append(text, '\n'))
}
