package gpio

import (
	"errors"
	"io/fs"
	"strings"
	"testing"
)

// Opening without a chip says what to do.
func TestNoChip(t *testing.T) {
	if err := noChip(chipPaths, nil); !errors.Is(err, ErrNoChip) ||
		!strings.Contains(err.Error(), "this machine has no GPIO") {
		t.Errorf("no chip: %v", err)
	}
	if err := noChip("/dev/gpiochip0", fs.ErrPermission); !errors.Is(err, ErrNoChip) ||
		!strings.Contains(err.Error(), "usermod -aG gpio") {
		t.Errorf("a chip that may not be opened: %v", err)
	}
	if _, err := (system{}).chips(); err != nil && !errors.Is(err, ErrNoChip) {
		t.Errorf("this machine's chips: %v", err)
	}
}
