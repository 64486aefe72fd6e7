//go:build unix

package journal

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestReadOnlyDisk reads a journal from a directory in which nothing can be created. Root may
// write everywhere, which proves nothing: as root the test runs itself as the user nobody.
func TestReadOnlyDisk(t *testing.T) {
	if os.Geteuid() == 0 {
		asNobody(t)
		return
	}
	path := newPath(t)
	j := mustOpen(t, path)
	fill(t, j, 10)
	mustClose(t, j)
	dir := filepath.Dir(path)
	must(t, os.Chmod(dir, 0o555))
	defer os.Chmod(dir, 0o755)

	r, err := OpenReadOnly(path)
	if err != nil {
		t.Fatal(err)
	}
	defer mustClose(t, r)
	if got := len(records(t, r, 1)); got != 10 {
		t.Errorf("%d records, want 10", got)
	}
	must(t, os.Chmod(dir, 0o755))
	must(t, os.Remove(path+".lock"))
	must(t, os.Chmod(dir, 0o555))
	_, err = Open(path, Options{})
	if !errors.Is(err, os.ErrPermission) || !strings.Contains(err.Error(), "check owner and mode") {
		t.Errorf("to write: %v", err)
	}
}

// asNobody runs the test in a process without privileges, from a copy of the test
// binary in a place that such a process can reach.
func asNobody(t *testing.T) {
	const nobody = 65534
	dir, err := os.MkdirTemp("", "journal-nobody-")
	must(t, err)
	defer os.RemoveAll(dir)
	must(t, os.Chmod(dir, 0o777))
	program, err := os.ReadFile(os.Args[0])
	must(t, err)
	binary := filepath.Join(dir, "journal.test")
	must(t, os.WriteFile(binary, program, 0o755))
	must(t, os.Chmod(binary, 0o755))

	cmd := exec.Command(binary, "-test.run", "^"+t.Name()+"$", "-test.v")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "TMPDIR="+dir, "HOME="+dir)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "--- PASS: "+t.Name()) {
		t.Fatalf("as nobody: %v\n%s", err, out)
	}
}
