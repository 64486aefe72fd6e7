package main

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/attack"
	"github.com/sabot-table/sabot/internal/testkit/tier"
)

// methods are those of HTTP, and one that is none.
var methods = []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT", "SPY"}

// triedAt are the methods that are tried at a route. make test tries those that routes have at all of them, and the
// others in turn; make soak tries all.
func triedAt(route int) (list []string) {
	usual := []string{http.MethodGet, http.MethodHead, http.MethodPost}
	for i, method := range methods {
		if slices.Contains(usual, method) || (route+i)%tier.Times(7, 1) == 0 {
			list = append(list, method)
		}
	}
	return list
}

// answers says whether a row answers a method: who may look may also ask for the head alone.
func (r row) answers(method string) bool {
	return r.method == method || r.method == http.MethodGet && method == http.MethodHead
}

// TestAttackMatrix: every route, for a stranger and for each role, by every method. Who may ask is let in; nobody else
// is, and no other method is answered. What is posted is no more than a form that nothing takes: who is told that is
// let in.
func TestAttackMatrix(t *testing.T) {
	a := newAttacked(t, withBroker)
	crowd := a.crowd(len(a.rows))
	tries, through, let := 0, 0, 0
	for i, r := range a.rows {
		path := r.filled("x")
		for _, who := range everyone() {
			token := ""
			if who != strangers {
				token = crowd[who][i]
			}
			for _, method := range triedAt(i) {
				ask := request{method: method, target: path, token: token}
				if !slices.Contains([]string{"GET", "HEAD", "TRACE", "CONNECT"}, method) {
					ask.body = `{"nothing":1}`
				}
				got := a.ask(ask)
				wanted := slices.ContainsFunc(a.rows, func(other row) bool {
					return other.path == r.path && other.answers(method) && other.may(who)
				})
				if wanted {
					let++
					whomItCalls := strings.HasPrefix(r.path, "/alerts/{id}/") &&
						(who == "viewer" || who == "cashier" || who == "technician")
					// who is there already is led on, and strangers are asked there
					leads := strings.HasPrefix(r.path, "/enter")
					if !got.in() && !whomItCalls && !leads {
						t.Errorf("%s %s by %s, who may, is answered with %d %.200s", method, path, who,
							got.status, got.text)
					}
					continue
				}
				tries++
				if refused := got.status >= 400 && got.status < 600; got.in() &&
					!(refused && !a.answered(r.path, method)) {
					through++
					t.Errorf("%s %s by %s, who may not, is answered with %d %.200s", method, path, who,
						got.status, got.text)
				}
			}
		}
	}
	t.Logf("%d were let in", let)
	attack.Report(t, "pit: routes × roles × methods", tries, through)
}

// answered says whether anybody may ask for a path by a method: else no answer but a refusal is right.
func (a *attacked) answered(path, method string) bool {
	return slices.ContainsFunc(a.rows, func(other row) bool { return other.path == path && other.answers(method) })
}

// TestAttackElsewhere: with a manager's cookie, what a page of another site, of another port or another scheme has a
// browser send, and what comes to another host's name, gets nothing and changes nothing.
func TestAttackElsewhere(t *testing.T) {
	tier.Soak(t, "a built program is attacked for seconds")
	a := newAttacked(t, withBroker)
	_, port, _ := strings.Cut(a.host, ":")
	type from struct {
		what, host string
		header     []string
		// link says that a person may come so, by a link.
		link bool
	}
	all := []from{
		{what: "another site's script", header: []string{
			"Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: cors",
			"Sec-Fetch-Dest: empty", "Origin: https://evil.example",
		}},
		{what: "another site's image", header: []string{
			"Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: no-cors",
			"Sec-Fetch-Dest: image",
		}},
		{what: "another site's frame", header: []string{
			"Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate",
			"Sec-Fetch-Dest: iframe",
		}},
		{what: "a neighbour's script", header: []string{
			"Sec-Fetch-Site: same-site", "Sec-Fetch-Mode: cors",
			"Sec-Fetch-Dest: empty",
		}},
		{what: "a word that no browser says", header: []string{"Sec-Fetch-Site: Same-Origin", "Sec-Fetch-Mode: cors"}},
		{what: "another site's form", header: []string{
			"Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate",
			"Sec-Fetch-Dest: document", "Origin: https://evil.example",
		}, link: false},
		{what: "another site, in an old browser", header: []string{"Origin: https://evil.example"}},
		{what: "no site", header: []string{"Origin: null"}},
		{what: "another scheme", header: []string{"Origin: https://" + a.host}},
		{what: "another port", header: []string{"Origin: http://" + strings.TrimSuffix(a.host, port) + "1"}},
		{what: "no port", header: []string{"Origin: http://" + strings.TrimSuffix(a.host, ":"+port)}},
		{what: "a name below", header: []string{"Origin: http://" + a.host + ".evil.example"}},
		{what: "two origins", header: []string{"Origin: http://" + a.host, "Origin: https://evil.example"}},
		{what: "another host", host: "evil.example:" + port},
		{what: "another host with our address", host: a.host + ".evil.example"},
		{what: "another name of this machine", host: "localhost:" + port},
		{what: "this machine's other address", host: "0.0.0.0:" + port},
		{what: "a trailing dot", host: strings.TrimSuffix(a.host, ":"+port) + ".:" + port},
		{what: "another port's host", host: strings.TrimSuffix(a.host, port) + "1"},
		{what: "two hosts", header: []string{"Host: " + a.host}, host: "evil.example"},
		{
			what: "a forwarded host", host: "evil.example",
			header: []string{"X-Forwarded-Host: " + a.host, "Forwarded: host=" + a.host},
		},
	}
	kinds := []string{"text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"}
	crowd := a.crowd(len(a.rows))["manager"] // a manager for each: one alone would be told to wait
	tries, through := 0, 0
	for i, r := range a.rows {
		body := ""
		if r.method == http.MethodPost {
			body = actions("elsewhere")[r.path]
			if body == "" {
				body = "{}" // leaving and entering
			}
		}
		for _, f := range all {
			tries++
			got := a.ask(request{
				method: r.method, target: r.filled("x"), token: crowd[i], host: f.host,
				header: f.header, body: body,
			})
			if got.status < 400 || got.in() && got.status != http.StatusBadRequest {
				through++
				t.Errorf("%s %s from %s is answered with %d %.200s", r.method, r.path, f.what, got.status, got.text)
			}
		}
		if r.method != http.MethodPost {
			continue
		}
		for _, kind := range kinds { // a form may send these without asking
			tries++
			got := a.ask(request{
				method: r.method, target: r.filled("x"), token: crowd[i],
				header: []string{"Content-Type: " + kind, "Content-Length: 2", "", "{}"},
			})
			if got.status < 400 {
				through++
				t.Errorf("%s as %s is answered with %d %.200s", r.path, kind, got.status, got.text)
			}
		}
	}
	for i, token := range crowd {
		who := fmt.Sprintf("manager-%d", i)
		if got := a.ask(request{method: "GET", target: "/password", token: token}); got.status != http.StatusOK {
			through++
			t.Errorf("%s is in no more: %d", who, got.status)
		}
	}
	attack.Report(t, "pit: requests of other sites, ports, schemes and hosts", tries, through)
}

