//go:build unix

package doctor

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// TestNoRights: whoever may not read the configuration is told what was not seen, and nothing of it is said to be right. Root
// may read everything, which proves nothing: as root the test runs itself as the user nobody.
func TestNoRights(t *testing.T) {
	if os.Geteuid() == 0 {
		asNobody(t)
		return
	}
	b := newBench(t)
	b.examine()
	if err := os.Chmod(b.config, 0); err != nil {
		t.Fatal(err)
	}
	p := b.examine()
	var text strings.Builder
	if err := p.Write(&text); err != nil {
		t.Fatal(err)
	}
	for _, a := range []Area{configuration, daemon, record, devices, pit, page, diskArea, backupArea} {
		seen := !slices.ContainsFunc(p.Unseen, func(u Unseen) bool { return u.Area == a })
		if seen || slices.Contains(p.Right, a) {
			t.Errorf("%s is said to have been seen:\n%s", a, text.String())
		}
	}
	if len(found(p)) > 0 || !strings.Contains(text.String(), "permission denied: ask again as root, sudo sabot doctor") {
		t.Errorf("it says\n%s", text.String())
	}
}

// asNobody runs the test in a process without privileges, from a copy of the test's program where such a process can reach it.
func asNobody(t *testing.T) {
	t.Helper()
	const nobody = 65534
	dir, err := os.MkdirTemp("", "doctor-nobody-")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	program, err := os.ReadFile(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	binary := filepath.Join(dir, "doctor.test")
	if err := os.WriteFile(binary, program, 0o755); err != nil {
		t.Fatal(err)
	}
	for path, mode := range map[string]os.FileMode{dir: 0o777, binary: 0o755} {
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.CommandContext(t.Context(), binary, "-test.run", "^"+t.Name()+"$", "-test.v")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "TMPDIR="+dir, "HOME="+dir)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "--- PASS: "+t.Name()) {
		t.Fatalf("as nobody: %v\n%s", err, out)
	}
}
