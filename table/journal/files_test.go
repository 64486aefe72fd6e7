package journal

import (
	"bytes"
	"crypto/ed25519"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/disktest"
)

// testKey signs the seals of tests.
var testKey = ed25519.NewKeyFromSeed(bytes.Repeat([]byte{7}, ed25519.SeedSize))

func openSealed(t testing.TB, path string) *Journal {
	t.Helper()
	j, err := Open(path, Options{Program: "sabotd test", Key: testKey})
	must(t, err)
	return j
}

// content is the content of a file, nil if it does not exist.
func content(path string) []byte {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	return b
}

// openOn opens a journal on a simulated disk.
func openOn(t testing.TB, d *disktest.Disk, o Options) *Journal {
	t.Helper()
	if o.Now == nil {
		o.Now = d.Clock().Now
	}
	j, err := OpenOn(d, "sim", o)
	must(t, err)
	return j
}

// readOn opens a journal on a simulated disk to read it.
func readOn(t testing.TB, d *disktest.Disk) *Reader {
	t.Helper()
	r, err := NewReader("sim", d)
	must(t, err)
	return r
}

// inFile is what readers see of a part.
func inFile(t testing.TB, d *disktest.Disk, number uint64) []byte {
	t.Helper()
	text, err := d.Hands().Read(partName(number))
	must(t, err)
	return text
}

// folder is what the files of a folder hold, but for those whose name begins with but.
func folder(t testing.TB, path, but string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(path)
	must(t, err)
	all := map[string]string{}
	for _, e := range entries {
		if !e.IsDir() && (but == "" || !strings.HasPrefix(e.Name(), but)) {
			all[e.Name()] = string(content(filepath.Join(path, e.Name())))
		}
	}
	return all
}

// wantError expects an error of a kind, with a text.
func wantError(t testing.TB, err, kind error, text string) {
	t.Helper()
	if err == nil || kind != nil && !errors.Is(err, kind) || !strings.Contains(err.Error(), text) {
		t.Errorf("error is %v, want %v and %q", err, kind, text)
	}
}
