//go:build race

package main

import (
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/processes"
)

// plain is the program as it is shipped: with the race detector it needs more memory than it may have here.
func plain(t *testing.T) string {
	t.Helper()
	path, err := processes.Build(t.TempDir(), "sabot")
	if err != nil {
		t.Fatal(err)
	}
	return path
}
