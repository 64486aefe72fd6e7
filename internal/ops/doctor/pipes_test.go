//go:build unix

package doctor

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/sabot-table/sabot/internal/ops/health"
)

// TestPipes: whoever runs the table can put a pipe in the place of each of its files. Nothing waits for who writes to
// it, and what it is is said.
func TestPipes(t *testing.T) {
	for name, c := range map[string]struct {
		more string
		path func(*bench) string
	}{
		"the configuration":        {path: func(b *bench) string { return b.config }},
		"the page's certificate":   {"page.crt", func(b *bench) string { return b.beside("page.crt") }},
		"the broker's authorities": {"ca.crt", func(b *bench) string { return b.beside("ca.crt") }},
		"the journal":              {path: func(b *bench) string { return b.journal }},
		"a part of the journal": {path: func(b *bench) string {
			return filepath.Join(b.journal, "part-000004.jsonl")
		}},
		"the mark of backups": {path: func(b *bench) string { return b.journal + health.BackupEnd }},
	} {
		b := newBench(t)
		switch c.more {
		case "page.crt":
			b.examine()
			text, err := os.ReadFile(b.config)
			if err != nil {
				t.Fatal(err)
			}
			b.put(b.config, strings.Replace(string(text), "web: {", "web: {cert_file: "+b.beside("page.crt")+", ", 1))
		case "ca.crt":
			b.broker = `broker: "ssl://127.0.0.1:1", ca_file: ` + b.beside("ca.crt")
		}
		b.examine()
		path := c.path(b)
		if err := os.RemoveAll(path); err != nil {
			t.Fatal(err)
		}
		if err := syscall.Mkfifo(path, 0o600); err != nil {
			t.Fatal(err)
		}
		b.entries, b.backup = nil, nil
		p := b.examine()
		var text strings.Builder
		if err := p.Write(&text); err != nil || !strings.Contains(text.String(), path) &&
			!strings.Contains(text.String(), filepath.Base(path)) {
			t.Errorf("%s: it says, %v:\n%s", name, err, text.String())
		}
	}
}

// beside is a file beside the configuration.
func (b *bench) beside(name string) string { return filepath.Join(filepath.Dir(b.config), name) }
