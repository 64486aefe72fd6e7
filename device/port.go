// Package device turns the ports a table is wired to into bytes. It opens
// serial lines and TCP streams by their address, tells apart why a port cannot
// be had, and keeps one open through unplugging. It knows nothing about cards.
package device

import (
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

// What can be wrong with a port. Errors of this package wrap one of them where it applies, so test with errors.Is.
var (
	// ErrTimeout: nothing arrived within the read time-out, or the other side took no bytes within the write time-out.
	// After a read the port is still usable; after a write it is not, since some of the bytes may have been sent.
	ErrTimeout = errors.New("timed out")
	// ErrGone: the cable was pulled, or the other side hung up.
	ErrGone = errors.New("the port is gone")
	// ErrClosed: Close was called on this side.
	ErrClosed = errors.New("the port is closed")
	// ErrNotFound: no port has the address.
	ErrNotFound = errors.New("no such port")
	// ErrBusy: another program has the port open.
	ErrBusy = errors.New("port busy")
	// ErrPermission: the user may not open the port.
	ErrPermission = errors.New("permission denied")
	// ErrNotSerial: the path leads to something other than a serial port.
	ErrNotSerial = errors.New("not a serial port")
	// ErrAmbiguous: several ports fit the address.
	ErrAmbiguous = errors.New("several ports fit")
	// ErrAlike: several ports fit the address, and no other address but that of a socket means one of them.
	ErrAlike = errors.New("several ports fit, and nothing but the sockets that they are in tells them apart")
)

// Port is an open line. One goroutine may read while another writes; Close may
// be called from any goroutine and more than once, and ends both.
//
// Read waits at most the read time-out of the port's Settings and then returns 0 and ErrTimeout itself, unwrapped; it
// never returns 0 without an error for a buffer that has room. Any other error of Read, and every error of Write, means
// that the port is of no more use: close it and open it again.
type Port interface {
	io.ReadWriteCloser
	// String returns the address under which the port was opened.
	String() string
}

// Error says which operation failed on which port, why, and what to do.
type Error struct {
	Op   string // "open", "read" or "write"
	Port string // the address, and the path where the address is not one; of a GPIO line, its use too
	Err  error  // wraps one of the errors above where one applies
	Hint string // what to do next; may be empty
}

// Error writes the operation, the port, the cause and the hint in one line.
func (e *Error) Error() string {
	if e.Hint == "" {
		return fmt.Sprintf("%s %s: %v", e.Op, e.Port, e.Err)
	}
	return fmt.Sprintf("%s %s: %v: %s", e.Op, e.Port, e.Err, e.Hint)
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// wire is what an open serial line and a TCP connection have in common.
type wire interface {
	io.ReadWriteCloser
	SetReadDeadline(time.Time) error
	SetWriteDeadline(time.Time) error
}

// stream makes a Port from a wire.
type stream struct {
	wire
	name                      string
	readTimeout, writeTimeout time.Duration
	closed                    atomic.Bool
	close                     func() error
}

func newStream(w wire, name string, s Settings) *stream {
	return &stream{
		wire: w, name: name,
		readTimeout: s.ReadTimeout, writeTimeout: s.WriteTimeout,
		close: sync.OnceValue(w.Close),
	}
}

func (s *stream) Read(p []byte) (int, error) {
	if err := s.SetReadDeadline(time.Now().Add(s.readTimeout)); err != nil {
		return 0, s.fail("read", err)
	}
	n, err := s.wire.Read(p)
	switch {
	case err == nil:
		return n, nil
	case errors.Is(err, os.ErrDeadlineExceeded):
		return n, ErrTimeout
	default:
		return n, s.fail("read", err)
	}
}

func (s *stream) Write(p []byte) (int, error) {
	if err := s.SetWriteDeadline(time.Now().Add(s.writeTimeout)); err != nil {
		return 0, s.fail("write", err)
	}
	n, err := s.wire.Write(p)
	if err != nil {
		err = s.fail("write", err)
	}
	return n, err
}

func (s *stream) Close() error {
	s.closed.Store(true)
	return s.close()
}

func (s *stream) String() string { return s.name }

// Losses returns the counts of a serial line's receiver.
func (s *stream) Losses() (Losses, bool) {
	if counter, ok := s.wire.(LossCounter); ok {
		return counter.Losses()
	}
	return Losses{}, false
}

// fail interprets a transfer's error. A broken line shows itself in many ways (end of file, EIO, ENODEV, connection
// reset) which all mean the same.
func (s *stream) fail(op string, err error) error {
	switch {
	case s.closed.Load():
		return &Error{Op: op, Port: s.name, Err: ErrClosed}
	case errors.Is(err, os.ErrDeadlineExceeded):
		return &Error{Op: op, Port: s.name, Err: ErrTimeout, Hint: "the other side takes no bytes; is it switched on?"}
	default:
		return &Error{
			Op: op, Port: s.name, Err: fmt.Errorf("%w (%w)", ErrGone, err),
			Hint: "check the cable and the power of the other side",
		}
	}
}
