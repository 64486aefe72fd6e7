package main

import (
	"bufio"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"io"
	"maps"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sabot-table/sabot/internal/testkit/attack"
	"github.com/sabot-table/sabot/internal/testkit/tier"
	"github.com/sabot-table/sabot/pit/people"
	"github.com/sabot-table/sabot/pit/store"
)

// half is a request of which the pit has the head and a few bytes, and says that it waits for the rest.
type half struct {
	of   row
	conn net.Conn
	rest string
}

// halfSent sends the beginning of everything that somebody may change.
func (a *attacked) halfSent(name, token, alert string) (all []half) {
	a.t.Helper()
	body := actions(name)
	for _, r := range a.rows {
		if !r.changes() {
			continue
		}
		text := body[r.path]
		const first = 1
		one := request{
			method: r.method, target: r.filled(alert), token: token, body: text,
			header: []string{"Expect: 100-continue"},
		}
		c := a.dial()
		if _, err := io.WriteString(c, one.head(a.host, len(text))); err != nil {
			a.t.Fatal(err)
		}
		line, err := bufio.NewReader(c).ReadString('\n')
		if err != nil || !strings.Contains(line, "100 Continue") {
			a.t.Fatalf("%s: it does not wait for the rest: %s %v", r.path, line, err)
		}
		if _, err := io.WriteString(c, text[:first]); err != nil {
			a.t.Fatal(err)
		}
		all = append(all, half{r, c, text[first:]})
	}
	return all
}

// TestActions: what changes something has something that is posted there, or attacks on it would do nothing.
func TestActions(t *testing.T) {
	posted := actions("x")
	for _, r := range routes(t) {
		if r.changes() && posted[r.path] == "" {
			t.Errorf("what does %s do? add what is posted there to actions", r.path)
		}
	}
}

