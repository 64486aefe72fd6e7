//go:build uart

package device

import (
	"bufio"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// These tests run on a real UART of a real kernel, in an emulated board: cmd/sabotd's TestBoardLine.
const (
	uart     = "/dev/ttyS1"
	uartLine = "1:" // in the kernel's list

	tiocmLoop = 0x8000 // of the kernel's <asm-generic/termios.h>: the UART hears itself
)

// raised says which modem lines the UART holds up, as the kernel lists them. It opens no port.
func raised(t *testing.T) (lines string) {
	t.Helper()
	f, err := os.Open("/proc/tty/driver/serial")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for scan := bufio.NewScanner(f); scan.Scan(); {
		if words := strings.Fields(scan.Text()); len(words) > 1 && words[0] == uartLine {
			t.Log(scan.Text())
			return words[len(words)-1]
		}
	}
	t.Fatal("the board has no second UART")
	return ""
}

// TestUARTKeepsDTR: the first open raises DTR; closing and opening again does not move it.
func TestUARTKeepsDTR(t *testing.T) {
	if lines := raised(t); strings.Contains(lines, "DTR") {
		t.Fatalf("before the first open %s are raised: this test would show nothing", lines)
	}
	for range 2 {
		port := mustOpen(t, uart, Settings{})
		if lines := raised(t); !strings.Contains(lines, "DTR") {
			t.Errorf("while the port is open, %s are raised", lines)
		}
		if err := port.Close(); err != nil {
			t.Fatal(err)
		}
		if lines := raised(t); !strings.Contains(lines, "RTS") || !strings.Contains(lines, "DTR") {
			t.Errorf("after the port was closed, %s are raised", lines)
		}
	}
}

// TestUARTCountsLosses: what the kernel has to throw away, since nobody reads it, is counted.
func TestUARTCountsLosses(t *testing.T) {
	port := mustOpen(t, uart, Settings{WriteTimeout: 3 * time.Minute})
	line := port.(*stream).wire.(*serialLine)
	err := control(line.File, func(fd int) error { return unix.IoctlSetPointerInt(fd, unix.TIOCMBIS, tiocmLoop) })
	if err != nil {
		t.Fatal(err)
	}
	var meter LossMeter
	meter.Open(port)
	if _, err := port.Write(make([]byte, 1000)); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(patientReader{port}, make([]byte, 1000)); err != nil {
		t.Fatal(err)
	}
	if lost := meter.Lost(); lost != (Losses{}) {
		t.Errorf("while all is read, %s are counted", lost)
	}
	const flood = 2_000_000 // more than the kernel keeps
	if _, err := port.Write(make([]byte, flood)); err != nil {
		t.Fatal(err)
	}
	var read uint64
	for buf := make([]byte, 4096); ; {
		n, err := port.Read(buf)
		if read += uint64(n); err != nil {
			break
		}
	}
	lost := meter.Lost()
	t.Logf("of %d bytes %d were read, and %s are counted", flood, read, lost)
	if lost.BufferOverruns == 0 || read+lost.BufferOverruns+lost.Overruns < flood {
		t.Errorf("%d of %d bytes were read, and %s are counted", read, flood, lost)
	}
}

// patientReader waits through time-outs.
type patientReader struct{ Port }

func (r patientReader) Read(p []byte) (int, error) {
	for {
		if n, err := r.Port.Read(p); err != ErrTimeout {
			return n, err
		}
	}
}
