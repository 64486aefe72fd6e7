package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/internal/ops/config"
)

// TestShoeKey: each key is different, the daemon can read it, and none is shown or
// overwritten.
func TestShoeKey(t *testing.T) {
	keys := map[string]bool{}
	for _, name := range []string{"one", "two"} {
		path := filepath.Join(t.TempDir(), name)
		got := sabot(t, "", "shoe", "key", path)
		text, err := os.ReadFile(path)
		if got.Status != exitOK || got.Err != "" || err != nil {
			t.Fatalf("ended with %+v; %v", got, err)
		}
		if strings.Contains(got.Out, string(text[:8])) {
			t.Errorf("the key is shown: %s", got.Out)
		}
		if key, err := (config.Shoe{KeyFile: path}).Key(); key == nil || err != nil {
			t.Errorf("the daemon reads %v, %v", key, err)
		}
		keys[string(text)] = true

		wantFailure(t, sabot(t, "", "shoe", "key", path), exitFailed, "already exists")
		if again, err := os.ReadFile(path); err != nil || string(again) != string(text) {
			t.Errorf("the key became another one: %v", err)
		}
	}
	if len(keys) != 2 {
		t.Error("two keys are the same")
	}
	wantFailure(t, sabot(t, "", "shoe", "key", filepath.Join(t.TempDir(), "absent", "key")), exitFailed,
		"writing the key file")
}
