package attack

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
)

// attack is one way to attack; try reports whether it got through.
type attack struct {
	name string
	try  func(a *attacker, ctx context.Context) (through bool)
}

// attacks are all of them.
var attacks = []attack{
	{"connections that say nothing", func(a *attacker, ctx context.Context) bool { return a.half(ctx, "") }},
	{"half a TLS greeting", func(a *attacker, ctx context.Context) bool { return a.half(ctx, "\x16\x03\x01\x02") }},
	{"bytes that are no TLS", func(a *attacker, ctx context.Context) bool {
		return a.half(ctx, strings.Repeat("\x00\x1b[2J", 1000))
	}},
	{"half a header", func(a *attacker, ctx context.Context) bool {
		return a.halfRequest(ctx, "GET /events HTTP/1.1\r\nHost: ")
	}},
	{"half a body", func(a *attacker, ctx context.Context) bool {
		return a.halfRequest(ctx, "POST /enter HTTP/1.1\r\nHost: "+a.Address+
			"\r\nContent-Type: application/json\r\nContent-Length: 60\r\n\r\n{\"ke")
	}},
	{"guessed keys of screens", func(a *attacker, ctx context.Context) bool {
		return a.request(ctx, a.stranger(), "/enter", fmt.Sprintf(`{"key":"%064x"}`, a.tries))
	}},
	{"a stranger asks for the view", func(a *attacker, ctx context.Context) bool {
		return a.request(ctx, a.stranger(), "/view.json", "")
	}},
	{"inputs of a screen that may only look", func(a *attacker, ctx context.Context) bool {
		return a.request(ctx, a.View, "/input", `{"in":"open"}`)
	}},
	{"inputs from another site", func(a *attacker, ctx context.Context) bool {
		return a.request(ctx, a.Supervisor, "/input", `{"in":"open"}`, "Origin", "https://evil.example",
			"Sec-Fetch-Site", "cross-site")
	}},
	{"guessed PINs of a supervisor", func(a *attacker, ctx context.Context) bool {
		return a.request(ctx, a.Supervisor, "/supervisor",
			fmt.Sprintf(`{"name":"anna","pin":"%04d"}`, a.tries%10000))
	}},
	{"streams that nobody reads", (*attacker).deafStream},
}

// half connects, sends something, and keeps the connection.
func (a *attacker) half(ctx context.Context, says string) bool {
	c, err := a.dial(ctx)
	if err != nil {
		return false
	}
	a.hold(c)
	_, err = io.WriteString(c, says)
	_ = err // a table that hung up at once is what is wanted
	return false
}

// halfRequest greets as a browser does, sends the beginning of a request, and keeps the connection.
func (a *attacker) halfRequest(ctx context.Context, says string) bool {
	c, err := a.dial(ctx)
	if err != nil {
		return false
	}
	secured := tls.Client(c, a.TLS)
	a.hold(secured)
	if secured.HandshakeContext(ctx) == nil {
		_, err = io.WriteString(secured, says)
		_ = err // as above
	}
	return false
}

// deafStream follows the table as a screen may, and reads nothing of it. How many streams a screen may have is the
// table's to say: getting one is no success.
func (a *attacker) deafStream(ctx context.Context) bool {
	lasting, end := context.WithCancel(context.WithoutCancel(ctx))
	impatient := context.AfterFunc(ctx, end)
	request, err := newRequest(lasting, a.URL+"/events", "")
	if err != nil {
		end()
		return false
	}
	response, err := a.View.Do(request)
	if err != nil || !impatient() {
		end()
		return false
	}
	a.hold(stream{end: end, body: response.Body})
	return false
}

// stream is the body of an answer, held as a connection is.
type stream struct {
	net.Conn
	end  func()
	body io.Closer
}

// Close ends the request, too.
func (s stream) Close() error {
	s.end()
	return s.body.Close()
}

// stranger is a browser that comes from this try's address, and has no session.
func (a *attacker) stranger() *http.Client {
	return &http.Client{
		Transport: &http.Transport{
			TLSClientConfig: a.TLS, DisableKeepAlives: true,
			DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) { return a.dial(ctx) },
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

func newRequest(ctx context.Context, url, body string) (*http.Request, error) {
	if body == "" {
		return http.NewRequestWithContext(ctx, http.MethodGet, url, http.NoBody)
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader(body))
	if err == nil {
		r.Header.Set("Content-Type", "application/json")
	}
	return r, err
}
