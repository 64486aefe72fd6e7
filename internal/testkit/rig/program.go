package rig

import (
	"fmt"
	"os"
	"sync"
	"testing"
)

// Program is a command of the project, compiled once for all tests of a package
// that need it.
type Program struct {
	Name  string
	Flags []string

	once        sync.Once
	dir, binary string
	err         error
}

// Binary returns the program's path.
func (p *Program) Binary(t testing.TB) string {
	t.Helper()
	p.once.Do(func() {
		if p.dir, p.err = os.MkdirTemp("", p.Name+"-test-"); p.err == nil {
			p.binary, p.err = Build(p.dir, p.Name, p.Flags...)
		}
	})
	if p.err != nil {
		t.Fatal(p.err)
	}
	return p.binary
}

// Main is for a TestMain: it runs the tests, removes the program, and ends.
func (p *Program) Main(m *testing.M) {
	status := m.Run()
	if err := os.RemoveAll(p.dir); err != nil {
		fmt.Fprintln(os.Stderr, err)
		status = 1
	}
	os.Exit(status)
}
