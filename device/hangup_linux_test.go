package device

import (
	"testing"

	"golang.org/x/sys/unix"

	"github.com/creack/pty"
)

// A port that is closed must not lower DTR: the next open would raise it, and restart many a board.
func TestClosingLeavesDTRRaised(t *testing.T) {
	master, slave, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer master.Close()
	defer slave.Close()
	fd := int(slave.Fd())
	settings, err := unix.IoctlGetTermios(fd, unix.TCGETS)
	if err != nil {
		t.Fatal(err)
	}
	settings.Cflag |= unix.HUPCL // as on a serial port after the machine's start
	if err := unix.IoctlSetTermios(fd, unix.TCSETS, settings); err != nil {
		t.Fatal(err)
	}
	lowers := func() bool {
		t.Helper()
		settings, err := unix.IoctlGetTermios(fd, unix.TCGETS)
		if err != nil {
			t.Fatal(err)
		}
		return settings.Cflag&unix.HUPCL != 0
	}
	if !lowers() {
		t.Fatal("the terminal does not keep the setting: this test would show nothing")
	}
	port := mustOpen(t, slave.Name(), Settings{Baud: 9600})
	if lowers() {
		t.Error("while the port is open, closing it would lower DTR")
	}
	if err := port.Close(); err != nil {
		t.Fatal(err)
	}
	if lowers() {
		t.Error("after the port was closed, the next close would lower DTR")
	}
}
