package gpio

import (
	"errors"
	"io/fs"
	"strings"
	"testing"
)

// The library's line still has the fields that this package sets and reads.
func TestLibraryHasFields(t *testing.T) {
	l, err := newLine(7, 3)
	if err != nil || l.Number() != 3 || l.field(fieldChip).Uint() != 7 || l.descriptor() != 0 {
		t.Errorf("a line that was not requested: %v, %v", l.GPIOLine, err)
	}
}

// Opening without a chip says what to do.
func TestNoChip(t *testing.T) {
	if err := noChip(chipPaths, nil); !errors.Is(err, ErrNoChip) || !strings.Contains(err.Error(), "this machine has no GPIO") {
		t.Errorf("no chip: %v", err)
	}
	if err := noChip("/dev/gpiochip0", fs.ErrPermission); !errors.Is(err, ErrNoChip) || !strings.Contains(err.Error(), "usermod -aG gpio") {
		t.Errorf("a chip that may not be opened: %v", err)
	}
	if _, err := (system{}).chips(); err != nil && !errors.Is(err, ErrNoChip) {
		t.Errorf("this machine's chips: %v", err)
	}
}
