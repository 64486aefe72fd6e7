package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/cookiejar"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/sabot-table/sabot/display/web"
	"github.com/sabot-table/sabot/internal/site"
	"github.com/sabot-table/sabot/internal/testkit/brokertest"
	"github.com/sabot-table/sabot/internal/testkit/processes"
)

// network is a world whose page is served on every address of the machine, with a
// screen of each role.
type network struct {
	*world
	url        string
	cert, file string // the certificate, and its key
	keys       map[string]web.Key
	browsers   []*http.Transport
}

func newNetwork(t *testing.T) *network {
	t.Helper()
	n := &network{world: newWorld(t, nil), keys: map[string]web.Key{}}
	_, port, err := net.SplitHostPort(n.page)
	if err != nil {
		t.Fatal(err)
	}
	n.page, n.url = "0.0.0.0:"+port, "https://127.0.0.1:"+port
	n.cert, n.file = filepath.Join(n.dir, "page.crt"), filepath.Join(n.dir, "page.key")
	n.supervisors = supervisedBy("anna")
	n.may("view", "dealer", "supervisor")
	return n
}

// certify puts a certificate in place that expires then.
func (n *network) certify(until time.Time) {
	n.t.Helper()
	cert, key, err := site.SelfSigned([]string{"127.0.0.1", "table.example"}, until.AddDate(-1, 0, 0), until)
	if err != nil {
		n.t.Fatal(err)
	}
	write(n.t, n.cert, string(cert))
	write(n.t, n.file, string(key))
}

// may writes which screens may enter, by their roles, own for the table's own, and, after a hyphen, what tells two of a
// role apart; each has a key from then on. It applies once the daemon reads the configuration.
func (n *network) may(roles ...string) {
	n.t.Helper()
	var screens []string
	for _, name := range roles {
		role, _, _ := strings.Cut(name, "-")
		if _, has := n.keys[name]; !has {
			n.keys[name] = web.NewKey()
		}
		if role == "own" {
			role = "supervisor, own: true"
		}
		screens = append(screens, fmt.Sprintf(`{name: %s-1, role: %s, key: "%s"}`, name, role, n.keys[name].Hash()))
	}
	n.web = fmt.Sprintf(", cert_file: %s, key_file: %s, screens: [%s]", n.cert, n.file, strings.Join(screens, ", "))
	write(n.t, n.config, n.text(n.path, n.page))
}

// browser is a screen's browser, which trusts the present certificate.
func (n *network) browser() *http.Client {
	n.t.Helper()
	pem, err := os.ReadFile(n.cert)
	if err != nil {
		n.t.Fatal(err)
	}
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(pem) {
		n.t.Fatal("the certificate is none")
	}
	jar, err := cookiejar.New(nil)
	if err != nil {
		n.t.Fatal(err)
	}
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}, ForceAttemptHTTP2: true}
	n.t.Cleanup(transport.CloseIdleConnections)
	n.browsers = append(n.browsers, transport)
	return &http.Client{Jar: jar, Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse
	}}
}

// stop ends the program once no browser has a connection of which nothing is asked: it would wait a second for each.
func (n *network) stop(p *processes.Process) {
	n.t.Helper()
	for _, one := range n.browsers {
		one.CloseIdleConnections()
	}
	p.Stop()
}

// ask requests a path, and wants this status; a body is posted.
func (n *network) ask(by *http.Client, path, body string, status int, with ...func(*http.Request)) string {
	n.t.Helper()
	response := n.begin(by, path, body, with...)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != status {
		n.t.Errorf("%s %s was answered %s, want %d: %s, %v", path, body, response.Status, status, text, err)
	}
	return string(text)
}

func (n *network) begin(by *http.Client, path, body string, with ...func(*http.Request)) *http.Response {
	n.t.Helper()
	method := http.MethodGet
	if body != "" {
		method = http.MethodPost
	}
	ctx, cancel := context.WithTimeout(n.t.Context(), processes.Deadline)
	n.t.Cleanup(cancel)
	r, err := http.NewRequestWithContext(ctx, method, n.url+path, strings.NewReader(body))
	if err != nil {
		n.t.Fatal(err)
	}
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for _, change := range with {
		change(r)
	}
	response, err := by.Do(r)
	if err != nil {
		n.t.Fatal(err)
	}
	n.t.Cleanup(func() { response.Body.Close() })
	return response
}

// enter enters with a key, and wants this answer.
func (n *network) enter(key web.Key, status int) *http.Client {
	n.t.Helper()
	by := n.browser()
	body, err := json.Marshal(map[string]string{"key": key.String()})
	if err != nil {
		n.t.Fatal(err)
	}
	n.ask(by, "/enter", string(body), status)
	return by
}

