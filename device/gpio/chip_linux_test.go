package gpio

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// The kernel itself says that a file is not a chip.
func TestReadChip(t *testing.T) {
	path := filepath.Join(t.TempDir(), "gpiochip0")
	if _, err := ReadChip(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("an absent chip: %v", err)
	}
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadChip(path); !errors.Is(err, syscall.ENOTTY) || !strings.Contains(err.Error(), path) {
		t.Errorf("a file: %v", err)
	}
}
