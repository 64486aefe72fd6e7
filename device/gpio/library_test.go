package gpio

import (
	"errors"
	"os"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
	"periph.io/x/host/v3/gpioioctl"
)

// The library's line still has its descriptor where this package looks for it.
func TestLibraryHasDescriptor(t *testing.T) {
	_, err := libraryLine{&gpioioctl.GPIOLine{}}.descriptor()
	if err == nil || err.Error() != "the line was not requested" {
		t.Errorf("a line that was not requested: %v", err)
	}
}

// Opening without a chip says what to do.
func TestNoChip(t *testing.T) {
	if err := noChip(nil); !errors.Is(err, ErrNoChip) || !strings.Contains(err.Error(), "this machine has no GPIO") {
		t.Errorf("no chip: %v", err)
	}
	if err := noChip([]string{"/dev/null"}); !errors.Is(err, ErrNoChip) || !strings.Contains(err.Error(), "5.10") {
		t.Errorf("a chip that lists nothing: %v", err)
	}
	if err := noChip([]string{"/dev/gpiochip-that-left"}); !errors.Is(err, ErrNoChip) || !errors.Is(err, unix.ENOENT) {
		t.Errorf("a chip that has left: %v", err)
	}
}

// Standard input stays as it is when the library closes it, and is opened when there is none.
func TestStandardInputIsKept(t *testing.T) {
	kept, err := unix.FcntlInt(0, unix.F_DUPFD_CLOEXEC, 3)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { unix.Close(kept) })
	lose := func() {
		t.Helper()
		if err := unix.Close(0); err != nil {
			t.Fatal(err)
		}
	}
	file, err := os.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lose()
	if err := takeZero(int(file.Fd())); err != nil {
		t.Fatal(err)
	}
	was := fileOf(t, 0)
	for range 2 {
		putRight, err := keepZero()
		if err != nil {
			t.Fatal(err)
		}
		lose()
		if err := putRight(); err != nil {
			t.Fatal(err)
		}
		if now := fileOf(t, 0); now != was {
			t.Errorf("standard input was file %v and is file %v", was, now)
		}
	}
	lose()
	putRight, err := keepZero()
	if err != nil {
		t.Fatal(err)
	}
	if err := putRight(); err != nil {
		t.Error(err)
	}
	if now, null := fileOf(t, 0), pathOf(t, "/dev/null"); now != null {
		t.Errorf("without a standard input descriptor 0 is file %v, not %v", now, null)
	}
	lose()
	if err := takeZero(kept); err != nil {
		t.Error(err)
	}
}

func fileOf(t *testing.T, fd int) [2]uint64 {
	t.Helper()
	var s unix.Stat_t
	if err := unix.Fstat(fd, &s); err != nil {
		t.Fatal(err)
	}
	return [2]uint64{uint64(s.Dev), s.Ino}
}

func pathOf(t *testing.T, path string) [2]uint64 {
	t.Helper()
	var s unix.Stat_t
	if err := unix.Stat(path, &s); err != nil {
		t.Fatal(err)
	}
	return [2]uint64{uint64(s.Dev), s.Ino}
}