// awaitIn waits until the journal has an input: one that is posted without waiting for its
// answer gets there a moment later.
func (n *network) awaitIn(part string) {
	n.t.Helper()
	brokertest.Until(n.t, "the journal has "+part, func() bool {
		inputs, _ := n.records()
		return strings.Contains(inputs, part)
	})
}

// prove enters anna's PIN at a screen, and waits until that is on record: it is a moment after the answer.
func (n *network) prove(by *http.Client) {
	n.t.Helper()
	proofs := func() int {
		inputs, _ := n.records()
		return strings.Count(inputs, `"code":"proven","by":"anna"`)
	}
	before := proofs()
	n.ask(by, "/supervisor", annasPIN, http.StatusOK)
	brokertest.Until(n.t, "the journal has one more proof", func() bool { return proofs() > before })
}

// acts are the journal's inputs except the shoe's, and the word that the computer's clock is not set by another, which
// come at any time.
func (n *network) acts() string {
	n.t.Helper()
	inputs, _ := n.records()
	var acts strings.Builder
	for line := range strings.Lines(inputs) {
		if !strings.HasPrefix(line, `{"in":"shoe"`) && !strings.Contains(line, `"code":"clock-unsynchronized"`) {
			acts.WriteString(line)
		}
	}
	return acts.String()
}

// hangUp makes the daemon read the configuration again.
func hangUp(t *testing.T, p *processes.Process, says string) {
	t.Helper()
	if err := syscall.Kill(p.PID(), syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	logs(t, p, says)
}

const openBets = `{"in":"open"}`

// TestScreensOnANetwork: a table that other machines can reach lets in a browser with a
// screen's key, and that screen may do what its role allows; nothing else changes the
// journal. No key is in anything that is written or sent.
func TestScreensOnANetwork(t *testing.T) {
	t.Parallel()
	n := newNetwork(t)
	n.certify(time.Now().AddDate(0, 6, 0))
	messages := brokertest.Subscribe(t, n.broker.Addr(), "#")
	process := n.start()
	if want := strings.Replace(n.url, "127.0.0.1", "table.example", 1) + "/"; process.URL != want {
		t.Errorf("the page is at %s, and not at %s", process.URL, want)
	}
	n.awaitIn(`"event":"online"`)
	before := n.acts()

	html := func(r *http.Request) { r.Header.Set("Accept", "text/html") }
	nobody := n.browser()
	n.ask(nobody, "/", "", http.StatusSeeOther, html)
	contains(t, n.ask(nobody, "/enter", "", http.StatusOK), "does not know this screen", "/assets/enter.js")
	for _, path := range []string{"/view.json", "/events?as=json", "/recall", "/supervisor"} {
		n.ask(nobody, path, "", http.StatusUnauthorized)
	}
	for _, path := range []string{"/input", "/supervisor", "/dealer", "/leave"} {
		n.ask(nobody, path, openBets, http.StatusUnauthorized)
	}
	if response, err := http.Get("http://" + n.page + "/"); err != nil || response.StatusCode != http.StatusBadRequest {
		t.Errorf("without TLS it was answered %v, %v", response, err)
	} else {
		response.Body.Close()
	}
	if after := n.acts(); after != before {
		t.Errorf("strangers changed the journal:\n%s", after)
	}

	n.enter(web.NewKey(), http.StatusForbidden)
	n.awaitIn(`"code":"screen-refused wrong-key 127.0.0.1"`)
	view, dealer := n.enter(n.keys["view"], http.StatusOK), n.enter(n.keys["dealer"], http.StatusOK)
	n.awaitIn(`"code":"screen-in view 127.0.0.1","by":"view-1"`)
	n.awaitIn(`"code":"screen-in dealer 127.0.0.1","by":"dealer-1"`)
	before = n.acts()
	contains(t, n.ask(view, "/", "", http.StatusOK), `data-role="view"`)
	contains(t, n.ask(view, "/view.json", "", http.StatusOK), `"bj-1"`)
	contains(t, n.ask(view, "/input", openBets, http.StatusForbidden), "a screen of role view may not do this")
	n.ask(view, "/recall", "", http.StatusForbidden)
	n.ask(view, "/dealer", `{"name":"dora"}`, http.StatusForbidden)
	n.ask(dealer, "/supervisor", annasPIN, http.StatusForbidden)
	for _, elsewhere := range []func(*http.Request){
		func(r *http.Request) { r.Header.Set("Origin", "https://evil.example") },
		func(r *http.Request) { r.Header.Set("Origin", "null") },
		func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") },
		func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "same-site") },
	} {
		n.ask(dealer, "/input", openBets, http.StatusForbidden, elsewhere)
	}
	n.ask(dealer, "/input", openBets, http.StatusMisdirectedRequest, func(r *http.Request) { r.Host = "evil.example" })
	if after := n.acts(); after != before {
		t.Errorf("what is not allowed changed the journal:\n%s", after)
	}
	n.ask(dealer, "/input", openBets, http.StatusOK, func(r *http.Request) { r.Header.Set("Origin", n.url) })
	n.ask(dealer, "/recall", "", http.StatusOK)
	contains(t, n.ask(n.enter(n.keys["supervisor"], http.StatusOK), "/supervisor", annasPIN, http.StatusOK),
		`"present":"anna"`)
	logs(t, process, "may not do", "screen=view-1", "what=screen-refused why=wrong-key from=127.0.0.1",
		"what=screen-in screen=dealer-1 role=dealer from=127.0.0.1")
	n.stop(process)
	n.nowhere([]string{n.keys["view"].String(), n.keys["dealer"].String(), "opensesame"}, process, messages)
}

