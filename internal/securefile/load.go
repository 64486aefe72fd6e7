package securefile

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
)

// Load reads what a program has kept as JSON in a file of no more than most bytes; nothing if it kept nothing yet. As
// Read, it judges nothing.
func Load[T any](path string, most int64) (kept T, err error) {
	text, err := Read(path, most)
	if errors.Is(err, fs.ErrNotExist) {
		return kept, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &kept)
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", path, err)
	}
	return kept, err
}
