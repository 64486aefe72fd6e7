package host

import (
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/internal/ops/config"
	"github.com/sabot-table/sabot/table/authority"
	"github.com/sabot-table/sabot/table/journal"
)

// TestFilesThatAreNotTheTables: a file beside the journal that the table cannot have written is put aside and told, the
// start goes on without it, and so does the next one.
func TestFilesThatAreNotTheTables(t *testing.T) {
	id := strings.Repeat("0a", 16)
	for name, text := range map[string]string{
		"empty": "", "garbage": "\x00\xff", "another kind": "[1]", "half": `{"id":"`,
		"no id":        `{"id":"../x","record":1,"hash":"` + id + id + `","event":1}`,
		"no hash":      `{"id":"` + id + `","record":1,"hash":"00","event":1}`,
		"near the end": `{"id":"` + id + `","record":4611686018427387000,"hash":"` + id + id + `","event":1}`,
		"the last of all": `{"id":"` + id + `","record":18446744073709551615,"hash":"` + id + id +
			`","event":18446744073709551615}`,
		"one more than it": `{"id":"` + id + `","record":18446744073709551616,"hash":"` + id + id + `","event":1}`,
	} {
		t.Run(name, func(t *testing.T) {
			d := &Daemon{
				log:    slog.New(slog.DiscardHandler),
				config: config.Config{Journal: config.Journal{Path: filepath.Join(t.TempDir(), "journal")}},
			}
			path := d.config.Journal.Path + ".heard"
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			for start := range 2 {
				if heard, err := d.loadHeard(); err != nil || heard.ID != "" {
					t.Fatalf("start %d: %+v, %v", start, heard, err)
				}
			}
			j, err := journal.Open(d.config.Journal.Path, journal.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer j.Close()
			d.kept.journal = j
			aside, err := filepath.Glob(path + ".unusable-*")
			if err != nil || len(aside) != 1 || len(d.doubtsOfFiles()) != 1 {
				t.Fatalf("put aside are %q, and told is %q: %v", aside, d.kept.unusable, err)
			}
			if kept, err := os.ReadFile(aside[0]); err != nil || string(kept) != text {
				t.Errorf("what was put aside is %q, %v", kept, err)
			}
		})
	}
}

// TestAnyFileIsPutAside: so is what has another kind, as a folder, in the place of any such file.
func TestAnyFileIsPutAside(t *testing.T) {
	d := &Daemon{log: slog.New(slog.DiscardHandler)}
	file := keptFile[authority.State]{path: filepath.Join(t.TempDir(), "journal.people")}
	if err := os.Mkdir(file.path, 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := file.restore(d); err != nil || len(d.kept.unusable) != 1 {
		t.Errorf("a folder in its place: %v, %q", err, d.kept.unusable)
	}
	if err := file.keep(authority.State{}); err != nil {
		t.Errorf("it cannot be kept anew: %v", err)
	}
}
