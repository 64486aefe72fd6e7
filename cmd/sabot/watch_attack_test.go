package main

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"crypto/tls"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/sabot-table/sabot/display/web"
	"github.com/sabot-table/sabot/internal/testkit/attack"
	"github.com/sabot-table/sabot/internal/testkit/brokertest"
	"github.com/sabot-table/sabot/internal/testkit/tier"
)

// rogue is a server in the place of a table's display.
type rogue struct {
	name string
	// serve answers; elsewhere is the address of another host, which nobody may ask.
	serve func(w http.ResponseWriter, r *http.Request, elsewhere string)
	// says is what watch must say.
	says string
}

// entered gives the session, and leaves the stream to what follows.
func entered(stream func(w io.Writer)) func(http.ResponseWriter, *http.Request, string) {
	return func(w http.ResponseWriter, r *http.Request, _ string) {
		if r.URL.Path == "/enter" {
			http.SetCookie(w, &http.Cookie{Name: "__Host-sabot", Value: "session", Path: "/", Secure: true})
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		stream(flushing{w, http.NewResponseController(w)})
	}
}

// flushing writes each text at once.
type flushing struct {
	io.Writer
	control *http.ResponseController
}

func (f flushing) Write(b []byte) (int, error) {
	n, err := f.Writer.Write(b)
	if err == nil {
		err = f.control.Flush()
	}
	return n, err
}

// repeat writes a text until the reader leaves, at most so often.
func repeat(text string, times int) func(io.Writer) {
	return func(w io.Writer) {
		for range times {
			if _, err := io.WriteString(w, text); err != nil {
				return
			}
		}
	}
}

// raw takes the connection over and writes whatever it likes.
func raw(write func(net.Conn)) func(http.ResponseWriter, *http.Request, string) {
	return func(w http.ResponseWriter, _ *http.Request, _ string) {
		conn, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			panic(err)
		}
		defer conn.Close()
		write(conn)
	}
}

func text(s string) func(net.Conn) {
	return func(c net.Conn) { _, _ = io.WriteString(c, s) } // watch may be gone
}

var block = strings.Repeat("x", 1<<20)

// rogues are the servers that watch is pointed at.
var rogues = []rogue{
	{"the key sent to another host", func(w http.ResponseWriter, r *http.Request, elsewhere string) {
		http.Redirect(w, r, elsewhere+"/enter", http.StatusTemporaryRedirect)
	}, "sends to another address"},
	{"the key sent to another host, for good", func(w http.ResponseWriter, r *http.Request, elsewhere string) {
		http.Redirect(w, r, elsewhere+"/enter", http.StatusPermanentRedirect)
	}, "sends to another address"},
	{"the stream sent to another host", func(w http.ResponseWriter, r *http.Request, elsewhere string) {
		if r.URL.Path == "/enter" {
			entered(nil)(w, r, elsewhere)
			return
		}
		http.Redirect(w, r, elsewhere+"/events", http.StatusFound)
	}, "sends to another address"},
	{"redirects without end", func(w http.ResponseWriter, r *http.Request, _ string) {
		http.Redirect(w, r, r.URL.Path+"x", http.StatusSeeOther)
	}, "sends to another address"},
	{"a key taken without a session", func(http.ResponseWriter, *http.Request, string) {}, "gave no session"},
	{"a session of 20 kB", func(w http.ResponseWriter, _ *http.Request, _ string) {
		http.SetCookie(w, &http.Cookie{Name: "__Host-sabot", Value: block[:20<<10], Path: "/", Secure: true})
	}, "gave no session"},
	{"cookies for other hosts", func(w http.ResponseWriter, _ *http.Request, _ string) {
		http.SetCookie(w, &http.Cookie{Name: "sabot", Value: "1", Domain: "localhost", Path: "/"})
	}, "gave no session"},
	{
		"an address that steers the terminal",
		raw(text("HTTP/1.1 303 See Other\r\nLocation: /\x07\u009b2Jall is well\r\nContent-Length: 0\r\n\r\n")),
		"No connection to the table",
	},
	{
		"a status that steers the terminal",
		raw(text("HTTP/1.1 404 \x1b[2J\x1b[Hall is well\r\nContent-Length: 0\r\n\r\n")), "404 Not Found",
	},
	{
		"a lost status that steers the terminal",
		raw(text("HTTP/1.1 500 \x1b[2J\x1b[Hall is well\r\nContent-Length: 0\r\n\r\n")), "500 Internal Server Error",
	},
	{"no HTTP at all", raw(text("\x1b[2J\x1b[Hall is well\r\n\r\n")), "No connection to the table"},
	{"wrong types", entered(repeat("data: {\"boxes\":{\"seq\":[]}}\n\n", 1)), "what is no view"},
	{"fields of no view", entered(repeat("data: {\"seq\":1,\"\\u001b[2J\":1}\n\n", 1)), "what is no view"},
	{
		"80,000 boxes in a line", entered(repeat("data: {\"boxes\":["+strings.Repeat("{},", 80_000)+"{}]}\n\n", 1)),
		"what is no view",
	},
	{"lists in lists", entered(repeat("data: "+strings.Repeat("[", 200_000)+"\n\n", 1)), "what is no view"},
	{
		"a currency with 2,000,000,000 decimals",
		entered(repeat("data: {\"digits\":2000000000,\"due\":{\"to\":\"bank\"}}\n\n", 1)), "what is no view",
	},
	{"numbers that are too large", entered(repeat("data: {\"min\":1e300}\n\n", 1)), "what is no view"},
	{"a stream that ends", entered(repeat("event: beat\ndata:\n\n", 3)), "ended the stream"},
}

