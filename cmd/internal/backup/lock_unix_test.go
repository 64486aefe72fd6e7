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
	if os.Geteuid() != 0 {
		t.Skip("only root gives files away")
	}
	const nobody = 65534
	path := filepath.Join(t.TempDir(), "journal.backup.lock")
	if err := os.Chown(filepath.Dir(path), nobody, nobody); err != nil {
		t.Fatal(err)
	}
	lock, err := Lock(path)
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Close()
	info, err := os.Stat(path)
	if err != nil || info.Sys().(*syscall.Stat_t).Uid != nobody {
		t.Errorf("it belongs to %+v, %v", info, err)
	}
}
