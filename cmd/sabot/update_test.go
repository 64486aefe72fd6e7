package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/internal/ops/update"
)

// TestUpdateWithoutConfiguration: root's part answers each request, also at a table that has no configuration yet.
func TestUpdateWithoutConfiguration(t *testing.T) {
	folder, requests := t.TempDir(), t.TempDir()
	request := filepath.Join(requests, update.RequestFile)
	if err := os.WriteFile(request, []byte(`{"id":"1","who":"anna"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	none := filepath.Join(folder, "none")
	got := sabot(t, "", "update", "--run", "--config", none, "--keys", none, "--folder", folder, "--requests", requests)
	if got.Status != exitFailed || !strings.Contains(got.Err, "no key of releases is known") {
		t.Errorf("it ends with %d: %s", got.Status, got.Err)
	}
	if st, err := update.Look(folder); err != nil || st.Step != update.Done || st.Request != "1" {
		t.Errorf("the state is %+v, %v", st, err)
	}
	if _, err := os.Lstat(request); err == nil {
		t.Error("the request is left")
	}
	wantFailure(t, sabot(t, "", "update", "--status", "--folder", folder), exitFailed, "no key of releases is known")
}
