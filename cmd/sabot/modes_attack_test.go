package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/attack"
)

// TestAttackUmask: with a umask that takes nothing away, what the tools write is still closed to other users: keys, and
// what names guests and their stakes.
func TestAttackUmask(t *testing.T) {
	dir, recorded := t.TempDir(), recorded(t, round)
	t.Chdir(dir)
	defer syscall.Umask(syscall.Umask(0))
	for _, c := range [][]string{
		{"key", "journal", "journal.key"},
		{"key", "command", "desk", "desk.key"},
		{"shoe", "key", "shoe.key"},
		{"key", "certificate", ".", "127.0.0.1"},
		{"journal", "export", "--to", "sqlite", recorded, "tables.db"},
		{"journal", "export", "--to", "csv", recorded, "csv"},
		{"journal", "export", "--to", "parquet", recorded, "parquet"},
		{"journal", "export", "--force", "--to", "csv", recorded, "csv"},
	} {
		if got := sabot(t, "", c...); got.Status != exitOK {
			t.Fatalf("%v ended with %+v", c, got)
		}
	}
	written, open := 0, 0
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		name := filepath.Base(path)
		if err != nil || path == dir || name == "page.crt" {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		if written++; info.Mode().Perm()&^0o700 != 0 {
			open++
			t.Errorf("%s has the mode %v", path, info.Mode())
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if written < 15 {
		t.Errorf("only %d files and folders were written", written)
	}
	attack.Report(t, "what the tools write, without a umask", written, open)
}

// TestAttackToolsThroughLinks: a tool that is to make a file makes none through a link that waits there.
func TestAttackToolsThroughLinks(t *testing.T) {
	recorded := recorded(t, round)
	tries, through := 0, 0
	for _, c := range [][]string{
		{"key", "journal", "x"},
		{"key", "command", "desk", "x"},
		{"shoe", "key", "x"},
		{"journal", "export", "--to", "sqlite", recorded, "x"},
		{"journal", "export", "--force", "--to", "sqlite", recorded, "x"},
		{"journal", "export", "--to", "csv", recorded, "x"},
	} {
		for _, victim := range []string{"file", "missing"} {
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, "file"), []byte("dear\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink(victim, filepath.Join(dir, "x")); err != nil {
				t.Fatal(err)
			}
			t.Chdir(dir)
			got := sabot(t, "", c...)
			text, err := os.ReadFile(filepath.Join(dir, "file"))
			if err != nil {
				t.Fatal(err)
			}
			_, missing := os.Lstat(filepath.Join(dir, "missing"))
			if tries++; got.Status == exitOK || string(text) != "dear\n" || missing == nil {
				through++
				t.Errorf("%v wrote through a link: %+v", c, got)
			}
		}
	}
	attack.Report(t, "tools that write where a link is", tries, through)
}