// TestAttackPaths: an address that is written otherwise leads nobody past who may see it.
func TestAttackPaths(t *testing.T) {
	a := newAttacked(t, withBroker)
	crowd := a.crowd(2 * len(a.rows))
	tries, through := 0, 0
	for i, r := range a.rows {
		if r.least == "everybody" {
			continue
		}
		path := r.filled("x")
		last := strings.LastIndex(strings.TrimSuffix(path, "/"), "/") + 1
		written := []string{
			"/." + path, "/" + path, "//" + a.host + path, "/%2e" + path, "/%2f" + path, path + "/", path + "//",
			path + ";x", path + "/;x", path + "%00", path + "%2f", path + "%20",
			path + ".", path + "/.", path + "/..", path + "?", path + "%3f", path + "#", path + "%23", path + `\`,
			path + "%5c", path + "%0d%0a", path + "%ff", path + "%c0%af",
			"/enter/.." + path, "/assets/.." + path, "/assets/%2e%2e" + path, "/assets/..%2f" + path[1:], "/pit/.." +
				path, "/people/assets/.." + path, "/enter/sso/../.." + path,
			`/\` + path[1:], strings.ToUpper(path), path[:last] + "./" + path[last:], path[:last] + "%2e/" +
				path[last:], path[:last] + "/" + path[last:],
			"http://" + a.host + path, "http://evil.example" + path, "HTTP://" + a.host + "//" + path,
			path + "?lang=de", path + "?_method=GET", "/enter?then=" + path, "/enter" + path,
			strings.ReplaceAll(path, "e", "%65"), strings.ReplaceAll(path, "/", "%2f"), "/assets" + path, "/worker.js" +
				path, "/worker.js/.." + path,
		}
		for n, target := range written {
			if (i+n)%tier.Times(5, 1) != 0 {
				continue // make test tries each way at a fifth of the routes
			}
			if r.method == http.MethodPost && strings.HasPrefix(target, "/enter?") {
				continue // that is entering itself
			}
			for _, who := range a.without(r) {
				token := ""
				if who != strangers {
					token = crowd[who][2*i+n%2]
				}
				ask := request{
					method: r.method, target: target, token: token,
					header: []string{"X-Original-URL: " + path, "X-Rewrite-URL: " + path, "X-HTTP-Method-Override: " +
						r.method, "X-Forwarded-For: 127.0.0.1"},
				}
				if r.method == http.MethodPost {
					ask.body = actions("paths")[r.path]
				}
				tries++
				got := a.ask(ask)
				// What is answered may be a page for everybody, or one that this role may see: but not the one that it
				// may not.
				if got.status < 300 && !got.entering() && a.shown(got, path) {
					through++
					t.Errorf("%s %s gives %s what is at %s: %d %.300s", r.method, target, who, path,
						got.status, got.text)
				}
			}
		}
	}
	attack.Report(t, "pit: addresses written otherwise", tries, through)
}

// without are a stranger, and the last of the roles that may not.
func (a *attacked) without(r row) []string {
	all := everyone()
	for i, who := range slices.Backward(all) {
		if i > 0 && !r.may(who) {
			return []string{strangers, who}
		}
	}
	return all[:1]
}

// shown says whether an answer is not of the pages that a viewer may see as well.
func (a *attacked) shown(got answered, path string) bool {
	for _, page := range []string{
		`data-page="floor"`, `data-page="alerts"`, `data-page="table"`, `data-page="history"`,
		`class="floor"`, `class="alerts`,
	} {
		if strings.Contains(got.text, page) {
			return strings.HasPrefix(path, "/stream/") || !strings.Contains(got.text, "<main") // a viewer's own
		}
	}
	return true
}
