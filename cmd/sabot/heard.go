package main

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"

	"github.com/sabot-table/sabot/internal/securefile"
	"github.com/sabot-table/sabot/pit/publish"
	"github.com/sabot-table/sabot/table/journal"
)

// heardOf returns the last head of a journal that the pit has acknowledged: the daemon
// keeps it in a file next to the folder. It is zero if there is no such file, as for a copy.
func heardOf(folder string) (journal.Heard, error) {
	path := folder + ".heard"
	text, err := securefile.Read(path, mostHeard)
	if errors.Is(err, fs.ErrNotExist) {
		return journal.Heard{}, nil
	}
	if err != nil {
		return journal.Heard{}, fmt.Errorf("what the pit has acknowledged cannot be read: %w", err)
	}
	var line publish.Heard
	err = json.Unmarshal(text, &line)
	hash, errHash := hex.DecodeString(line.Hash)
	if err == nil && errHash == nil && line.ID != "" && len(hash) == 32 {
		return journal.Heard{ID: line.ID, Record: line.Record, Hash: [32]byte(hash), Event: line.Event}, nil
	}
	return journal.Heard{},
		fmt.Errorf("%s, which should say what the pit has acknowledged, is not as the daemon writes it: "+
			"keep it, but move it elsewhere, and check with --noted and the head that the pit has", path)
}

// mostHeard is how many bytes the daemon's file has at most.
const mostHeard = 4 << 10
