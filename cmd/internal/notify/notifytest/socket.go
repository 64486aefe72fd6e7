// Package notifytest is a service manager's socket for tests.
package notifytest

import (
	"net"
	"path/filepath"
	"testing"
	"time"
)

// patience is how long a test waits for a message: only one that fails waits so long.
const patience = 30 * time.Second

// Socket hears what daemons tell their service manager.
type Socket struct {
	// Path is the value of NOTIFY_SOCKET.
	Path string

	t    testing.TB
	conn *net.UnixConn
}

// Listen makes a socket, which is closed at the end of the test.
func Listen(t testing.TB) *Socket {
	t.Helper()
	path := filepath.Join(t.TempDir(), "notify")
	conn, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: path, Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return &Socket{Path: path, t: t, conn: conn}
}

// Next waits for the next message. It may have several lines.
func (s *Socket) Next() string {
	s.t.Helper()
	text, heard := s.Within(patience)
	if !heard {
		s.t.Fatal("the service manager was told nothing more")
	}
	return text
}

// Within returns the next message, and whether one came within this time.
func (s *Socket) Within(wait time.Duration) (text string, heard bool) {
	s.t.Helper()
	if err := s.conn.SetReadDeadline(time.Now().Add(wait)); err != nil {
		s.t.Fatal(err)
	}
	message := make([]byte, 4<<10)
	n, err := s.conn.Read(message)
	if netErr, is := err.(net.Error); is && netErr.Timeout() {
		return "", false
	}
	if err != nil {
		s.t.Fatal(err)
	}
	return string(message[:n]), true
}
