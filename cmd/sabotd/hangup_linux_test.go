package main

import (
	"os"
	"testing"

	"golang.org/x/sys/unix"
)

// TestModemLinesStayRaised: when the kernel closes a killed daemon's port it must not lower DTR, since the next open
// would raise it again, and restart many a shoe's board.
func TestModemLinesStayRaised(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	port, err := os.OpenFile(w.port, os.O_RDWR|unix.O_NOCTTY|unix.O_NONBLOCK, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer port.Close()
	lowered := func(want bool) {
		t.Helper()
		settings, err := unix.IoctlGetTermios(int(port.Fd()), unix.TCGETS)
		if err != nil {
			t.Fatal(err)
		}
		if got := settings.Cflag&unix.HUPCL != 0; got != want {
			t.Errorf("closing the port lowers DTR: %t", got)
		}
	}
	settings, err := unix.IoctlGetTermios(int(port.Fd()), unix.TCGETS)
	if err != nil {
		t.Fatal(err)
	}
	settings.Cflag |= unix.HUPCL // as after the machine's start
	if err := unix.IoctlSetTermios(int(port.Fd()), unix.TCSETS, settings); err != nil {
		t.Fatal(err)
	}
	lowered(true)
	process := w.start()
	logs(t, process, "shoe: link is up")
	process.Kill()
	lowered(false)
}
