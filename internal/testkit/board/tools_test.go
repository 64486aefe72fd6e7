package board

import (
	"errors"
	"strings"
	"testing"
)

// What is missing is reported with the command that installs it.
func TestTools(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	err := Tools()
	if !errors.Is(err, ErrNoTool) || !strings.Contains(err.Error(), "qemu-system-x86_64") ||
		!strings.Contains(err.Error(), ": apt-get install ") ||
		!strings.Contains(err.Error(), " qemu-system-x86") {
		t.Errorf("nothing is there: %v", err)
	}
	if _, err := run(t.Context(), "", "qemu-arm"); !errors.Is(err, ErrNoTool) ||
		!strings.Contains(err.Error(), "apt-get install qemu-user") {
		t.Errorf("a tool that is missing: %v", err)
	}
}

// A tool that fails is quoted.
func TestRunFails(t *testing.T) {
	_, err := run(t.Context(), "", "sh", "-c", "echo out; echo why >&2; exit 3")
	if err == nil || !strings.Contains(err.Error(), "exit status 3\nout\nwhy") {
		t.Errorf("a tool that fails: %v", err)
	}
}
