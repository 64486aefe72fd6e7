package site

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/sabot-table/sabot/internal/testkit/attack"
	"github.com/sabot-table/sabot/internal/testkit/system"
)

// many is more than any test opens.
var many = Pace{Every: time.Microsecond, Burst: 1 << 20}

// served is a server behind a Listener: /stream vouches for who asks, and lasts until the test ends.
type served struct {
	t    *testing.T
	log  *system.Text
	addr string
	stop func()
}

func serve(t *testing.T, limits ConnLimits) *served {
	t.Helper()
	inner, err := net.Listen("tcp", "0.0.0.0:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &served{t: t, log: &system.Text{}}
	limits.Log = slog.New(slog.NewTextHandler(s.log, nil))
	_, port, err := net.SplitHostPort(inner.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	s.addr = "127.0.0.1:" + port
	pages := http.NewServeMux()
	pages.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "page") })
	pages.HandleFunc("/stream", func(w http.ResponseWriter, r *http.Request) {
		Vouch(r.Context())
		io.WriteString(w, "stream")
		http.NewResponseController(w).Flush()
		<-r.Context().Done()
	})
	server := &http.Server{Handler: pages, ReadHeaderTimeout: time.Hour, ConnContext: connContext}
	listener := Listen(inner, limits)
	done := make(chan error, 1)
	go func() { done <- server.Serve(listener) }()
	s.stop = sync.OnceFunc(func() {
		server.Close()
		if err := <-done; !errors.Is(err, http.ErrServerClosed) {
			t.Error(err)
		}
	})
	t.Cleanup(s.stop)
	return s
}

// from opens a connection from an address, and sends something. One that is refused at once is a closed pipe.
func (s *served) from(ip, text string) net.Conn {
	s.t.Helper()
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(ip)}}
	c, err := dialer.DialContext(s.t.Context(), "tcp", s.addr)
	if errors.Is(err, syscall.ECONNRESET) {
		c, _ = net.Pipe()
		c.Close()
		return c
	}
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { c.Close() })
	io.WriteString(c, text) // one that was refused may not take it
	return c
}

const request = "GET /%s HTTP/1.1\r\nHost: localhost\r\n\r\n"

// asks says what a connection is answered, "" for one that was refused.
func asks(c net.Conn, path string) string {
	if _, err := fmt.Fprintf(c, request, path); err != nil {
		return ""
	}
	response, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		return ""
	}
	body := make([]byte, len("page"))
	if _, err := io.ReadFull(response.Body, body); err != nil {
		return ""
	}
	return string(body)
}

// ends waits until a connection is closed at the other end.
func ends(c net.Conn) { io.Copy(io.Discard, c) }

var small = ConnLimits{Each: 8, All: 24, Own: 4, EachNew: many, AllNew: many, First: time.Hour}

// TestAttackHalfRequests: from one address and from many, thousands of half requests keep out neither this computer's
// own screen nor one that comes later from another address, and who is being served stays so. How many were refused is
// in the log, in a few lines.
func TestAttackHalfRequests(t *testing.T) {
	for name, hosts := range map[string]int{"one address": 1, "many addresses": 200} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, small)
			stays := s.from("127.0.0.9", "")
			if asks(stays, "stream") != "stre" {
				t.Fatal("a screen was not served before the attack")
			}
			const tries = 2000
			conns := make([]net.Conn, tries)
			for i := range conns {
				conns[i] = s.from(fmt.Sprintf("127.0.1.%d", 1+i%hosts), "POST /input HTTP/1.1\r\nHo")
			}
			out := 0
			for range 20 {
				for _, ip := range []string{"127.0.0.1", "127.0.0.8"} {
					c := s.from(ip, "")
					if asks(c, "") != "page" {
						out++
					}
					c.Close()
				}
			}
			if !isOpen(t, stays) {
				out++
				t.Error("a screen that was served was cut off")
			}
			limit := min(small.All-1, hosts*small.Each)
			for _, c := range conns[:tries-limit] {
				ends(c) // each of these was closed: it would last an hour
			}
			s.stop()
			if lines := strings.Count(s.log.String(), "\n"); lines == 0 || lines > 6 {
				t.Errorf("the log has %d lines of it:\n%s", lines, s.log)
			}
			attack.Report(t, "half requests from "+name+", screens kept out", tries, out)
		})
	}
}

// isOpen says whether the other end has left a connection open.
func isOpen(t *testing.T, c net.Conn) (open bool) {
	t.Helper()
	raw, err := c.(*net.TCPConn).SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	err = raw.Read(func(fd uintptr) bool {
		n, _, err := unix.Recvfrom(int(fd), make([]byte, 1), unix.MSG_PEEK|unix.MSG_DONTWAIT)
		open = n > 0 || errors.Is(err, unix.EAGAIN)
		return true
	})
	return open && err == nil
}

func timedOut(c net.Conn) bool {
	_, err := c.Read(make([]byte, 1))
	return os.IsTimeout(err)
}

