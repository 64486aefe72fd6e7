package store

import (
	"log/slog"
	"path/filepath"
	"testing"

	"github.com/sabot-table/sabot/pit/topic"
)

// openNew opens a new store of SQLite.
func openNew(t *testing.T) *Store {
	t.Helper()
	s, err := Open(t.Context(), Options{
		Source: filepath.Join(fastDir(t), "pit.db"), Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func tableNamed(t *testing.T, name string) topic.Table {
	t.Helper()
	table, err := topic.NewTable("wiesbaden", name)
	if err != nil {
		t.Fatal(err)
	}
	return table
}
