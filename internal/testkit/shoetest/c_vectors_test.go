package shoetest

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/firmware-protocol/vectors"
)

// vectorFiles are all that both codecs read, for a program that reads files.
func vectorFiles(t *testing.T) []string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, vectors.Files); err != nil {
		t.Fatal(err)
	}
	frames, errFrames := filepath.Glob(filepath.Join(dir, "*.txt"))
	values, errValues := filepath.Glob(filepath.Join(dir, "derived", "*.txt"))
	if errFrames != nil || errValues != nil || len(frames) < 100 || len(values) < 4 {
		t.Fatalf("%d and %d vectors found; %v, %v", len(frames), len(values), errFrames, errValues)
	}
	return slices.Concat(frames, values)
}

// The C shoe passes the vectors that the Go codec passes.
func TestVectors(t *testing.T) {
	said, err := exec.Command(sanitized(t, "vectors"), vectorFiles(t)...).CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, said)
	}
}

// A changed vector is noticed, whatever differs.
func TestSpoiltVectorsAreNoticed(t *testing.T) {
	program := sanitized(t, "vectors")
	for _, c := range []struct{ what, file, from, to string }{
		{"the key", "sealed-card", "23 8d", "23 8c"},
		{"the counter", "sealed-acknowledge", "seen: 6", "seen: 7"},
		{"a field that is read", "acknowledge", "seq=", "seq=1"},
		{"a field that is written", "card-king-clubs", "rank=13", "rank=12"},
		{"the frame", "bad-crc", "frame: bad-crc", "frame: bad-cobs"},
		{"the fault", "wrong-field-lamp", "error wrong-field", "error wrong-length"},
		{"a message too many", "two-frames", "message: lamp light=2\n", ""},
		{"a frame too few", "unfinished", "encode", "frame: ok\nencode"},
		{"a hash", "derived/siphash", "hash: fd", "hash: fc"},
		{"a key of the session", "derived/session-any", "from-shoe: 2", "from-shoe: 3"},
	} {
		text, err := vectors.Files.ReadFile(c.file + ".txt")
		if err != nil || !strings.Contains(string(text), c.from) {
			t.Fatalf("%s has no %q; %v", c.file, c.from, err)
		}
		spoilt := filepath.Join(t.TempDir(), "spoilt.txt")
		if err := os.WriteFile(spoilt, []byte(strings.Replace(string(text), c.from, c.to, 1)), 0o600); err != nil {
			t.Fatal(err)
		}
		if said, err := exec.Command(program, spoilt).CombinedOutput(); err == nil {
			t.Errorf("%s: %s", c.what, said)
		}
	}
}
