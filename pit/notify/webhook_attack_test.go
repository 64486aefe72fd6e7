package notify_test

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sabot-table/sabot/internal/testkit/attack"
	"github.com/sabot-table/sabot/internal/testkit/processes"
	"github.com/sabot-table/sabot/internal/testkit/system"
	"github.com/sabot-table/sabot/pit/floor"
	"github.com/sabot-table/sabot/pit/notify"
	"github.com/sabot-table/sabot/pit/topic"
)

// begun says when its alerts of before were looked at: what is raised from then on is news.
type begun struct {
	*floor.Floor
	looked func()
}

func (b begun) Changed() <-chan struct{} {
	b.looked()
	return b.Floor.Changed()
}

// curt takes no more of an answer than its head, as a time limit does that ends just then.
type curt struct{}

func (curt) RoundTrip(r *http.Request) (*http.Response, error) {
	ctx, enough := context.WithCancel(r.Context())
	defer enough()
	return http.DefaultTransport.RoundTrip(r.WithContext(ctx))
}

// TestAttackWebhook: whoever answers at the webhook's address leads alerts nowhere else, holds up none that comes
// later, fills no memory, and finds neither the secret nor the address in the pit's log, nor steers whoever reads it.
func TestAttackWebhook(t *testing.T) {
	const secret, token = "Xq7-wunderBar-9", "token-of-the-address"
	var inside sync.Map
	house := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		inside.Store(r.Method+r.URL.Path, true)
	}))
	defer house.Close()
	asked := make(chan string, 100)
	tells := func(w http.ResponseWriter, r *http.Request, body string) {
		switch code := map[string]int{"/301": 301, "/302": 302, "/303": 303, "/307": 307, "/308": 308}[r.URL.Path]; {
		case code != 0:
			http.Redirect(w, r, house.URL+"/elsewhere", code)
		case r.URL.Path == "/endless":
			for r.Context().Err() == nil {
				if _, err := w.Write(make([]byte, 1<<16)); err != nil {
					return
				}
			}
		case r.URL.Path == "/head":
			for i := range 2000 {
				w.Header().Add("X", strings.Repeat("y", 100+i%2))
			}
		case r.URL.Path == "/slow":
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		case r.URL.Path == "/steers":
			conn, _, err := w.(http.Hijacker).Hijack()
			if err == nil {
				// What goes out on a connection that is just being closed is lost, and tried again after a pause that
				// this test leaves out.
				fmt.Fprintf(conn, "HTTP/1.1 400 \x1b[2J\x1b]0;%s\x07\r\nConnection: close\r\nContent-Length: 0\r\n\r\n",
					body)
				conn.Close()
			}
		case r.URL.Path == "/garbage":
			conn, _, err := w.(http.Hijacker).Hijack()
			if err == nil {
				io.WriteString(conn, "\x00\x1b[2J garbage\r\n\r\n")
				conn.Close()
			}
		}
	}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if strings.Contains(string(body)+fmt.Sprint(r.Header), secret) {
			asked <- "the secret"
			return
		}
		asked <- r.URL.Path
		tells(w, r, secret)
	}))
	defer s.Close()
	tries, through := 0, 0
	for _, path := range []string{
		"/301", "/302", "/303", "/307", "/308", "/endless", "/head", "/slow", "/steers",
		"/garbage",
	} {
		f, log := floor.New(floor.Options{}), &system.Text{}
		ready := make(chan struct{})
		var client http.Client
		if path == "/slow" {
			client.Transport = curt{}
		}
		go notify.Webhook{
			Floor: begun{f, sync.OnceFunc(func() { close(ready) })}, URL: s.URL + path + "?" + token,
			Secret:   []byte(secret),
			Patience: time.Nanosecond, Client: &client, Log: slog.New(slog.NewTextHandler(log, nil)),
		}.Run(t.Context())
		processes.Take(t, "the start of the webhook", ready)
		for n := range 3 { // each goes out, whatever became of the one before
			table, err := topic.NewTable("wien", fmt.Sprintf("bj-%d", n))
			if err != nil {
				t.Fatal(err)
			}
			f.Raise(table, floor.JournalRewritten, "record 7", time.Now())
			tries++
			if got := processes.Take(t, "a message to "+path, asked); got != path {
				through++
				t.Errorf("%s is asked as %s", path, got)
			}
		}
		if said := log.String(); strings.Contains(said, secret) && path != "/steers" || strings.Contains(said, token) ||
			strings.ContainsAny(said, "\x1b\x07\x00") {
			through++
			t.Errorf("%s: the log has %q", path, said)
		}
	}
	inside.Range(func(at, _ any) bool {
		through++
		t.Errorf("what is inside was asked for: %v", at)
		return true
	})
	attack.Report(t, "pit: whoever answers at the webhook's address", tries, through)
}
