package daemon

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
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
	text, err := os.ReadFile(f.path)
	if errors.Is(err, fs.ErrNotExist) {
		return kept, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &kept)
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
	draft := f.path + ".new"
	if err := writeThrough(draft, append(text, '\n')); err != nil {
		return err
	}
	if err := os.Rename(draft, f.path); err != nil {
		return err
	}
	folder, err := os.Open(filepath.Dir(f.path))
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}

func writeThrough(path string, text []byte) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(text)
	return errors.Join(err, file.Sync(), file.Close())
}