// TestVouched: connections that are vouched for make no room, and are counted until they are closed.
func TestVouched(t *testing.T) {
	limits := small
	limits.Each, limits.All = 3, 3
	s := serve(t, limits)
	var streams []net.Conn
	for range 3 {
		c := s.from("127.0.0.5", "")
		if got := asks(c, "stream"); got != "stre" {
			t.Fatalf("a stream was answered %q", got)
		}
		streams = append(streams, c)
	}
	if got := asks(s.from("127.0.0.6", ""), ""); got != "" {
		t.Errorf("one too many was answered %q", got)
	}
	streams[1].Close()
	for { // the server notices when it is told
		if asks(s.from("127.0.0.6", ""), "") == "page" {
			break
		}
	}
	s.stop()
	for _, part := range []string{
		"connections are refused",
		"why=\"the network has as many connections as it may have\"", "from=127.0.0.6:",
	} {
		if !strings.Contains(s.log.String(), part) {
			t.Errorf("the log lacks %q:\n%s", part, s.log)
		}
	}
}

// TestPace: connections that are opened too often are refused before they cost a handshake; this computer's own are
// not.
func TestPace(t *testing.T) {
	limits := small
	limits.EachNew, limits.AllNew = Pace{Every: time.Hour, Burst: 2},
		Pace{Every: time.Hour, Burst: 5}
	s := serve(t, limits)
	count := func(ip string) (n int) {
		for range 6 {
			c := s.from(ip, "")
			if asks(c, "") == "page" {
				n++
			}
			c.Close()
		}
		return n
	}
	for _, c := range []struct {
		ip   string
		want int
	}{{"127.0.0.5", 2}, {"127.0.0.6", 2}, {"127.0.0.7", 1}, {"127.0.0.1", 6}} {
		if got := count(c.ip); got != c.want {
			t.Errorf("%s had %d connections, want %d", c.ip, got, c.want)
		}
	}
	s.stop()
	for _, part := range []string{
		"count=11", "one address opens connections too often",
		"connections are opened too often",
	} {
		if !strings.Contains(s.log.String(), part) {
			t.Errorf("the log lacks %q:\n%s", part, s.log)
		}
	}
}

// TestTrusted: a proxy on this computer brings the network, so it has no part of the reserve, and is no one place.
func TestTrusted(t *testing.T) {
	limits := small
	limits.Each, limits.All, limits.Own = 1, 6, 1
	limits.Trusted = func(ip netip.Addr) bool { return ip == netip.MustParseAddr("127.0.0.1") }
	s := serve(t, limits)
	for range 6 {
		if got := asks(s.from("127.0.0.1", ""), "stream"); got != "stre" {
			t.Errorf("a proxy's stream was answered %q", got)
		}
	}
	if got := asks(s.from("127.0.0.1", ""), ""); got != "" {
		t.Errorf("the proxy's seventh was answered %q", got)
	}
}

// TestFirstBytes: a connection that sends nothing is given up.
func TestFirstBytes(t *testing.T) {
	inner, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	limits := small
	limits.First = time.Nanosecond
	l := Listen(inner, limits)
	defer l.Close()
	client, err := net.Dial("tcp", inner.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	c, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if !timedOut(c) {
		t.Error("a silent connection was not given up")
	}
}

// TestPlaces: what counts as one place, and what as this computer.
func TestPlaces(t *testing.T) {
	for address, want := range map[string]string{
		"10.0.0.7": "10.0.0.7/32", "10.0.0.7:8443": "10.0.0.7/32", "::ffff:10.0.0.7": "10.0.0.7/32",
		"[2001:db8:1:2:3::4]:443": "2001:db8:1:2::/64", "fe80::1%eth0": "fe80::/64", "": "invalid Prefix",
		"pipe": "invalid Prefix",
	} {
		if got := PlaceOf(address).String(); got != want {
			t.Errorf("the place of %q is %s, want %s", address, got, want)
		}
	}
	for ends, want := range map[[2]string]bool{
		{"127.0.0.1", "127.0.0.1"}: true, {"127.0.0.1", "127.64.1.2"}: true, {"::1", "::1"}: true,
		{"10.0.0.2", "10.0.0.2"}:        true,
		{"::ffff:10.0.0.2", "10.0.0.2"}: true, {"10.0.0.3", "10.0.0.2"}: false, {"127.0.0.2", "127.0.0.1"}: false,
	} {
		if got := ownConn(pair{remote: ends[0], local: ends[1]}); got != want {
			t.Errorf("%s at %s is this computer's own: %v", ends[0], ends[1], got)
		}
	}
	a, b := net.Pipe()
	defer a.Close()
	defer b.Close()
	if !ownConn(a) {
		t.Error("a pipe is not this computer's own")
	}
	if ctx := connContext(context.Background(), a); ctx != context.Background() {
		t.Error("a connection of no Listener is known")
	}
}

// pair is a connection with two addresses, and nothing else.
type pair struct {
	net.Conn
	remote, local string
}

func (p pair) RemoteAddr() net.Addr { return &net.TCPAddr{IP: net.ParseIP(p.remote), Port: 1} }
func (p pair) LocalAddr() net.Addr  { return &net.TCPAddr{IP: net.ParseIP(p.local), Port: 2} }
