package shoetest

import (
	"io/fs"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/system"
)

// Sanitized makes the compiler check memory and undefined behaviour; what it finds ends the program.
const Sanitized = "SANITIZE=-fsanitize=address,undefined -fno-sanitize-recover=all"

// BuildC makes a program of the C shoe's Makefile in a folder, and returns its path.
func BuildC(t testing.TB, folder, program string, settings ...string) string {
	t.Helper()
	NeedProgram(t, "gcc", "gcc")
	binary := filepath.Join(folder, program)
	MakeC(t, append(settings, "OUT="+folder, binary)...)
	return binary
}

// MakeC runs the C shoe's Makefile, and returns its output.
func MakeC(t testing.TB, args ...string) string {
	t.Helper()
	NeedProgram(t, "make", "make")
	folder := CFolder(t)
	lookAt(t, folder)
	said, err := exec.Command("make", append([]string{"--no-print-directory", "-C", folder},
		args...)...).CombinedOutput()
	if err != nil {
		t.Fatalf("make %q in firmware-protocol/c: %v\n%s", args, err, said)
	}
	return string(said)
}

// lookAt opens each of the sources, for the reason that system.File gives.
func lookAt(t testing.TB, folder string) {
	t.Helper()
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			system.File(t, path)
		}
		return err
	})
	if err != nil {
		t.Fatalf("reading the C shoe's sources: %v", err)
	}
}

// NeedProgram fails the test if a program from a Debian package is missing.
func NeedProgram(t testing.TB, program, from string) {
	t.Helper()
	if _, err := exec.LookPath(program); err != nil {
		t.Fatalf("%s is missing: install the Debian package %s, or run .ci/needs", program, from)
	}
}

// CFolder is where the C shoe's sources are.
func CFolder(t testing.TB) string {
	t.Helper()
	here, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}").Output()
	if err != nil {
		t.Fatalf("finding the C shoe: %v", err)
	}
	return filepath.Join(strings.TrimSpace(string(here)), "firmware-protocol", "c")
}
