package guest

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A kernel without the simulator is reported as that.
func TestNoSimulator(t *testing.T) {
	_, err := Kernel{Config: t.TempDir(), Devices: t.TempDir()}.New("table", "sim-table", []string{"CARD"})
	if !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "modprobe gpio-sim") {
		t.Errorf("no simulator: %v", err)
	}
}

// A folder that is not the kernel's takes no settings, and is left unchanged.
func TestNotTheKernel(t *testing.T) {
	config := t.TempDir()
	if err := os.Mkdir(filepath.Join(config, "gpio-sim"), 0o755); err != nil {
		t.Fatal(err)
	}
	_, err := Kernel{Config: config, Devices: t.TempDir()}.New("table", "sim-table", []string{"CARD", ""})
	if !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "configuring the simulated chip") {
		t.Errorf("not the kernel: %v", err)
	}
	left, err := os.ReadDir(filepath.Join(config, "gpio-sim"))
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}
