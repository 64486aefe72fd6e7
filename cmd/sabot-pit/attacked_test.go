package main

import (
	"bufio"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sabot-table/sabot/internal/testkit/brokertest"
	"github.com/sabot-table/sabot/internal/testkit/processes"
	"github.com/sabot-table/sabot/internal/testkit/system"
	pitcommand "github.com/sabot-table/sabot/pit/command"
	"github.com/sabot-table/sabot/pit/people"
	"github.com/sabot-table/sabot/pit/store"
	"github.com/sabot-table/sabot/table/authority"
)

// attacked is the built sabot-pit with all that a pit can have, and a person of each role, whose name is the role's.
type attacked struct {
	t       testing.TB
	config  string
	host    string
	process *processes.Process
	rows    []row
	tokens  map[string]string // of the sessions of the four
}

// row is a line of routes.txt: one route, and the least role for it.
type row struct{ method, path, least string }

// strangers is who has not entered.
const strangers = "nobody"

// A pit with a broker of its own, which it always reaches, and one that never reaches its broker.
const (
	withBroker = `broker: {listen: "127.0.0.1:0"}
sites: {listen: "127.0.0.1:0", list: [{name: kursaal}]}`
	withoutBroker = `mqtt: {broker: "tcp://127.0.0.1:1"}`
)

func newAttacked(t testing.TB, broker string) *attacked {
	t.Helper()
	folder := processes.FastDir(t)
	a := &attacked{
		t: t, host: system.Address(t), config: filepath.Join(folder, "pit.yaml"),
		tokens: map[string]string{},
	}
	key := filepath.Join(folder, "key")
	if _, err := pitcommand.KeyFile.New(key); err != nil {
		t.Fatal(err)
	}
	text := fmt.Sprintf(`site: wiesbaden
%s
store: {source: %q, time_zone: Europe/Berlin}
web: {listen: %q, public: "http://%s"}
people: {openid: {name: id, issuer: "http://127.0.0.1:1", client: pit, roles: [{group: a, role: viewer}]}}
alerts: {offline_seconds: 1, push_services: [push.example], push_contact: "mailto:it@casino.example"}
commands: {keys: [{name: pit, file: %q}]}
tables: [bj-1]
`, broker, filepath.Join(folder, "pit.db"), a.host, a.host, key)
	if err := os.WriteFile(a.config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	a.rows = routes(t)
	for _, role := range people.Roles() {
		a.add(role, role.String())
	}
	a.process = processes.Start(t, processes.Binary(t, "sabot-pit"), "--config", a.config)
	for _, role := range people.Roles() {
		a.tokens[role.String()] = a.session(role.String())
	}
	return a
}

// routes are the rows of all that the pit answers.
func routes(t testing.TB) (rows []row) {
	t.Helper()
	const file = "../../pit/testdata/routes.txt"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		words := strings.Fields(line)
		if len(words) != 3 {
			t.Fatalf("%s: %q", file, line)
		}
		rows = append(rows, row{words[0], words[1], words[2]})
	}
	return rows
}

// people does something with the people of the database, as another program on this machine.
func (a *attacked) people(what func(*people.People)) {
	a.t.Helper()
	a.store(func(kept *store.Store) {
		all, err := people.New(people.Options{Store: kept})
		if err != nil {
			a.t.Fatal(err)
		}
		what(all)
	})
}

func (a *attacked) store(what func(*store.Store)) {
	a.t.Helper()
	withStore(a.t, a.config, what)
}

// add adds people of one role, whose password is that of all.
func (a *attacked) add(role people.Role, names ...string) {
	a.t.Helper()
	a.store(func(kept *store.Store) {
		err := kept.ChangePeople(a.t.Context(), func(tx people.Tx) (err error) {
			for _, name := range names {
				one := people.Person{Name: name, Role: role, Password: houseHash(), Added: time.Now().UTC().Round(0)}
				err = errors.Join(err, tx.PutPerson(one))
			}
			return err
		})
		if err != nil {
			a.t.Fatal(err)
		}
	})
}

// houseHash is what is kept of the password of all. It is worked out once: that takes a while on purpose.
var houseHash = sync.OnceValue(func() string { return authority.NewHash(housePass).String() })

