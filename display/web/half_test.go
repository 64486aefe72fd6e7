package web_test

import (
	"bufio"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/sabot-table/sabot/display/web"
	"github.com/sabot-table/sabot/internal/testkit/attack"
)

// half is a request whose first bytes alone were sent.
type half struct {
	net.Conn
	rest string
}

// half sends the head of a request and the first bytes of its body, with the cookie of whoever sends it.
func (g *guarded) half(by *http.Client, method, path, body string) *half {
	g.t.Helper()
	conn, err := tls.Dial("tcp", g.Listener.Addr().String(), g.Client().Transport.(*http.Transport).TLSClientConfig)
	if err != nil {
		g.t.Fatal(err)
	}
	g.t.Cleanup(func() { conn.Close() })
	if err := conn.SetDeadline(time.Now().Add(deadline)); err != nil {
		g.t.Fatal(err)
	}
	const sent = 4
	head := fmt.Sprintf("%s %s HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: %d\r\n",
		method, path, len(body))
	if _, err := io.WriteString(conn, head+g.cookies(by)+"\r\n"+body[:sent]); err != nil {
		g.t.Fatal(err)
	}
	return &half{conn, body[sent:]}
}

// cookies are the lines with which a browser says who it is.
func (g *guarded) cookies(by *http.Client) (lines string) {
	g.t.Helper()
	page, err := url.Parse(g.URL)
	if err != nil {
		g.t.Fatal(err)
	}
	for _, one := range by.Jar.Cookies(page) {
		lines += "Cookie: " + one.String() + "\r\n"
	}
	return lines
}

// answered sends what is to follow, and returns the status of the answer.
func (h *half) answered(t *testing.T, follows string) int {
	t.Helper()
	if _, err := io.WriteString(h, follows); err != nil {
		t.Fatal(err)
	}
	response, err := http.ReadResponse(bufio.NewReader(h), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if _, err := io.ReadAll(response.Body); err != nil {
		t.Error(err)
	}
	return response.StatusCode
}

// posts are what may be put in, and something that each takes.
func (g *guarded) posts() map[string]string {
	bodies := map[string]string{
		"/enter": `{"key":"` + g.keys[web.Supervisor].String() + `"}`, "/input": `{"in":"open"}`,
		"/touch": `{"moment":"now","put":[{"in":"open"}]}`, "/supervisor": `{"name":"anna","pin":"2580"}`,
		"/dealer": `{"name":"mallory"}`, "/dealer/badge": `{"badge":"00417788"}`,
	}
	posts := map[string]string{}
	for _, route := range web.RoutesOf(g.server) {
		if route[0] == http.MethodPost {
			posts[route[1]] = bodies[route[1]]
			if bodies[route[1]] == "" {
				posts[route[1]] = "{      }"
			}
		}
	}
	return posts
}

// TestAttackHalfSentPosts: half of each request is sent with the key of a screen that may ask for it, and the rest when
// the screen was removed. Nothing is done, and nobody is proven.
func TestAttackHalfSentPosts(t *testing.T) {
	g := guard(t)
	g.patience = deadline
	g.open()
	sent := map[string]*half{}
	by := g.entered(web.Supervisor)
	for path, body := range g.posts() {
		sent[path] = g.half(by, http.MethodPost, path, body)
	}
	g.access.Change(nil)
	g.tells()
	through := 0
	for path, one := range sent {
		want := http.StatusUnauthorized
		if path == "/enter" {
			want = http.StatusForbidden
		}
		if got := one.answered(t, one.rest); got != want {
			through++
			t.Errorf("%s was answered %d, want %d", path, got, want)
		}
	}
	if told := g.tells(); len(g.table.taken) != 0 || len(g.people.asked) != 0 || strings.Contains(told, "screen-in") {
		t.Errorf("the table took %v, of people it was asked %q, and it was told %q", g.table.taken,
			g.people.asked, told)
	}
	attack.Report(t, "half-sent requests, by route", len(sent), through)
}

// TestAttackWithheldBodies: whoever does not go on with a request is not waited for, whether the table knows them or
// not, and whatever they ask for.
func TestAttackWithheldBodies(t *testing.T) {
	g := guard(t)
	supervisor := g.entered(web.Supervisor)
	g.patience, g.forgiving = 10*time.Millisecond, true
	g.open()
	tries, through := 0, 0
	for path, body := range g.posts() {
		for _, by := range []*http.Client{g.screen(), supervisor} {
			tries++
			if got := g.half(by, http.MethodPost, path, body).answered(t, ""); got != http.StatusRequestTimeout {
				through++
				t.Errorf("half a POST %s was answered %d", path, got)
			}
		}
	}
	for _, path := range []string{"/", "/events", "/assets/enter.js", "/nowhere"} {
		tries++
		got := g.half(supervisor, http.MethodGet, path, "{      }").answered(t, "")
		if got != http.StatusRequestTimeout {
			through++
			t.Errorf("half a GET %s was answered %d", path, got)
		}
	}
	if len(g.table.taken) != 0 || len(g.people.asked) != 0 {
		t.Errorf("the table took %v, and of people it was asked %q", g.table.taken, g.people.asked)
	}
	attack.Report(t, "requests whose rest is withheld", tries, through)
}

// TestAttackUnreadAnswers: whoever asks and asks and takes no answer loses the connection.
func TestAttackUnreadAnswers(t *testing.T) {
	g := guard(t)
	dealer := g.entered(web.Dealer)
	g.patience = 10 * time.Millisecond
	g.open()
	const request = "GET /help HTTP/1.1\r\nHost: 127.0.0.1\r\n"
	conn, err := g.half(dealer, http.MethodGet, "/", "    "), error(nil) // which is all of it
	for err == nil {
		_, err = io.WriteString(conn, request+g.cookies(dealer)+"\r\n")
	}
	through := 0
	if errors.Is(err, os.ErrDeadlineExceeded) {
		through++
	}
	attack.Report(t, "answers that nobody takes", 1, through)
}
