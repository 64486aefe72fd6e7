package journal

import (
	"crypto/ed25519"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// script writes the README's check in Python to a file.
func script(t *testing.T) string {
	t.Helper()
	_, rest, found := strings.Cut(string(content("README.md")), "```python\n")
	text, _, ended := strings.Cut(rest, "```")
	if !found || !ended {
		t.Fatal("README.md has no check in Python")
	}
	path := filepath.Join(t.TempDir(), "check.py")
	must(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

// TestScript runs the README's check in Python, which shares nothing with this
// program: on a good journal, on one that was changed, and with another key.
func TestScript(t *testing.T) {
	path, check := newPath(t), script(t)
	j := openSealed(t, path)
	mustAppend(t, j, evening...)
	_, hash, err := j.Head()
	must(t, err)
	mustClose(t, j)

	key := PublicLine(testKey.Public().(ed25519.PublicKey))
	for _, c := range []struct {
		name   string
		args   []string
		tamper string
		good   bool
		want   string
	}{
		{"chain", []string{path}, "", true, fmt.Sprintf("7 records, 7 events, all in order; the last hash is %x\n", hash)},
		{"seal", []string{path, key}, "", true, "sealed by the auditor's key up to record 7 of 7\n"},
		{"other key", []string{path, key[:len(key)-2] + "00"}, "", false, "CalledProcessError"},
		{"seal spoilt", []string{path, key}, `UPDATE seal SET at = at + 1 WHERE seq = 7`, false, "CalledProcessError"},
		{"record changed", []string{path}, `UPDATE record SET at = 9 WHERE seq = 3`, false, "record 3 is broken"},
	} {
		if c.tamper != "" {
			tamper(t, path, `DROP TRIGGER IF EXISTS seal_no_update`, c.tamper)
		}
		out, err := exec.Command("python3", append([]string{check}, c.args...)...).CombinedOutput()
		if (err == nil) != c.good || !strings.Contains(string(out), c.want) {
			t.Errorf("%s: %v\n%s", c.name, err, out)
		}
	}
}
