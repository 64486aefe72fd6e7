//go:build unix

package system

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
)

// NobodyID is the user and the group nobody.
const NobodyID = 65534

// AsNobody runs the test in a process of nobody, from a copy of the test's program where such a process can reach it,
// with further flags.
func AsNobody(t *testing.T, flags ...string) {
	t.Helper()
	dir, err := os.MkdirTemp("", "nobody-")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	binary := filepath.Join(dir, "nobody.test")
	Install(t, os.Args[0], binary)
	for path, mode := range map[string]os.FileMode{dir: 0o777 | os.ModeSticky, binary: 0o755} {
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.CommandContext(t.Context(), binary, append([]string{"-test.run", "^" + t.Name() + "$", "-test.v"},
		flags...)...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "TMPDIR="+dir, "HOME="+dir)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: NobodyID, Gid: NobodyID}}
	if out, err := cmd.CombinedOutput(); err != nil || !bytes.Contains(out, []byte("--- PASS: "+t.Name())) {
		t.Fatalf("as nobody: %v\n%s", err, out)
	}
}
