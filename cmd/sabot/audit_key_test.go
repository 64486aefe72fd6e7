package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/sabot-table/sabot/table/journal"
)

// TestAuditKey: the key is handed out once, is nowhere at the table then, and checks the code of every line.
func TestAuditKey(t *testing.T) {
	path, public := sealedEvening(t, 2)
	got := sabot(t, "", "key", "audit", path)
	if got.Status != exitOK || got.Err != "" || !strings.HasPrefix(got.Out, "audit-key:") ||
		strings.Count(got.Out, "\n") != 1 {
		t.Fatalf("%+v", got)
	}
	if _, err := os.Stat(path + journal.AuditKeyEnd); !os.IsNotExist(err) {
		t.Errorf("the key is at the table still: %v", err)
	}
	file := filepath.Join(t.TempDir(), "audit-key")
	if err := os.WriteFile(file, []byte(got.Out), 0o600); err != nil {
		t.Fatal(err)
	}
	audit := sabot(t, "", "journal", "audit", "--key", public, "--audit-key", file, path)
	if audit.Status != exitOK || !strings.Contains(audit.Out, "; the code of every line is the table's\n") {
		t.Errorf("%+v", audit)
	}
	again := sabot(t, "", "key", "audit", path)
	if again.Status != exitFailed || again.Out != "" ||
		!strings.Contains(again.Err, "it was taken to the house before") {
		t.Errorf("a second time: %+v", again)
	}
	if wrong := sabot(t, "", "journal", "audit", "--audit-key", public, path); wrong.Status != exitFailed ||
		!strings.Contains(wrong.Err, "sabot key audit") {
		t.Errorf("with the public line in its place: %+v", wrong)
	}
}

// TestAuditKeyIsNoFile: a pipe in the place of the key is told, and nobody waits for somebody to write to it.
func TestAuditKeyIsNoFile(t *testing.T) {
	path, _ := sealedEvening(t, 2)
	key := path + journal.AuditKeyEnd
	if err := errors.Join(os.Remove(key), syscall.Mkfifo(key, 0o600)); err != nil {
		t.Fatal(err)
	}
	got := sabot(t, "", "key", "audit", path)
	if got.Status != exitFailed || got.Out != "" || !strings.Contains(got.Err, key+" is no file") {
		t.Errorf("%+v", got)
	}
}
