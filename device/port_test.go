package device

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/creack/pty"
)

// patience is the deadline for what must happen eventually.
const patience = 20 * time.Second

// farEnd is the other side of a port under test.
type farEnd struct {
	io.ReadWriteCloser
	address string
}

// plugIn makes a pseudo-terminal that appears at path.
func plugIn(t *testing.T, path string) farEnd {
	t.Helper()
	master, slave, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { master.Close() })
	defer slave.Close()
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	if err := os.Symlink(slave.Name(), path); err != nil {
		t.Fatal(err)
	}
	return farEnd{master, path}
}

func openPTY(t *testing.T, s Settings) (Port, farEnd) {
	t.Helper()
	far := plugIn(t, filepath.Join(t.TempDir(), "shoe"))
	return mustOpen(t, far.address, s), far
}

func openTCP(t *testing.T, s Settings) (Port, farEnd) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	address := "tcp://" + listener.Addr().String()
	port := mustOpen(t, address, s)
	conn, err := listener.Accept()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return port, farEnd{conn, address}
}

func opener(t *testing.T, address string, s Settings) Opener {
	t.Helper()
	a, err := ParseAddress(address)
	if err != nil {
		t.Fatal(err)
	}
	if s.Baud == 0 {
		s.Baud = 115200
	}
	open, err := NewOpener(a, s)
	if err != nil {
		t.Fatal(err)
	}
	return open
}

func mustOpen(t *testing.T, address string, s Settings) Port {
	t.Helper()
	port, err := opener(t, address, s)(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { port.Close() })
	return port
}

// onBoth runs a test over a pseudo-terminal and over TCP.
func onBoth(t *testing.T, test func(t *testing.T, open func(*testing.T, Settings) (Port, farEnd))) {
	t.Run("pty", func(t *testing.T) { test(t, openPTY) })
	t.Run("tcp", func(t *testing.T) { test(t, openTCP) })
}

func everyByte() []byte {
	b := make([]byte, 256)
	for i := range b {
		b[i] = byte(i)
	}
	return b
}

func TestBytesPassUnchanged(t *testing.T) {
	onBoth(t, func(t *testing.T, open func(*testing.T, Settings) (Port, farEnd)) {
		port, far := open(t, Settings{ReadTimeout: patience})
		if _, err := far.Write(everyByte()); err != nil {
			t.Fatal(err)
		}
		got := make([]byte, 256)
		if _, err := io.ReadFull(port, got); err != nil || !bytes.Equal(got, everyByte()) {
			t.Errorf("read % x, %v", got, err)
		}
		if _, err := port.Write(everyByte()); err != nil {
			t.Fatal(err)
		}
		clear(got)
		if _, err := io.ReadFull(far, got); err != nil || !bytes.Equal(got, everyByte()) {
			t.Errorf("the other side read % x, %v", got, err)
		}
	})
}

func TestReadTimesOutAndGoesOn(t *testing.T) {
	onBoth(t, func(t *testing.T, open func(*testing.T, Settings) (Port, farEnd)) {
		port, far := open(t, Settings{ReadTimeout: 10 * time.Millisecond})
		buf := make([]byte, 8)
		for range 2 {
			if n, err := port.Read(buf); n != 0 || err != ErrTimeout {
				t.Fatalf("a silent port: read %d, %v; want 0, ErrTimeout", n, err)
			}
		}
		if _, err := far.Write([]byte("x")); err != nil {
			t.Fatal(err)
		}
		n, err := port.Read(buf)
		for begun := time.Now(); err == ErrTimeout && time.Since(begun) < patience; {
			n, err = port.Read(buf)
		}
		if err != nil || string(buf[:n]) != "x" {
			t.Errorf("read %q, %v after the time-outs", buf[:n], err)
		}
	})
}

func TestWriteThatNobodyTakesTimesOut(t *testing.T) {
	onBoth(t, func(t *testing.T, open func(*testing.T, Settings) (Port, farEnd)) {
		port, _ := open(t, Settings{WriteTimeout: 20 * time.Millisecond})
		n, err := port.Write(make([]byte, 64<<20))
		if !errors.Is(err, ErrTimeout) || n == 64<<20 {
			t.Errorf("wrote %d, %v; want ErrTimeout", n, err)
		}
	})
}

func TestUnplugged(t *testing.T) {
	onBoth(t, func(t *testing.T, open func(*testing.T, Settings) (Port, farEnd)) {
		port, far := open(t, Settings{ReadTimeout: patience})
		failed := make(chan error, 1)
		go func() {
			_, err := port.Read(make([]byte, 8))
			failed <- err
		}()
		far.Close()
		if err := <-failed; !errors.Is(err, ErrGone) {
			t.Errorf("read: %v; want ErrGone", err)
		}
	})
}

func TestCloseEndsARead(t *testing.T) {
	onBoth(t, func(t *testing.T, open func(*testing.T, Settings) (Port, farEnd)) {
		port, far := open(t, Settings{ReadTimeout: patience})
		failed := make(chan error, 1)
		begun := make(chan struct{})
		go func() {
			buf := make([]byte, 1)
			port.Read(buf)
			close(begun)
			_, err := port.Read(buf)
			failed <- err
		}()
		if _, err := far.Write([]byte{1}); err != nil {
			t.Fatal(err)
		}
		<-begun
		if err := port.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
		if err := port.Close(); err != nil {
			t.Errorf("second close: %v", err)
		}
		if err := <-failed; !errors.Is(err, ErrClosed) {
			t.Errorf("read: %v; want ErrClosed", err)
		}
		if _, err := port.Write([]byte{1}); !errors.Is(err, ErrClosed) {
			t.Errorf("write: %v; want ErrClosed", err)
		}
	})
}

func TestOnlyOneOpenAtOnce(t *testing.T) {
	port, far := openPTY(t, Settings{})
	open := opener(t, far.address, Settings{})
	if _, err := open(context.Background()); !errors.Is(err, ErrBusy) {
		t.Fatalf("second open: %v; want ErrBusy", err)
	}
	if err := port.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := open(context.Background())
	if err != nil {
		t.Fatalf("open after close: %v", err)
	}
	again.Close()
}
