//go:build !onetable

package main

import (
	"crypto/ed25519"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/sabot-table/sabot/internal/ops/config"
	"github.com/sabot-table/sabot/internal/securefile"
	"github.com/sabot-table/sabot/pit"
	"github.com/sabot-table/sabot/pit/command"
)

// commandKey is the name of the key with which the floor's pit tells its tables something.
const commandKey = "desk"

// trust makes that key, unless the floor's folder has it, and has every table trust it with everything.
func (f *floor) trust() (pit.Commands, error) {
	path := filepath.Join(f.folder, commandKey+".key")
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		if _, err := command.KeyFile.New(path); err != nil {
			return pit.Commands{}, fmt.Errorf("the pit's key: %w", err)
		}
	}
	private, err := command.KeyFile.Read(path)
	if err != nil {
		return pit.Commands{}, fmt.Errorf("the pit's key: %w", err)
	}
	key := config.CommandKey{
		Name:   commandKey,
		Public: config.PublicKey(securefile.PublicKeyLine(private.Public().(ed25519.PublicKey))),
	}
	for what := range command.EveryWhat {
		if what != command.Outcome {
			key.May = append(key.May, config.CommandMay{What: what})
		}
	}
	f.commands.Keys = []config.CommandKey{key}
	return pit.Commands{Keys: []pit.CommandKey{{Name: commandKey, File: path}}}, nil
}