// crowd lets many in with each role, and returns the tokens of their sessions: one person alone would be told to wait.
func (a *attacked) crowd(of int) map[string][]string {
	a.t.Helper()
	tokens := map[string][]string{}
	a.store(func(kept *store.Store) {
		err := kept.ChangePeople(a.t.Context(), func(tx people.Tx) error {
			now := time.Now().UTC().Round(0)
			for _, role := range people.Roles() {
				for i := range of {
					name, token := fmt.Sprintf("%s-%d", role, i), fmt.Sprintf("the-session-of-%s-%d", role, i)
					tokens[role.String()] = append(tokens[role.String()], token)
					if err := errors.Join(
						tx.PutPerson(people.Person{Name: name, Role: role, Password: "-", Added: now}),
						tx.PutSession(people.Session{
							ID: sha256.Sum256([]byte(token)), Name: name, Began: now,
							Used: now, From: "127.0.0.1",
						}),
					); err != nil {
						return err
					}
				}
			}
			return nil
		})
		if err != nil {
			a.t.Fatal(err)
		}
	})
	return tokens
}

// session gives somebody a session, as if they had entered, and returns its token.
func (a *attacked) session(name string) (token string) {
	a.t.Helper()
	token = base64.RawURLEncoding.EncodeToString([]byte(rand.Text()))
	now := time.Now().UTC().Round(0)
	a.store(func(kept *store.Store) {
		err := kept.ChangePeople(a.t.Context(), func(tx people.Tx) error {
			return tx.PutSession(people.Session{
				ID: sha256.Sum256([]byte(token)), Name: name, Began: now, Used: now,
				From: "127.0.0.1",
			})
		})
		if err != nil {
			a.t.Fatal(err)
		}
	})
	return token
}

// enter returns the token of a new session of somebody.
func (a *attacked) enter(name string) string {
	a.t.Helper()
	body, err := json.Marshal(map[string]string{"name": name, "password": housePass})
	if err != nil {
		a.t.Fatal(err)
	}
	got := a.ask(request{method: http.MethodPost, target: "/enter", body: string(body)})
	for _, c := range got.cookies {
		if c.Name == "sabot-pit" {
			return c.Value
		}
	}
	a.t.Fatalf("%s does not enter: %d %s", name, got.status, got.text)
	return ""
}

// request is one as it goes over the wire: nothing of it is put right by a client.
type request struct {
	method, target, token, body string
	// host is another than the pit's, and header further lines.
	host   string
	header []string
}

func (r request) head(host string, length int) string {
	if r.host != "" {
		host = r.host
	}
	head := fmt.Sprintf("%s %s HTTP/1.1\r\nHost: %s\r\n", r.method, r.target, host)
	if r.token != "" {
		head += "Cookie: sabot-pit=" + r.token + "\r\n"
	}
	if r.body != "" {
		head += fmt.Sprintf("Content-Type: application/json\r\nContent-Length: %d\r\n", length)
	}
	for _, line := range r.header {
		head += line + "\r\n"
	}
	return head + "\r\n"
}

// answered is what was answered: of a stream the head and its first piece.
type answered struct {
	status  int
	where   string
	kind    string
	cookies []*http.Cookie
	text    string
}

// entering says whether somebody is only led to where people enter.
func (g answered) entering() bool {
	return strings.HasPrefix(g.where, "/enter") || strings.Contains(g.text, `name="then"`) ||
		strings.Contains(g.text, `data-build="over"`)
}

// in says whether an answer is one that only those get who were let in.
func (g answered) in() bool {
	switch g.status {
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusMisdirectedRequest, http.StatusMethodNotAllowed,
		http.StatusRequestTimeout, 0:
		return false
	}
	return !g.entering()
}

func (a *attacked) dial() net.Conn {
	a.t.Helper()
	c, err := (&net.Dialer{Timeout: processes.Deadline}).DialContext(a.t.Context(), "tcp", a.host)
	if err != nil {
		a.t.Fatal(err)
	}
	if err := c.SetDeadline(time.Now().Add(processes.Deadline)); err != nil {
		a.t.Fatal(err)
	}
	return c
}

// ask sends a request over a connection of its own. Who asks too often waits until they may ask again.
func (a *attacked) ask(r request) answered {
	a.t.Helper()
	var got answered
	brokertest.Until(a.t, r.method+" "+r.target+" may be asked", func() bool {
		c := a.dial()
		defer c.Close()
		if _, err := io.WriteString(c, r.head(a.host, len(r.body))+r.body); err != nil {
			return true // it hangs up on what it does not want to read
		}
		got = a.answer(c, r.method)
		return got.status != http.StatusTooManyRequests
	})
	return got
}

// answer reads an answer; the zero one for a connection that ends without.
func (a *attacked) answer(c net.Conn, method string) (got answered) {
	resp, err := http.ReadResponse(bufio.NewReader(c), &http.Request{Method: method})
	if err != nil {
		return got
	}
	defer c.Close() // before the body of a stream, which does not end, is read to its end
	got = answered{
		status: resp.StatusCode, where: resp.Header.Get("Location"), kind: resp.Header.Get("Content-Type"),
		cookies: resp.Cookies(),
	}
	piece := make([]byte, 1<<16)
	n := 0
	for n < len(piece) && !strings.Contains(string(piece[:n]), "\n\n") ||
		!strings.HasPrefix(got.kind, "text/event-stream") && n < len(piece) {
		more, err := resp.Body.Read(piece[n:])
		n += more
		if err != nil {
			break
		}
	}
	got.text = string(piece[:n])
	return got
}

