package system

import (
	"os"
	"syscall"
	"testing"
)

// Install copies a program to a path, where any user may run it. Meanwhile nothing else is started: a child that
// another test starts would hold the file open for writing until it runs its own program, and Linux would call the copy
// busy.
func Install(t testing.TB, program, path string) {
	t.Helper()
	code, err := os.ReadFile(program)
	if err != nil {
		t.Fatal(err)
	}
	syscall.ForkLock.RLock()
	err = os.WriteFile(path, code, 0o755)
	syscall.ForkLock.RUnlock()
	if err != nil {
		t.Fatal(err)
	}
}
