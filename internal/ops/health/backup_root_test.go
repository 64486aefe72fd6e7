//go:build unix

package health

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestRootsMark: what root notes can be read by whoever runs the table.
func TestRootsMark(t *testing.T) {
	owner := os.Geteuid()
	if owner == 0 { // who alone can make folders of others
		const nobody = 65534
		owner = nobody
	}
	journal := filepath.Join(t.TempDir(), "journal")
	if err := os.Chown(filepath.Dir(journal), owner, -1); err != nil {
		t.Fatal(err)
	}
	if err := BackupMade(journal, GoodBackup{At: backupDay}); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(journal + BackupEnd)
	if err != nil || info.Sys().(*syscall.Stat_t).Uid != uint32(owner) {
		t.Errorf("it belongs to %+v, %v", info, err)
	}
}
