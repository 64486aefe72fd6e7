package system

import (
	"errors"
	"net"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// patience is how long a test waits for a message: only one that fails waits so long.
const patience = time.Minute

// mostTold is more than any test lets a daemon tell before it asks.
const mostTold = 10_000

// NotifySocket hears what daemons tell their service manager, also while the test asks for nothing: who tells it waits
// for room in it.
type NotifySocket struct {
	// Path is the value of NOTIFY_SOCKET.
	Path string

	t    testing.TB
	told chan string
}

// ListenNotify makes a socket, which is closed at the end of the test.
func ListenNotify(t testing.TB) *NotifySocket {
	t.Helper()
	path := filepath.Join(t.TempDir(), "notify")
	conn, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: path, Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	s := &NotifySocket{Path: path, t: t, told: make(chan string, mostTold)}
	var hearing sync.WaitGroup
	hearing.Go(func() { s.hear(conn) })
	t.Cleanup(func() {
		conn.Close()
		hearing.Wait()
	})
	return s
}

// hear takes messages until the socket is closed.
func (s *NotifySocket) hear(conn *net.UnixConn) {
	message := make([]byte, 4<<10)
	for {
		n, err := conn.Read(message)
		if err != nil {
			if !errors.Is(err, net.ErrClosed) {
				s.t.Error(err)
			}
			return
		}
		s.told <- string(message[:n])
	}
}

// Next waits for the next message. It may have several lines.
func (s *NotifySocket) Next() string {
	s.t.Helper()
	text, heard := s.within(patience)
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
		text, heard := s.within(time.Until(end))
		if heard && strings.Contains(text, part) {
			return text
		}
		if !heard || time.Now().After(end) {
			s.t.Fatalf("the service manager was not told %q; last %q", part, last)
		}
		last = text
	}
}

// within returns the next message, and whether one came within this time.
func (s *NotifySocket) within(wait time.Duration) (text string, heard bool) {
	select {
	case text = <-s.told:
		return text, true
	case <-time.After(wait):
		return "", false
	}
}