// alert is an open alert of a pit that does not reach its broker.
func (a *attacked) alert() string {
	a.t.Helper()
	c := a.dial()
	defer c.Close()
	if _, err := io.WriteString(c, (request{
		method: http.MethodGet, target: "/stream/alerts",
		token: a.tokens["manager"],
	}).head(a.host, 0)); err != nil {
		a.t.Fatal(err)
	}
	for stream := bufio.NewReader(c); ; {
		line, err := stream.ReadString('\n')
		if id := brokerLostID.FindString(line); id != "" {
			return id
		}
		if err != nil {
			a.t.Fatalf("the pit does not miss its broker: %v", err)
		}
	}
}

var brokerLostID = regexp.MustCompile(`pit\.broker-lost\.\d+`)

// filled is a row's path with names in it that are there.
func (r row) filled(alert string) string {
	return strings.NewReplacer("{$}", "", "{site}", "wiesbaden", "{table}", "bj-1", "{id}", alert, "{journal}",
		"0123456789abcdef", "{name}", "base.css").Replace(r.path)
}

// changes says whether it is a row by which somebody who has entered changes something.
func (r row) changes() bool { return r.method == http.MethodPost && r.least != "everybody" }

// may says whether somebody may ask for it.
func (r row) may(who string) bool {
	if r.least == "everybody" {
		return true
	}
	own, err := people.ParseRole(who)
	if err != nil {
		return false
	}
	least, err := people.ParseRole(r.least)
	return err == nil && own.May(least)
}

// everyone is a stranger, and a person of each role.
func everyone() (all []string) {
	all = append(all, strangers)
	for _, role := range people.Roles() {
		all = append(all, role.String())
	}
	return all
}

// actions are what each row that changes something is posted, such that it does something where it is taken.
func actions(name string) map[string]string {
	return map[string]string{
		"/alerts/{id}/coming": `{}`, "/alerts/{id}/seen": `{"note":"x"}`,
		"/figures/close/drop": `{"night":"2026-03-29","site":"wiesbaden","table":"bj-1","record":1,"currency":"EUR",` +
			`"amount":"5"}`,
		"/figures/report/sign": `{"night":"2026-03-29","shift":0,"seen":"x"}`,
		"/password":            fmt.Sprintf(`{"had":%q,"password":"another long one of %s"}`, housePass, name),
		"/people":              fmt.Sprintf(`{"do":"add","name":"mallory-%s","role":"manager"}`, name),
		"/push":                `{"endpoint":"https://push.example/x","p256dh":"x","auth":"x"}`,
		"/push/end":            `{"endpoint":"https://push.example/x"}`,
		"/room":                `{"table":"wiesbaden/bj-1","x":3,"y":3}`,
		"/table/{site}/{table}/command/acknowledge": `{"code":"floor-called"}`,
		"/table/{site}/{table}/command/approve":     `{"kind":"fill","slip":"1"}`,
		"/table/{site}/{table}/command/close":       `{}`,
		"/table/{site}/{table}/command/coming":      `{}`,
		"/table/{site}/{table}/command/credit":      `{"chips":"5x10"}`,
		"/table/{site}/{table}/command/fill":        `{"chips":"5x10"}`,
		"/table/{site}/{table}/command/limits":      `{"min":"5","box_max":"500"}`,
		"/table/{site}/{table}/command/message":     `{"text":"x"}`, "/table/{site}/{table}/command/open": `{}`,
		"/table/{site}/{table}/command/received": `{"kind":"fill","slip":"1","chips":"5x10"}`,
		"/table/{site}/{table}/command/refuse":   `{"kind":"fill","slip":"1","text":"x"}`,
		"/table/{site}/{table}/command/sent":     `{"kind":"fill","slip":"1","chips":"5x10"}`,
		"/table/{site}/{table}/command/resend":   `{"from":"1"}`,
	}
}

// leave ends a session.
func (a *attacked) leave(token string) {
	a.t.Helper()
	if got := a.ask(request{
		method: http.MethodPost, target: "/leave", token: token,
		body: "{}",
	}); got.status != http.StatusOK {
		a.t.Fatalf("leaving is answered with %d %s", got.status, got.text)
	}
}

// typed is what somebody does with the people of the pit on its own computer.
func (a *attacked) typed(args ...string) {
	a.t.Helper()
	personDoes(a.t, a.config, args...)
}