// TestAttackHalfSent: what was begun in a session is not done once the session is over, however it ended.
func TestAttackHalfSent(t *testing.T) {
	tier.Soak(t, "a built program is attacked for seconds")
	t.Parallel()
	a := newAttacked(t, withoutBroker)
	alert := a.alert()
	ends := map[string]func(name, token string){
		"signed-out":   func(_, token string) { a.leave(token) },
		"removed":      func(name, _ string) { a.typed("remove", name) },
		"other-role":   func(name, _ string) { a.typed("role", name, "viewer") },
		"new-password": func(name, _ string) { a.typed("reset", name) },
		"by-a-manager": func(name, _ string) {
			a.ask(request{
				method: http.MethodPost, target: "/people", token: a.tokens["manager"],
				body: `{"do":"remove","name":"` + name + `"}`,
			})
		},
	}
	a.add(people.Manager, slices.Collect(maps.Keys(ends))...)
	a.add(people.Manager, "goes-on")
	tries, through := 0, 0
	for name, ends := range ends {
		token := a.enter(name)
		begun := a.halfSent(name, token, alert)
		ends(name, token)
		for _, h := range begun {
			if _, err := io.WriteString(h.conn, h.rest); err != nil {
				t.Logf("%s: it has hung up: %v", h.of.path, err)
			}
			tries++
			if got := a.answer(h.conn, http.MethodPost); got.in() {
				through++
				t.Errorf("%s of somebody %s meanwhile is answered with %d %s", h.of.path, name, got.status, got.text)
			}
			h.conn.Close()
		}
	}
	a.people(func(all *people.People) {
		persons, _, err := all.All(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, one := range persons {
			if strings.HasPrefix(one.Name, "mallory") {
				through++
				t.Errorf("there is %s, a %s", one.Name, one.Role)
			}
		}
	})
	attack.Report(t, "pit: half-sent requests after their session was over", tries, through)
	for _, h := range a.halfSent("goes-on", a.enter("goes-on"), alert) { // the attack would have had an effect
		if _, err := io.WriteString(h.conn, h.rest); err != nil {
			t.Error(err)
		}
		if got := a.answer(h.conn, http.MethodPost); !got.in() && h.of.path != "/push" {
			t.Errorf("%s of somebody who is still there is answered with %d %s", h.of.path, got.status, got.text)
		}
		h.conn.Close()
		if h.of.path == "/people" {
			a.typed("remove", "mallory-goes-on")
		}
	}
}

// TestAttackCookies: nothing but the token of a session that lasts lets anybody in, whatever else is known.
func TestAttackCookies(t *testing.T) {
	a := newAttacked(t, withBroker)
	var present people.Present
	a.add(people.Manager, "left", "removed", "other-role", "new-password", "idle", "long", "starting", "overtaken")
	a.people(func(all *people.People) {
		var err error
		if present, _, err = all.Session(t.Context(), a.tokens["manager"], true); err != nil {
			t.Fatal(err)
		}
	})
	token := a.tokens["manager"]
	other := []byte(token)
	other[len(other)/2] ^= 1
	cookies := map[string]string{
		"none": "", "a guess": strings.Repeat("A", len(token)), "another letter": string(other),
		"a part":               token[:len(token)-1],
		"its hash":             hex.EncodeToString(present.Session.ID[:]),
		"its hash, as a token": base64.RawURLEncoding.EncodeToString(present.Session.ID[:]), "a name": "manager",
		"two": token[:8] + "; sabot-pit=" + token[8:], "blanks": "%20" + token,
		"quotes": `"` + token[:20] + `"`, "a wildcard": "*", "percent": "%", "long": strings.Repeat("x", 8000),
	}
	for name, ends := range map[string]func(token string){
		"left":         func(token string) { a.leave(token) },
		"removed":      func(string) { a.typed("remove", "removed") },
		"other-role":   func(string) { a.typed("role", "other-role", "viewer") },
		"new-password": func(string) { a.typed("reset", "new-password") },
		"idle":         func(token string) { a.age(token, 2*time.Hour, 0) },
		"long":         func(token string) { a.age(token, 0, 17*time.Hour) },
		"overtaken": func(string) {
			for range 11 { // a person has ten
				a.enter("overtaken")
			}
		},
	} {
		of := a.enter(name)
		ends(of)
		cookies["of somebody "+name] = of
	}
	tries, through := 0, 0
	for nth, what := range slices.Sorted(maps.Keys(cookies)) {
		cookie := cookies[what]
		for i, r := range a.rows {
			// make test tries each at a third of the routes
			if r.least == "everybody" || (i+nth)%tier.Times(3, 1) != 0 {
				continue
			}
			ask := request{method: r.method, target: r.filled("x"), token: cookie}
			if r.method == http.MethodPost {
				ask.body = `{"x":1}`
			}
			tries++
			if got := a.ask(ask); got.in() && got.status != http.StatusRequestHeaderFieldsTooLarge {
				through++
				t.Errorf("%s %s with the cookie %s is answered with %d %.300s", r.method, r.path, what,
					got.status, got.text)
			}
		}
	}
	// The names of other cookies that the pit gives or might take, each with a session that lasts.
	for _, name := range []string{"__Host-sabot-pit", "sabot-pit-known", "sabot-pit-sso", "Sabot-Pit", "sabot"} {
		for _, r := range a.rows {
			if r.least == "everybody" || r.method != http.MethodGet {
				continue
			}
			tries++
			if got := a.ask(request{
				method: r.method, target: r.filled("x"),
				header: []string{"Cookie: " + name + "=" + token, "Authorization: Bearer " + token},
			}); got.in() {
				through++
				t.Errorf("%s in the cookie %s is answered with %d %.300s", r.path, name, got.status, got.text)
			}
		}
	}
	attack.Report(t, "pit: forged, foreign and old cookies", tries, through)
}

// age makes a session older than it is.
func (a *attacked) age(token string, used, began time.Duration) {
	a.t.Helper()
	a.store(func(kept *store.Store) {
		all, err := people.New(people.Options{Store: kept})
		if err != nil {
			a.t.Fatal(err)
		}
		who, in, err := all.Session(a.t.Context(), token, true)
		if err != nil || !in {
			a.t.Fatal("there is no such session", err)
		}
		who.Session.Used, who.Session.Began = who.Session.Used.Add(-used), who.Session.Began.Add(-began)
		if err := kept.ChangePeople(a.t.Context(), func(tx people.Tx) error {
			return errors.Join(tx.EndSession(who.Session.ID), tx.PutSession(who.Session))
		}); err != nil {
			a.t.Fatal(err)
		}
	})
}