// floods are those that send more than watch may take.
var floods = []rogue{
	{"headers without end", raw(func(c net.Conn) {
		text("HTTP/1.1 200 OK\r\n")(c)
		for range 100_000 {
			if _, err := io.WriteString(c, "X-"+block[:100]+": "+block[:1000]+"\r\n"); err != nil {
				return
			}
		}
	}), "No connection to the table"},
	{
		"a line of 300 MB", entered(func(w io.Writer) { _, _ = io.WriteString(w, "data: "); repeat(block, 300)(w) }),
		"a line of more than",
	},
	{"lines of no stream, 300 MB", entered(repeat(strings.Repeat("\x1b[2J\n", 1<<17), 400)), "no table's display"},
	{"a gigabyte in a few packed bytes", func(w http.ResponseWriter, r *http.Request, _ string) {
		w.Header().Set("Content-Encoding", "gzip")
		entered(func(to io.Writer) {
			z := gzip.NewWriter(to)
			repeat(strings.Repeat("data:\n", 1<<17), 1300)(z)
			_ = z.Close() // watch may be gone
		})(w, r, "")
	}, "no table's display"},
}

// silentFor is what watch says of a server that says nothing, with the time that it has waited.
const silentFor = "nothing heard for "

// silent are those that say nothing that counts.
var silent = []rogue{
	{"no answer", func(_ http.ResponseWriter, r *http.Request, _ string) { <-r.Context().Done() }, silentFor},
	{"a stream that is silent", func(w http.ResponseWriter, r *http.Request, _ string) {
		entered(repeat("\n", 1))(w, r, "")
		if r.URL.Path != "/enter" {
			<-r.Context().Done()
		}
	}, silentFor},
	{"a line that drips", entered(func(w io.Writer) { drip(w, "data: {\"seq\"", ":") }), silentFor},
	{"empty lines that drip", entered(func(w io.Writer) { drip(w, "", "\n") }), silentFor},
	{"headers that drip", raw(func(c net.Conn) { drip(c, "HTTP/1.1 200 OK\r\nX-Drip: ", "x") }), silentFor},
}

// drip writes slowly until nobody reads any more: that it takes time is the attack.
func drip(w io.Writer, first, drop string) {
	for _, err := io.WriteString(w, first); err == nil; _, err = io.WriteString(w, drop) {
		time.Sleep(10 * time.Millisecond)
	}
}

// watcher watches until it says something, or ends, and returns all that it has written.
type watcher func(t *testing.T, says string, args ...string) (written string)

// TestAttackWatchTrustsNothing points watch at servers that are no table. It says what is wrong, in bounded memory,
// asks nobody else, and none of their bytes steers the terminal.
func TestAttackWatchTrustsNothing(t *testing.T) {
	program := plain(t)
	bounded := func(t *testing.T, says string, args ...string) string {
		return watchedWithin(t, program, says, args...)
	}
	quick := watched
	wait := 100 * time.Millisecond
	if tier.InSoak() {
		quick, wait = bounded, 0
	}
	key := web.NewKey()
	keyFile := write(t, key.String()+"\n")
	var tries, through atomic.Int64
	for _, group := range []struct {
		name   string
		rogues []rogue
		watch  watcher
		wait   time.Duration
	}{{"at once", rogues, quick, time.Minute}, {"floods", floods, bounded, 0}, {"silent", silent, quick, wait}} {
		t.Run(group.name, func(t *testing.T) {
			silence = group.wait
			t.Cleanup(func() { silence = 0 }) // once all of the group have ended
			for _, r := range group.rogues {
				if r.says == silentFor {
					r.says += cmp.Or(group.wait, 2*time.Second).String()
				}
				t.Run(r.name, func(t *testing.T) {
					t.Parallel()
					tries.Add(1)
					if wrong := r.attack(t, keyFile, group.watch); wrong != "" {
						through.Add(1)
						t.Error(wrong)
					}
				})
			}
		})
	}
	attack.Report(t, "servers that watch is pointed at", int(tries.Load()), int(through.Load()))
}

