package main

import (
	"bufio"
	"crypto/tls"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/sabot-table/sabot/internal/testkit/attack"
	"github.com/sabot-table/sabot/internal/testkit/processes"
	"github.com/sabot-table/sabot/internal/testkit/tier"
)

// half is a request of which the daemon waits for the rest.
type half struct {
	*tls.Conn
	what string
	read *bufio.Reader
	rest string
}

// half sends the head of a POST and a few bytes of its body. It returns when the daemon has asked for the rest: whoever
// sends it may post it.
func (n *network) half(by *http.Client, path, body string) *half {
	n.t.Helper()
	at, err := url.Parse(n.url)
	if err != nil {
		n.t.Fatal(err)
	}
	conn, err := tls.Dial("tcp", at.Host, &tls.Config{
		RootCAs:    by.Transport.(*http.Transport).TLSClientConfig.RootCAs,
		ServerName: "127.0.0.1",
	})
	if err != nil {
		n.t.Fatal(err)
	}
	n.t.Cleanup(func() { conn.Close() })
	if err := conn.SetDeadline(time.Now().Add(processes.Deadline)); err != nil {
		n.t.Fatal(err)
	}
	h := &half{Conn: conn, what: path + " " + body, read: bufio.NewReader(conn)}
	const sent = 4
	head := fmt.Sprintf("POST %s HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: "+
		"%d\r\nExpect: 100-continue\r\n", path, len(body))
	for _, one := range by.Jar.Cookies(at) {
		head += "Cookie: " + one.String() + "\r\n"
	}
	h.send(n.t, head+"\r\n")
	if line, err := h.read.ReadString('\n'); err != nil || !strings.Contains(line, "100 Continue") {
		n.t.Fatalf("half of %s was answered %q, %v", h.what, line, err)
	}
	if _, err := h.read.ReadString('\n'); err != nil {
		n.t.Fatal(err)
	}
	h.send(n.t, body[:sent])
	h.rest = body[sent:]
	return h
}

func (h *half) send(t *testing.T, text string) {
	t.Helper()
	if _, err := io.WriteString(h, text); err != nil {
		t.Fatalf("sending %s: %v", h.what, err)
	}
}

// finish sends the rest, and returns the status of the answer; 0 if the daemon has closed the connection.
func (h *half) finish() int {
	if _, err := io.WriteString(h, h.rest); err != nil {
		return 0
	}
	response, err := http.ReadResponse(h.read, nil)
	if err != nil {
		return 0
	}
	response.Body.Close()
	return response.StatusCode
}

// TestAttackHalfSentRequests: screens begin to post stakes, a dealer's name and a supervisor's PIN, and are removed
// from the configuration before they send the rest. Nothing of it is put in, and nobody is proven or signed in.
func TestAttackHalfSentRequests(t *testing.T) {
	tier.Soak(t, "a built program is attacked for seconds")
	t.Parallel()
	n := newNetwork(t)
	n.certify(time.Now().AddDate(0, 6, 0))
	process := n.start()
	dealer, supervisor := n.enter(n.keys["dealer"], http.StatusOK), n.enter(n.keys["supervisor"], http.StatusOK)
	view := n.enter(n.keys["view"], http.StatusOK)
	n.ask(dealer, "/dealer", `{"name":"dora"}`, http.StatusOK)
	n.ask(dealer, "/input", openBets, http.StatusOK)
	n.awaitIn(`"dora"`)

	var sent []*half
	for i := range 24 {
		line := fmt.Sprintf(`{"in":"stake","wager":"main","box":%d,"bettor":"m%d","amount":1000}`, 1+i%5, i)
		sent = append(sent, n.half(dealer, "/input", line))
	}
	sent = append(
		sent, n.half(dealer, "/dealer", `{"name":"mallory"}`),
		n.half(dealer, "/touch", `{"moment":"","put":[{"in":"close"}]}`),
		n.half(supervisor, "/supervisor", annasPIN), n.half(dealer, "/correct", `{"in":"correct"}`),
	)
	before := n.acts()
	n.may("view")
	hangUp(t, process, "the list of screens that may enter was reloaded")
	through := 0
	for _, one := range sent {
		switch got := one.finish(); got {
		case http.StatusUnauthorized:
		case 0, http.StatusRequestTimeout: // it took the test too long to revoke them
		default:
			through++
			t.Errorf("%s was answered %d", one.what, got)
		}
	}
	n.awaitIn(`"code":"screen-out dealer revoked","by":"dealer-1"`)
	n.awaitIn(`"code":"screen-out supervisor revoked","by":"supervisor-1"`)
	after := strings.TrimPrefix(n.acts(), before)
	for _, line := range []string{`"in":"stake"`, `"in":"close"`, `"in":"dealer"`, "mallory", "proven"} {
		if strings.Contains(after, line) {
			t.Errorf("the journal has %s:\n%s", line, after)
		}
	}
	if now := n.ask(view, "/supervisor", "", http.StatusOK); strings.Contains(now, `"present"`) {
		t.Errorf("a supervisor is proven: %s", now)
	}
	n.stop(process)
	attack.Report(t, "half-sent requests of revoked screens", len(sent), through)
}
