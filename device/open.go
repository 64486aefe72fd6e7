package device

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"path/filepath"
	"syscall"
	"time"

	"go.bug.st/serial"
)

// The defaults of Settings.
const (
	DefaultReadTimeout  = 100 * time.Millisecond
	DefaultWriteTimeout = time.Second
	dialTimeout         = 5 * time.Second
)

// alive asks the other side of a TCP stream, which may be silent for hours, whether it is still there: a converter
// without power or network is missed within some ten seconds. It says nothing about what is wired to the converter.
var alive = net.KeepAliveConfig{Enable: true, Idle: 5 * time.Second, Interval: 2 * time.Second, Count: 3}

// Settings say how to communicate on a port. A serial line has 8 data bits, no parity and one stop bit, without flow
// control.
type Settings struct {
	// Baud is the serial line's speed in bits per second. It has no meaning on TCP.
	Baud int
	// ReadTimeout is how long a Read waits for the first byte.
	ReadTimeout time.Duration
	// WriteTimeout is how long a Write waits for the other side to take bytes.
	WriteTimeout time.Duration
}

// Opener opens one port; each call opens it again.
type Opener func(context.Context) (Port, error)

// NewOpener returns the opener of the port at an address. An error means that the settings can never work, not that the
// port is missing now.
func NewOpener(a Address, s Settings) (Opener, error) {
	if a == (Address{}) {
		return nil, badAddress("", "is empty")
	}
	if a.scheme != byTCP && s.Baud <= 0 {
		return nil, fmt.Errorf("speed %d of port %s: write the baud rate of the device, such as 115200", s.Baud, a)
	}
	if s.ReadTimeout < 0 || s.WriteTimeout < 0 {
		return nil, fmt.Errorf("time-outs %v and %v of port %s: they cannot be negative", s.ReadTimeout,
			s.WriteTimeout, a)
	}
	if s.ReadTimeout == 0 {
		s.ReadTimeout = DefaultReadTimeout
	}
	if s.WriteTimeout == 0 {
		s.WriteTimeout = DefaultWriteTimeout
	}
	if a.scheme == byTCP {
		return func(ctx context.Context) (Port, error) { return dial(ctx, a, s) }, nil
	}
	return func(ctx context.Context) (Port, error) { return openLine(ctx, a, s) }, nil
}

func dial(ctx context.Context, a Address, s Settings) (Port, error) {
	d := net.Dialer{Timeout: dialTimeout, KeepAliveConfig: alive}
	conn, err := d.DialContext(ctx, "tcp", a.target)
	if err != nil {
		return nil, &Error{
			Op: "open", Port: a.String(), Err: err,
			Hint: "check the address, and that the converter or simulator runs",
		}
	}
	return newStream(conn, a.String(), s), nil
}

func openLine(ctx context.Context, a Address, s Settings) (Port, error) {
	if err := ctx.Err(); err != nil {
		return nil, &Error{Op: "open", Port: a.String(), Err: err}
	}
	path, err := a.path()
	if err != nil {
		return nil, openError(a, path, err)
	}
	w, err := openSerial(path, s.Baud)
	if err != nil {
		return nil, openError(a, path, err)
	}
	return newStream(w, a.String(), s), nil
}

// path returns the device file that the address currently means.
func (a Address) path() (string, error) {
	switch a.scheme {
	case byID:
		return filepath.Join(byIDFolder, a.target), nil
	case byUSB:
		ports, err := USBPorts()
		if err != nil {
			return "", err
		}
		return findUSB(ports, a.usb)
	default:
		return a.target, nil
	}
}

// openError names the cause of a failed open and what to do about it.
func openError(a Address, path string, err error) error {
	e := &Error{Op: "open", Port: a.String(), Err: err}
	if a.scheme != byPath && path != "" {
		e.Port += " (" + path + ")"
	}
	var portError *serial.PortError
	switch {
	case errors.Is(err, ErrNotFound), errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENXIO),
		errors.Is(err, syscall.ENODEV):
		e.Err, e.Hint = ErrNotFound, "is it plugged in? `ls /dev/serial/by-id` shows the ports that are there"
	case errors.Is(err, ErrAlike):
		e.Hint = "write the socket of one, as `ls /dev/serial/by-path` names it, and leave the converter in it; " +
			"`sabot devices watch`, and a card drawn, shows which is which"
	case errors.Is(err, ErrAmbiguous):
		e.Hint = "write the serial number too, or by-id:NAME with a name from `ls /dev/serial/by-id`"
	case errors.Is(err, syscall.EBUSY), isCode(err, serial.PortBusy):
		e.Err, e.Hint = ErrBusy, "another program has it open; find it with `fuser -v "+path+"`"
	case errors.Is(err, fs.ErrPermission), isCode(err, serial.PermissionDenied):
		e.Err, e.Hint = ErrPermission,
			"add the user to group dialout: `sudo usermod -aG dialout USER`, then log in again"
	case errors.As(err, &portError), errors.Is(err, syscall.EISDIR), errors.Is(err, syscall.ENOTTY):
		e.Err, e.Hint = fmt.Errorf("%w (%w)", ErrNotSerial, err),
			"`ls /dev/serial/by-id` shows the ports that are there"
	}
	return e
}

func isCode(err error, code serial.PortErrorCode) bool {
	e, is := errors.AsType[*serial.PortError](err)
	return is && e.Code() == code
}
