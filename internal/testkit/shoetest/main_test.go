package shoetest

import (
	"fmt"
	"os"
	"sync"
	"testing"
)

// programs is where the tests' programs are built.
var programs string

func TestMain(m *testing.M) {
	var err error
	if programs, err = os.MkdirTemp("", "c-shoe-"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	status := m.Run()
	if err := os.RemoveAll(programs); err != nil {
		fmt.Fprintln(os.Stderr, err)
		status = 1
	}
	os.Exit(status)
}

var building sync.Mutex

// sanitized returns a program with the compiler's sanitizers, built once.
func sanitized(t testing.TB, program string) string {
	t.Helper()
	building.Lock()
	defer building.Unlock()
	return BuildC(t, programs, program, Sanitized)
}
