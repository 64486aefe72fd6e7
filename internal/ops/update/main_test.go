package update

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// first are the machine and the card of which every test has a copy: to make them takes dpkg its time.
var first struct {
	folder  string
	machine *machine
	card    *card
}

func TestMain(m *testing.M) {
	status, err := prepared(m.Run)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		status = 1
	}
	os.Exit(status)
}

// prepared runs the tests with a small program to keep a copy of, and removes what they shared.
func prepared(run func() int) (status int, err error) {
	if first.folder, err = os.MkdirTemp("", "sabot-update-"); err != nil {
		return 0, err
	}
	program := filepath.Join(first.folder, "program")
	self = filepath.Join(first.folder, "self")
	if err = os.WriteFile(program, []byte("a program"), 0o700); err == nil {
		err = os.Symlink(program, self)
	}
	if err == nil {
		status = run()
	}
	if gone := os.RemoveAll(first.folder); err == nil {
		err = gone
	}
	return status, err
}
