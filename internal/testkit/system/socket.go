package system

import (
	"net"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// patience is how long a test waits for a message: only one that fails waits so long.
const patience = time.Minute

// NotifySocket hears what daemons tell their service manager.
type NotifySocket struct {
	// Path is the value of NOTIFY_SOCKET.
	Path string

	t    testing.TB
	conn *net.UnixConn
}

// ListenNotify makes a socket, which is closed at the end of the test.
func ListenNotify(t testing.TB) *NotifySocket {
	t.Helper()
	path := filepath.Join(t.TempDir(), "notify")
	conn, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: path, Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return &NotifySocket{Path: path, t: t, conn: conn}
}

// Next waits for the next message. It may have several lines.
func (s *NotifySocket) Next() string {
	s.t.Helper()
	text, heard := s.Within(patience)
	if !heard {
		s.t.Fatal("the service manager was told nothing more")
	}
	return text
}

// Until waits for a message with this part, among whatever else comes, and returns it. It ends the test if none comes.
func (s *NotifySocket) Until(part string) string {
	s.t.Helper()
	end := time.Now().Add(patience)
	var last string
	for {
		text, heard := s.Within(time.Until(end))
		if heard && strings.Contains(text, part) {
			return text
		}
		if !heard || time.Now().After(end) {
			s.t.Fatalf("the service manager was not told %q; last %q", part, last)
		}
		last = text
	}
}

// Within returns the next message, and whether one came within this time.
func (s *NotifySocket) Within(wait time.Duration) (text string, heard bool) {
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
