package simtest

import (
	"io"
	"net"
	"sync"
	"time"
)

// stream is one direction of a connection in memory. It takes whatever is written, as a kernel's buffers do.
type stream struct {
	mu      sync.Mutex
	held    []byte
	closed  bool
	changed chan struct{} // holds one if something changed
}

func newStream() *stream { return &stream{changed: make(chan struct{}, 1)} }

func (s *stream) signal() {
	select {
	case s.changed <- struct{}{}:
	default:
	}
}

func (s *stream) write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return 0, io.ErrClosedPipe
	}
	s.held = append(s.held, b...)
	s.signal()
	return len(b), nil
}

func (s *stream) read(b []byte) (int, error) {
	for {
		s.mu.Lock()
		n, closed := copy(b, s.held), s.closed
		s.held = append(s.held[:0], s.held[n:]...)
		if len(s.held) > 0 || closed {
			s.signal()
		}
		s.mu.Unlock()
		if n > 0 {
			return n, nil
		}
		if closed {
			return 0, io.EOF
		}
		<-s.changed
	}
}

func (s *stream) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	s.signal()
}

// conn is one end of a connection in memory. It has no deadlines: a write never waits.
type conn struct{ in, out *stream }

var _ net.Conn = conn{}

// connect returns the two ends of a connection.
func connect() (a, b conn) {
	x, y := newStream(), newStream()
	return conn{x, y}, conn{y, x}
}

func (c conn) Read(b []byte) (int, error)  { return c.in.read(b) }
func (c conn) Write(b []byte) (int, error) { return c.out.write(b) }

func (c conn) Close() error {
	c.in.close()
	c.out.close()
	return nil
}

func (conn) LocalAddr() net.Addr              { return nowhere{} }
func (conn) RemoteAddr() net.Addr             { return nowhere{} }
func (conn) SetDeadline(time.Time) error      { return nil }
func (conn) SetReadDeadline(time.Time) error  { return nil }
func (conn) SetWriteDeadline(time.Time) error { return nil }

type nowhere struct{}

func (nowhere) Network() string { return "memory" }
func (nowhere) String() string  { return "memory" }