// attack says what the server has achieved, "" for nothing.
func (r *rogue) attack(t *testing.T, keyFile string, watch watcher) (wrong string) {
	var asked atomic.Int64
	other := secret(t, func(http.ResponseWriter, *http.Request) { asked.Add(1) })
	page := secret(t, func(w http.ResponseWriter, req *http.Request) { r.serve(w, req, other.URL) })
	pair := append(certificateOf(page), certificateOf(other)...) // even a trusted host gets nothing
	screen := watch(t, r.says, "watch", "--ca", write(t, string(pair)), "--key", keyFile, page.URL)
	switch {
	case asked.Load() != 0:
		return fmt.Sprintf("another host was asked %d times", asked.Load())
	case !strings.Contains(screen, r.says):
		return fmt.Sprintf("it does not say %q: %q", r.says, screen)
	case strings.ContainsAny(screen, "\x07\u009b") || strings.Contains(screen, "\x1b[2J"):
		return fmt.Sprintf("it has written what steers the terminal: %q", screen)
	}
	return ""
}

// watched watches within the test.
func watched(t *testing.T, says string, args ...string) string {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var out screen
	return out.until(t, says, func() { run(ctx, args, env{strings.NewReader(""), &out, &out}) }, stop)
}

// watchedWithin watches with the program, in bounded memory.
func watchedWithin(t *testing.T, program, says string, args ...string) string {
	t.Helper()
	var out screen
	cmd := within(program, args...)
	cmd.Env = append(os.Environ(), "NO_COLOR=1")
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return out.until(t, says, func() { _ = cmd.Wait() }, func() {
		if err := cmd.Process.Signal(syscall.SIGINT); err != nil && !errors.Is(err, os.ErrProcessDone) {
			t.Error(err)
		}
	})
}

// until stops what writes to a screen once that says something or has lost the table, and waits for its end.
func (s *screen) until(t *testing.T, says string, wait, stop func()) (written string) {
	t.Helper()
	ended := make(chan struct{})
	var over atomic.Bool
	go func() {
		defer close(ended)
		wait()
		over.Store(true)
	}()
	brokertest.Until(t, "watch has said that something is wrong", func() bool {
		return over.Load() || s.shows(says) || s.shows("No connection to the table")
	})
	if !over.Load() {
		stop()
	}
	<-ended
	return s.String()
}

// secret serves over TLS with a certificate of its own, as HTTP/1.1.
func secret(t *testing.T, serve http.HandlerFunc) *httptest.Server {
	t.Helper()
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // only then does the server notice who has left
		serve(w, r)
	}))
	s.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelDebug)
	s.TLS = &tls.Config{NextProtos: []string{"http/1.1"}}
	s.StartTLS()
	t.Cleanup(func() {
		s.CloseClientConnections()
		s.Close()
	})
	return s
}

func certificateOf(s *httptest.Server) []byte {
	var b bytes.Buffer
	if err := pem.Encode(&b, &pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw}); err != nil {
		panic(err) // a buffer takes everything
	}
	return b.Bytes()
}

// TestAttackWatchUntrusted: to a server whose certificate nobody vouches for, nothing is sent.
func TestAttackWatchUntrusted(t *testing.T) {
	key := web.NewKey()
	var asked atomic.Int64
	page := secret(t, func(http.ResponseWriter, *http.Request) { asked.Add(1) })
	keyFile := write(t, key.String()+"\n")
	const says = "not trusted here"
	for _, args := range [][]string{{"--key", keyFile}, {}} {
		screen := watched(t, says, append(append([]string{"watch"}, args...), page.URL)...)
		if !strings.Contains(screen, says) {
			t.Errorf("it does not say %q: %q", says, screen)
		}
	}
	attack.Report(t, "watch at a display with a false certificate", 2, int(asked.Load()))
}
