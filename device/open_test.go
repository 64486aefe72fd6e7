package device

import (
	"context"
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/system"
)

func TestOpenSaysWhatIsWrong(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		address string
		err     error
		text    string
	}{
		{
			"/dev/no-such-port", ErrNotFound,
			"open /dev/no-such-port: no such port: is it plugged in? `ls /dev/serial/by-id`",
		},
		{"by-id:no-such", ErrNotFound, "open by-id:no-such (/dev/serial/by-id/no-such): no such port"},
		{"usb:ffff:fffe", ErrNotFound, "open usb:ffff:fffe: no such port"},
		{"/dev/null", ErrNotSerial, "not a serial port"},
		{file, ErrNotSerial, "not a serial port"},
		{filepath.Dir(file), ErrNotSerial, "not a serial port"},
	} {
		_, err := opener(t, tc.address, Settings{})(context.Background())
		if !errors.Is(err, tc.err) || !strings.Contains(err.Error(), tc.text) {
			t.Errorf("%s: %v; want %q", tc.address, err, tc.text)
		}
	}
}

// The superuser is never refused, so the causes are made up here.
func TestOpenErrorHints(t *testing.T) {
	for _, tc := range []struct {
		cause, want error
		hint        string
	}{
		{&fs.PathError{Op: "open", Path: "/dev/ttyS0", Err: syscall.EACCES}, ErrPermission, "group dialout"},
		{&fs.PathError{Op: "open", Path: "/dev/ttyS0", Err: syscall.EBUSY}, ErrBusy, "`fuser -v /dev/ttyS0`"},
		{&fs.PathError{Op: "open", Path: "/dev/ttyS0", Err: syscall.ENXIO}, ErrNotFound, "plugged in?"},
		{
			ErrAlike, ErrAlike,
			"the socket of one, as `ls /dev/serial/by-path` names it, and leave the converter in it; `sabot devices " +
				"watch`, and a card drawn",
		},
		{syscall.EINVAL, syscall.EINVAL, ""},
	} {
		err := openError(Address{scheme: byPath, target: "/dev/ttyS0"}, "/dev/ttyS0", tc.cause)
		var e *Error
		if !errors.As(err, &e) || !errors.Is(err, tc.want) || !strings.Contains(e.Hint, tc.hint) {
			t.Errorf("%v became %v; want %v with %q", tc.cause, err, tc.want, tc.hint)
		}
	}
}

func TestDialRefused(t *testing.T) {
	address := "tcp://" + system.Address(t)
	_, err := opener(t, address, Settings{})(context.Background())
	if !errors.Is(err, syscall.ECONNREFUSED) || !strings.Contains(err.Error(), "open "+address) {
		t.Errorf("got %v; want a refused connection to %s", err, address)
	}
}

func TestOpenAfterTheEnd(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, address := range []string{"/dev/null", "tcp://127.0.0.1:1"} {
		if _, err := opener(t, address, Settings{})(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v; want the context's error", address, err)
		}
	}
}

func TestNewOpenerRefuses(t *testing.T) {
	line := Address{scheme: byPath, target: "/dev/ttyS0"}
	for _, tc := range []struct {
		address  Address
		settings Settings
		text     string
	}{
		{Address{}, Settings{Baud: 9600}, "is empty"},
		{line, Settings{}, "baud rate"},
		{line, Settings{Baud: -1}, "baud rate"},
		{line, Settings{Baud: 9600, ReadTimeout: -1}, "negative"},
		{line, Settings{Baud: 9600, WriteTimeout: -1}, "negative"},
	} {
		if _, err := NewOpener(tc.address, tc.settings); err == nil || !strings.Contains(err.Error(), tc.text) {
			t.Errorf("%v, %+v: %v; want %q", tc.address, tc.settings, err, tc.text)
		}
	}
}

func TestUnusualSpeed(t *testing.T) {
	far := plugIn(t, filepath.Join(t.TempDir(), "shoe"))
	mustOpen(t, far.address, Settings{Baud: 31250})
}

// The system asks the other side of a stream that may be silent for hours whether it is still there.
func TestQuietStreamIsAsked(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	port := mustOpen(t, "tcp://"+listener.Addr().String(), Settings{}).(*stream)
	raw, err := port.wire.(*net.TCPConn).SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	for name, option := range map[string]struct{ level, option, want int }{
		"asked at all":     {syscall.SOL_SOCKET, syscall.SO_KEEPALIVE, 1},
		"seconds of quiet": {syscall.IPPROTO_TCP, syscall.TCP_KEEPIDLE, 5},
		"seconds between":  {syscall.IPPROTO_TCP, syscall.TCP_KEEPINTVL, 2},
		"times":            {syscall.IPPROTO_TCP, syscall.TCP_KEEPCNT, 3},
	} {
		var got int
		control := raw.Control(func(fd uintptr) {
			got, err = syscall.GetsockoptInt(int(fd), option.level, option.option)
		})
		if control != nil || err != nil || got != option.want {
			t.Errorf("%s: %d, %v, %v; want %d", name, got, control, err, option.want)
		}
	}
}
