package device

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"periph.io/x/conn/v3/physic"
)

// TestOpenErrors: errors.Is finds each cause, and the error says what to do.
func TestOpenErrors(t *testing.T) {
	for _, c := range []struct {
		cause, want error
		hint        string
	}{
		{syscall.ENOENT, ErrNotFound, "raspi-config nonint do_i2c 0"},
		{syscall.ENXIO, ErrNotFound, "modprobe i2c-dev"},
		{syscall.EACCES, ErrPermission, "usermod -aG i2c"},
		{syscall.EISDIR, ErrNotBus, "ls /dev/i2c-*"},
		{syscall.EMFILE, syscall.EMFILE, ""},
	} {
		err := busError("/dev/i2c-1", &fs.PathError{Op: "open", Path: "/dev/i2c-1", Err: c.cause})
		if !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.hint) ||
			!strings.HasPrefix(err.Error(), "open /dev/i2c-1: ") {
			t.Errorf("%v became %v", c.cause, err)
		}
	}
}

func TestTransferErrors(t *testing.T) {
	b := &Bus{path: "/dev/i2c-1"}
	for _, c := range []struct {
		cause, want error
		hint        string
	}{
		{syscall.EBUSY, ErrBusy, "dtoverlay"},
		{syscall.ENOTTY, ErrNotBus, "ls /dev/i2c-*"},
		{syscall.EOPNOTSUPP, ErrNoTransfers, "another bus"},
		{syscall.ENODEV, ErrGone, "adapter"},
		{syscall.ENXIO, ErrNoAnswer, "power"},
		{syscall.EREMOTEIO, ErrNoAnswer, "jumpers"},
		{syscall.ETIMEDOUT, ErrNoAnswer, "SDA"},
		{syscall.ENOMEM, syscall.ENOMEM, ""},
	} {
		op := "write"
		if c.want == ErrNoAnswer {
			op = "reach" // the same whatever was tried
		}
		err := b.transferError("write", 0x27, &fs.PathError{Op: "write", Path: b.path, Err: c.cause})
		if !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.hint) ||
			!strings.HasPrefix(err.Error(), op+" /dev/i2c-1 address 0x27: ") {
			t.Errorf("%v became %v", c.cause, err)
		}
	}
}

// TestNoBus: the kernel itself says that a file is not a bus.
func TestNoBus(t *testing.T) {
	path := filepath.Join(t.TempDir(), "i2c-1")
	if _, err := OpenBus(path); !errors.Is(err, ErrNotFound) {
		t.Errorf("an absent bus: %v", err)
	}
	if _, err := OpenBus(filepath.Dir(path)); !errors.Is(err, ErrNotBus) {
		t.Errorf("a folder: %v", err)
	}
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	b, err := OpenBus(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Tx(0x27, []byte{0}, nil); !errors.Is(err, ErrNotBus) {
		t.Errorf("a file: %v", err)
	}
	if err := b.Tx(0x78, []byte{0}, nil); err == nil || !strings.Contains(err.Error(), "0x78") {
		t.Errorf("a reserved address: %v", err)
	}
	if err := b.SetSpeed(physic.MegaHertz); err == nil || !strings.Contains(err.Error(), "baudrate") {
		t.Errorf("the speed: %v", err)
	}
	if err := errors.Join(b.Close(), b.Close()); err != nil {
		t.Error(err)
	}
	if err := b.Tx(0x27, []byte{0}, nil); !errors.Is(err, ErrClosed) {
		t.Errorf("a closed bus: %v", err)
	}
	if b.String() != path {
		t.Errorf("the bus is called %s", b)
	}
}
