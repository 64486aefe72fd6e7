//go:build unix

package backed

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestRootsMark: what root notes can be read by whoever runs the table.
func TestRootsMark(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root gives files away")
	}
	const nobody = 65534
	journal := filepath.Join(t.TempDir(), "journal")
	if err := os.Chown(filepath.Dir(journal), nobody, nobody); err != nil {
		t.Fatal(err)
	}
	if err := Made(journal, Good{At: today}); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(journal + End)
	if err != nil || info.Sys().(*syscall.Stat_t).Uid != nobody {
		t.Errorf("it belongs to %+v, %v", info, err)
	}
}
