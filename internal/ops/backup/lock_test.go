//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package backup

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestRootsLock: after a backup by root whoever runs the table can make the next one.
func TestRootsLock(t *testing.T) {
	runs := uint32(65534) // nobody
	if me := os.Geteuid(); me != 0 {
		runs = uint32(me) // only root gives files away
	}
	path := filepath.Join(t.TempDir(), "journal.backup.lock")
	if err := os.Chown(filepath.Dir(path), int(runs), -1); err != nil {
		t.Fatal(err)
	}
	lock, err := Lock(path)
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Close()
	info, err := os.Stat(path)
	if err != nil || info.Sys().(*syscall.Stat_t).Uid != runs {
		t.Errorf("it belongs to %+v, %v", info, err)
	}
}
