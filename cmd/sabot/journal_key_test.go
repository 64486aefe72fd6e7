package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/table/journal"
)

// TestJournalKey makes a key once, and prints its public half as often as asked.
func TestJournalKey(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal.key")
	made := sabot(t, "", "key", "journal", path)
	key, err := journal.ParsePublicLine(made.Out)
	if made.Status != exitOK || made.Err != "" || err != nil {
		t.Fatalf("making a key: %+v, %v", made, err)
	}
	private, err := journal.ReadKeyFile(path)
	if err != nil || !key.Equal(private.Public()) {
		t.Errorf("the line is not of this key: %v", err)
	}
	if told := sabot(t, "", "key", "journal", "--public", path); told != made {
		t.Errorf("printed again: %+v, first %+v", told, made)
	}
	wantFailure(t, sabot(t, "", "key", "journal", path), exitFailed, path, "already exists and was not touched")
	if again, err := journal.ReadKeyFile(path); err != nil || !again.Equal(private) {
		t.Errorf("the key was changed: %v", err)
	}
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	got := sabot(t, "", "key", "journal", "--public", path)
	wantFailure(t, got, exitFailed, path, "other users have access to it", "chmod 600")
	text, err := os.ReadFile(path)
	if err != nil || strings.Contains(got.Err, strings.Split(string(text), "\n")[1]) {
		t.Errorf("the message reveals the key: %s", got.Err)
	}
}
