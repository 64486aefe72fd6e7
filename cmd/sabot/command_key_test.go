package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/internal/ops/config"
	pitcommand "github.com/sabot-table/sabot/pit/command"
	"github.com/sabot-table/sabot/table/profile"
)

// TestCommandKey makes a key once, and prints its line as often as asked. A table takes the line
// as it is.
func TestCommandKey(t *testing.T) {
	path := filepath.Join(t.TempDir(), "anna.key")
	made := sabot(t, "", "key", "command", "--person", "Anna #1", "anna", path)
	if made.Status != exitOK || made.Err != "" {
		t.Fatalf("making a key: %+v", made)
	}
	text := "site: a\ntable: b\nhouse: wiesbaden\nshoe: {port: /dev/x}\nsupervisors: {proof: none}\nmqtt: {broker: " +
		"tcp://pit:1883}\ncommands:\n  keys:\n" + made.Out
	c, err := config.Parse("sabot.yaml", []byte(text), profile.Built())
	if err != nil {
		t.Fatal(err)
	}
	keys, err := c.Commands.Known()
	if err != nil || len(keys) != 1 || keys[0].Name != "anna" || keys[0].Person != "Anna #1" || len(keys[0].May) != 3 {
		t.Fatalf("the line is read as %+v, %v", keys, err)
	}
	private, err := pitcommand.KeyFile.Read(path)
	if err != nil || !keys[0].Public.Equal(private.Public()) {
		t.Errorf("the line is not of this key: %v", err)
	}
	if told := sabot(t, "", "key", "command", "--public", "--person", "Anna #1", "anna", path); told != made {
		t.Errorf("printed again: %+v, first %+v", told, made)
	}
	wantFailure(t, sabot(t, "", "key", "command", "anna", path), exitFailed, path, "already exists and was not touched")
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	wantFailure(t, sabot(t, "", "key", "command", "--public", "anna", path), exitFailed, path,
		"other users have access to it", "chmod 600")
	if got := sabot(t, "", "key", "command", "desk", path+".desk"); strings.Contains(got.Out, "person") {
		t.Errorf("a pit's key has a person: %s", got.Out)
	}
}
