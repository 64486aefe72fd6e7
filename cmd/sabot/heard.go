package main

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/sabot-table/sabot/table/journal"
)

// heardOf is the last head that the pit has acknowledged of a journal: the daemon keeps it
// in a file beside the folder. It is zero where there is no such file, as beside a copy.
func heardOf(folder string) (journal.Heard, error) {
	path := folder + ".heard"
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return journal.Heard{}, nil
	}
	if err != nil {
		return journal.Heard{}, fmt.Errorf("what the pit has acknowledged cannot be read: %w", err)
	}
	var line struct {
		ID     string `json:"id"`
		Record uint64 `json:"record"`
		Hash   string `json:"hash"`
		Event  uint64 `json:"event"`
	}
	err = json.Unmarshal(text, &line)
	hash, errHash := hex.DecodeString(line.Hash)
	if err == nil && errHash == nil && line.ID != "" && len(hash) == 32 {
		return journal.Heard{ID: line.ID, Record: line.Record, Hash: [32]byte(hash), Event: line.Event}, nil
	}
	return journal.Heard{}, fmt.Errorf("%s is not what the daemon writes, and was to say what the pit has acknowledged: "+
		"keep it, move it elsewhere, and check with --noted and the head that the pit has", path)
}
