package daemon

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/sabot-table/sabot/table/authority"
)

// peopleFile is the path of the file that keeps what must outlive a restart of who
// stands at the table. It is replaced as a whole each time, so that a power cut
// leaves the old one or the new one.
type peopleFile string

// load returns what was kept last; nothing if nothing ever was.
func (f peopleFile) load() (authority.State, error) {
	var kept authority.State
	text, err := os.ReadFile(string(f))
	if errors.Is(err, fs.ErrNotExist) {
		return kept, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &kept)
	}
	if err != nil {
		return kept, fmt.Errorf("the file %s, which keeps lock-outs and the dealer's name, cannot be read: %w; move it away and start again: lock-outs are then forgotten", f, err)
	}
	return kept, nil
}

// keep returns once the state is on the disk.
func (f peopleFile) keep(s authority.State) error {
	text, err := json.Marshal(s)
	if err != nil {
		return err
	}
	draft := string(f) + ".new"
	if err := writeThrough(draft, append(text, '\n')); err != nil {
		return err
	}
	if err := os.Rename(draft, string(f)); err != nil {
		return err
	}
	folder, err := os.Open(filepath.Dir(string(f)))
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
