package main

import (
	"crypto/tls"
	"fmt"
	"net"
	"net/http"
	"net/http/cookiejar"
	"strings"
	"testing"
	"time"

	"github.com/sabot-table/sabot/display/web"
	"github.com/sabot-table/sabot/internal/testkit/attack"
)

// from is a screen whose connections come from an address, with a session of its own.
func (n *network) from(address string, key web.Key) *http.Client {
	n.t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		n.t.Fatal(err)
	}
	transport := n.browser().Transport.(*http.Transport).Clone()
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(address)}}
	transport.DialContext = dialer.DialContext
	transport.TLSClientConfig = &tls.Config{RootCAs: transport.TLSClientConfig.RootCAs}
	n.t.Cleanup(transport.CloseIdleConnections)
	n.browsers = append(n.browsers, transport)
	by := &http.Client{Jar: jar, Transport: transport}
	n.ask(by, "/enter", `{"key":"`+key.String()+`"}`, http.StatusOK)
	return by
}

// TestAttackLockOutOfSupervisors: screens of the network guess a supervisor's PIN until they may not any more. She is
// let in at another screen and, when so many have guessed that she is locked out on the network, at the table's own.
// Neither a restart nor a right PIN elsewhere gives the guessers another try.
func TestAttackLockOutOfSupervisors(t *testing.T) {
	t.Parallel()
	n := newNetwork(t)
	n.certify(time.Now().AddDate(0, 6, 0))
	keys := map[string]web.Key{}
	var screens []string
	names := []string{"own", "floor", "bar", "door", "hall", "pit"}
	for _, name := range names {
		keys[name] = web.NewKey()
		screens = append(screens, fmt.Sprintf(`{name: %s, role: supervisor, own: %t, key: "%s"}`, name, name == "own",
			keys[name].Hash()))
	}
	n.web = fmt.Sprintf(", cert_file: %s, key_file: %s, screens: [%s]", n.cert, n.file, strings.Join(screens, ", "))
	process := n.start()
	at := map[string]*http.Client{"own": n.from("127.0.0.1", keys["own"])}
	for i, name := range names[1:] {
		at[name] = n.from(fmt.Sprint("127.0.0.", 2+i), keys[name])
	}
	tries, through := 0, 0
	want := func(who, pin string, status int) {
		t.Helper()
		tries++
		response := n.begin(at[who], "/supervisor", pin)
		if response.Body.Close(); response.StatusCode != status {
			through++
			t.Errorf("at %s %s was answered %d, not %d", who, pin, response.StatusCode, status)
		}
	}
	guess := func(who string) {
		want(who, noPIN, http.StatusForbidden)
		want(who, noPIN, http.StatusForbidden)
		want(who, noPIN, http.StatusTooManyRequests)
	}
	for _, who := range []string{"bar", "door", "hall"} {
		guess(who)
		want("floor", annasPIN, http.StatusOK)
		want(who, annasPIN, http.StatusTooManyRequests)
	}
	contains(t, n.ask(at["bar"], "/supervisor", "", http.StatusOK), `"locked":[{"name":"anna"`)
	for _, who := range []string{"floor", "own"} {
		if now := n.ask(at[who], "/supervisor", "", http.StatusOK); strings.Contains(now, "locked") {
			t.Errorf("at %s it is %s", who, now)
		}
	}
	guess("pit") // the fourth
	want("floor", annasPIN, http.StatusTooManyRequests)
	want("own", annasPIN, http.StatusOK)
	process.Kill()
	process = n.start()
	for _, who := range []string{"bar", "floor", "pit"} {
		want(who, annasPIN, http.StatusTooManyRequests)
	}
	want("own", annasPIN, http.StatusOK)
	logs(t, process, "what=tried-while-locked who=anna", "screen=bar")
	n.stop(process)
	attack.Report(t, "lock-outs of a supervisor from the network", tries, through)
}