// TestScreenIsRevoked: a screen that is removed from the configuration loses its
// stream at once, and the others notice nothing. A kill ends no session; a file
// with faults changes nothing.
func TestScreenIsRevoked(t *testing.T) {
	t.Parallel()
	n := newNetwork(t)
	n.certify(time.Now().AddDate(0, 6, 0))
	process := n.start()
	view, dealer := n.enter(n.keys["view"], http.StatusOK), n.enter(n.keys["dealer"], http.StatusOK)
	process.Kill()
	process = n.start()
	gone, stays := n.begin(view, "/events", ""), n.begin(dealer, "/events", "")
	if gone.StatusCode != http.StatusOK || stays.StatusCode != http.StatusOK {
		t.Fatalf("after a kill the screens were answered %s and %s", gone.Status, stays.Status)
	}

	write(t, n.config, "site: test\n")
	hangUp(t, process, "the configuration was not reloaded")
	n.ask(view, "/view.json", "", http.StatusOK)

	n.limits += "boxes: 5\n"
	n.may("dealer")
	hangUp(t, process, "other changes in the configuration wait for the next start")
	text, err := io.ReadAll(gone.Body)
	if err != nil || !strings.HasSuffix(string(text), `<main id="table" data-build="over"></main>`+"\n\n") {
		t.Errorf("the stream ended with %q, %v", text[max(0, len(text)-100):], err)
	}
	n.ask(view, "/view.json", "", http.StatusUnauthorized)
	n.enter(n.keys["view"], http.StatusForbidden)
	n.ask(dealer, "/input", openBets, http.StatusOK)
	n.awaitIn(`"code":"screen-out view revoked","by":"view-1"`)
	if _, err := stays.Body.Read(make([]byte, 1)); err != nil {
		t.Errorf("the dealer's stream ended: %v", err)
	}
	process.Stop() // with a stream open
}

// TestCertificateIsReplaced while the table runs: screens refuse an expired certificate, a
// damaged one changes nothing, and with the new one they can enter.
func TestCertificateIsReplaced(t *testing.T) {
	t.Parallel()
	n := newNetwork(t)
	n.certify(time.Now().Add(-time.Hour))
	process := n.start()
	logs(t, process, "THE PAGE'S CERTIFICATE HAS EXPIRED")
	refused := func(why x509.InvalidReason) {
		t.Helper()
		_, err := n.browser().Get(n.url + "/")
		var invalid x509.CertificateInvalidError
		if !errors.As(err, &invalid) || invalid.Reason != why {
			t.Errorf("a screen was answered %v", err)
		}
	}
	refused(x509.Expired)
	old, err := os.ReadFile(n.cert)
	if err != nil {
		t.Fatal(err)
	}
	write(t, n.cert, "damaged")
	if _, err := http.Get(n.url + "/"); err == nil {
		t.Error("a screen that trusts nobody was let in")
	}
	logs(t, process, "the page's new certificate cannot be used")
	write(t, n.cert, string(old))
	refused(x509.Expired)

	n.certify(time.Now().AddDate(0, 0, 20))
	dealer := n.enter(n.keys["dealer"], http.StatusOK)
	n.ask(dealer, "/", "", http.StatusOK)
	logs(t, process, "the page's certificate was replaced", "expires within a month")
	n.certify(time.Now().AddDate(0, 0, 3))
	n.ask(n.enter(n.keys["dealer"], http.StatusOK), "/", "", http.StatusOK)
	logs(t, process, "expires within a week")
	n.stop(process)
}
