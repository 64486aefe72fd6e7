package login_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/sabot-table/sabot/internal/site"
	"github.com/sabot-table/sabot/internal/testkit/bubble"
	"github.com/sabot-table/sabot/internal/testkit/peopletest"
	"github.com/sabot-table/sabot/pit/people"
	"github.com/sabot-table/sabot/pit/people/login"
)

const password = "correct horse battery staple"

var console = people.Actor{From: "console root"}

// pit is a site with a door, and a person of each role.
type pit struct {
	*httptest.Server
	t      *testing.T
	people *people.People
	store  *peopletest.Memory
}

func open(t *testing.T, o login.Options) *pit {
	t.Helper()
	return openTo(t, o, nil)
}

// openTo is open to those who dial a listener in a bubble of testing/synctest; nil is a port of the system.
func openTo(t *testing.T, o login.Options, inside *bubble.Listener) *pit {
	t.Helper()
	p := &pit{t: t, store: peopletest.NewMemory()}
	var err error
	if p.people, err = people.New(people.Options{Store: p.store}); err != nil {
		t.Fatal(err)
	}
	for _, role := range people.Roles() {
		if _, err := p.people.Add(t.Context(), console, role.String(), role, password); err != nil {
			t.Fatal(err)
		}
	}
	o.People = p.people
	d, err := login.New(o)
	if err != nil {
		t.Fatal(err)
	}
	p.Server = httptest.NewUnstartedServer(d.Around(floor(d)))
	if inside != nil {
		p.Listener.Close()
		p.Listener = inside
	}
	p.StartTLS()
	t.Cleanup(p.Close)
	if inside != nil {
		p.Client().Transport.(*http.Transport).DialContext = inside.Dial
	}
	return p
}

// floor says who asks, at /; at /stream until the session ends.
func floor(d *login.Door) *site.Site {
	return peopletest.AnySite(func(w http.ResponseWriter, r *http.Request) {
		who, during, done, known := d.Who(r, r.URL.Path == "/stream")
		if !known {
			http.Redirect(w, r, "/enter?then="+url.QueryEscape(r.URL.RequestURI()), http.StatusSeeOther)
			return
		}
		defer done()
		if r.URL.Path == "/refused" {
			w.WriteHeader(http.StatusConflict)
		}
		fmt.Fprintf(w, "%s %s from %s\n", who.Name, who.Role, login.From(r))
		if r.URL.Path == "/stream" {
			http.NewResponseController(w).Flush()
			<-during.Done()
			fmt.Fprintln(w, context.Cause(during))
		}
	})
}

// browser is a browser with cookies of its own.
func (p *pit) browser() *http.Client {
	jar, err := cookiejar.New(nil)
	if err != nil {
		p.t.Fatal(err)
	}
	return &http.Client{Jar: jar, Transport: p.Client().Transport}
}

type reply struct {
	status int
	body   string
	path   string
	header http.Header
	Then   string
	Start  string
	Error  string
	Wait   int
}

func (p *pit) do(c *http.Client, method, path, body string, with func(*http.Request)) (got reply) {
	p.t.Helper()
	r, err := http.NewRequestWithContext(p.t.Context(), method, p.URL+path, strings.NewReader(body))
	if err != nil {
		p.t.Fatal(err)
	}
	if method == http.MethodPost {
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Origin", p.URL)
		r.Header.Set("Sec-Fetch-Site", "same-origin")
	}
	if with != nil {
		with(r)
	}
	response, err := c.Do(r)
	if err != nil {
		p.t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		p.t.Fatal(err)
	}
	if strings.HasPrefix(response.Header.Get("Content-Type"), "application/json") {
		if err := json.Unmarshal(text, &got); err != nil {
			p.t.Fatal(err)
		}
	}
	got.status, got.body, got.header, got.path = response.StatusCode, string(text), response.Header,
		response.Request.URL.RequestURI()
	return got
}

func (p *pit) get(c *http.Client, path string) reply {
	p.t.Helper()
	return p.do(c, http.MethodGet, path, "", nil)
}

func (p *pit) post(c *http.Client, path, body string) reply {
	p.t.Helper()
	return p.do(c, http.MethodPost, path, body, nil)
}

func entry(name, password string) string {
	return fmt.Sprintf(`{"name":%q,"password":%q,"then":"/floor?x=1"}`, name, password)
}

// entered is a browser in which a person has entered.
func (p *pit) entered(name string) *http.Client {
	p.t.Helper()
	c := p.browser()
	if got := p.post(c, "/enter", entry(name, password)); got.status != http.StatusOK {
		p.t.Fatalf("%s does not enter: %+v", name, got)
	}
	return c
}

func TestEnter(t *testing.T) {
	p := open(t, login.Options{})
	c := p.browser()
	if got := p.get(c, "/floor?x=1"); got.path != "/enter?then=%2Ffloor%3Fx%3D1" ||
		!strings.Contains(got.body, `value="/floor?x=1"`) {
		t.Errorf("a stranger is led to %s: %s", got.path, got.body)
	}
	if got := p.post(c, "/enter", entry("manager", "guess")); got.status != 403 ||
		got.Error != "Name or password is wrong." || strings.Contains(got.body, "guess") {
		t.Errorf("a wrong password is answered with %+v", got)
	}
	got := p.post(c, "/enter", entry("manager", password))
	if got.status != 200 || got.Then != "/floor?x=1" {
		t.Errorf("the right password is answered with %+v", got)
	}
	for _, kept := range got.header.Values("Set-Cookie") {
		for _, part := range []string{"__Host-sabot-pit", "; Path=/", "; HttpOnly", "; Secure", "; SameSite=Lax"} {
			if !strings.Contains(kept, part) {
				t.Errorf("the cookie %s is without %s", kept, part)
			}
		}
	}
	if got := p.get(c, "/"); got.body != "manager manager from 127.0.0.1\n" {
		t.Errorf("the site sees %s", got.body)
	}
	if got := p.get(c, "/enter?then=/people"); got.path != "/people" {
		t.Errorf("who is in is led from /enter to %s", got.path)
	}
	if got := p.post(c, "/leave", "{}"); got.status != 200 || got.Then != "/enter" {
		t.Errorf("leaving is answered with %+v", got)
	}
	if got := p.get(c, "/"); got.path != "/enter?then=%2F" {
		t.Errorf("who left is led to %s", got.path)
	}
}

// TestThen: who enters is led to the pit's own pages, and nowhere else.
func TestThen(t *testing.T) {
	p := open(t, login.Options{})
	for then, want := range map[string]string{
		"/floor": "/floor", "/log?who=a&before=3": "/log?who=a&before=3", "": "/", "floor": "/", "//evil.example": "/",
		"https://evil.example": "/",
		`/\evil.example`:       "/", "/\t/evil.example": "/", "/enter?then=/enter": "/", "javascript:alert(1)": "/",
		"///evil.example": "/",
	} {
		body, err := json.Marshal(map[string]string{"name": "viewer", "password": password, "then": then})
		if err != nil {
			t.Fatal(err)
		}
		if got := p.post(p.browser(), "/enter", string(body)); got.Then != want {
			t.Errorf("%q leads to %q, want %q", then, got.Then, want)
		}
	}
}

func TestPause(t *testing.T) { synctest.Test(t, pause) }

func pause(t *testing.T) {
	p := openTo(t, login.Options{}, bubble.Listen())
	known := p.entered("manager")
	c := p.browser()
	for range 5 {
		p.post(c, "/enter", entry("manager", "guess"))
	}
	got := p.post(c, "/enter", entry("manager", password))
	if got.status != 429 || got.Wait != 5 || got.header.Get("Retry-After") != fmt.Sprint(got.Wait) ||
		!strings.Contains(got.Error, "Try again in") {
		t.Errorf("in the pause the answer is %+v", got)
	}
	if got := p.post(known, "/enter", entry("manager", password)); got.status != 200 {
		t.Errorf("from a browser that is known the answer is %+v", got)
	}
}

// TestRoles: each page of the door, and who gets it.
func TestRoles(t *testing.T) {
	p := open(t, login.Options{})
	const change = `{"do":"let-in","name":"viewer"}`
	for _, c := range []struct {
		method, path, body string
		may                string
	}{
		{"GET", "/password", "", "viewer cashier supervisor technician manager"},
		{"POST", "/password", `{"had":"x","password":"x"}`, "viewer cashier supervisor technician manager"},
		{"GET", "/people", "", "manager"},
		{"POST", "/people", change, "manager"},
		{"GET", "/log", "", "manager"},
	} {
		for _, role := range people.Roles() {
			got := p.do(p.entered(role.String()), c.method, c.path, c.body, nil)
			if may := strings.Contains(c.may, role.String()); may == (got.status == 403) {
				t.Errorf("%s %s by a %s is answered with %d", c.method, c.path, role, got.status)
			}
		}
		got := p.do(p.browser(), c.method, c.path, c.body, nil)
		if c.method == "GET" && !strings.HasPrefix(got.path, "/enter?") || c.method == "POST" && got.status != 401 {
			t.Errorf("%s %s by nobody is answered with %d at %s", c.method, c.path, got.status, got.path)
		}
	}
}

// TestLookAfter goes through all that a manager does.
func TestLookAfter(t *testing.T) {
	p := open(t, login.Options{})
	c := p.entered("manager")
	did := func(what string, want int) reply {
		t.Helper()
		got := p.post(c, "/people", what)
		if got.status != want {
			t.Fatalf("%s is answered with %+v", what, got)
		}
		return got
	}
	start := did(`{"do":"add","name":"Zoë O'Hara","role":"supervisor"}`, 200).Start
	zoe := p.browser()
	if got := p.post(zoe, "/enter", entry("Zoë O'Hara", start)); got.Then != "/password" {
		t.Errorf("a starting password leads to %+v", got)
	}
	for _, path := range []string{"/", "/enter", "/password"} {
		if got := p.get(zoe, path); got.path != "/password" || !strings.Contains(got.body, "Choose a password") {
			t.Errorf("%s leads to %s", path, got.path)
		}
	}
	if got := p.post(zoe, "/password", `{"had":"`+start+`","password":"short"}`); got.status != 400 ||
		!strings.Contains(got.Error, "12 characters") {
		t.Errorf("a short password is answered with %+v", got)
	}
	if got := p.post(zoe, "/password", `{"had":"`+start+`","password":"four words are good"}`); got.status != 200 {
		t.Errorf("a good password is answered with %+v", got)
	}
	if got := p.get(zoe, "/"); got.body != "Zoë O'Hara supervisor from 127.0.0.1\n" {
		t.Errorf("Zoë is led to %s: %s", got.path, got.body)
	}
	page := p.get(c, "/people").body
	for _, part := range []string{"Zoë O&#39;Hara", "logged in", `data-person="manager" class="you"`} {
		if !strings.Contains(page, part) {
			t.Errorf("the people's page is without %s", part)
		}
	}
	did(`{"do":"role","name":"Zoë O'Hara","role":"technician"}`, 200)
	if got := p.get(zoe, "/"); got.path != "/enter?then=%2F" {
		t.Error("a person with another role is still in")
	}
	did(`{"do":"reset","name":"Zoë O'Hara"}`, 200)
	did(`{"do":"remove","name":"Zoë O'Hara"}`, 200)
	did(`{"do":"remove","name":"Zoë O'Hara"}`, 409)
	did(`{"do":"add","name":"Zoë O'Hara","role":"viewer"}`, 409)
	did(`{"do":"restore","name":"Zoë O'Hara","role":"viewer"}`, 200)
	did(`{"do":"remove","name":"manager"}`, 409)
	did(`{"do":"role","name":"manager","role":"viewer"}`, 409)
	did(`{"do":"role","name":"nobody","role":"viewer"}`, 404)
	did(`{"do":"role","name":"viewer","role":"boss"}`, 400)
	did(`{"do":"role","name":"viewer"}`, 400)
	did(`{"do":"add","name":" ","role":"viewer"}`, 400)
	did(`{"do":"anything","name":"viewer"}`, 400)
	did(`{"do":"let-in","name":"viewer","more":1}`, 400)
	log := p.get(c, "/log?who="+url.QueryEscape("Zoë O'Hara")).body
	for _, part := range []string{
		"added a person", "changed the password", "changed the role",
		"Supervisor → Technician", "let a person in again", "Zoë O&#39;Hara",
	} {
		if !strings.Contains(log, part) {
			t.Errorf("the log is without %s", part)
		}
	}
	if strings.Contains(log, start) || strings.Contains(page, start) {
		t.Error("a page shows a starting password")
	}
}

// TestStreamEnds: a page that is open ends with its session.
func TestStreamEnds(t *testing.T) {
	p := open(t, login.Options{})
	c := p.entered("supervisor")
	response, err := c.Get(p.URL + "/stream")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if err := p.people.SetRole(t.Context(), console, "supervisor", people.Viewer); err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(response.Body)
	if err != nil || !strings.HasSuffix(string(text), site.ErrSessionOver.Error()+"\n") {
		t.Errorf("the stream is %s, %v", text, err)
	}
}

// TestEverythingIsNoted: what somebody changes on the site's pages is in the log, with its success.
func TestEverythingIsNoted(t *testing.T) {
	p := open(t, login.Options{})
	c := p.entered("supervisor")
	p.get(c, "/alerts")
	p.post(p.browser(), "/alerts/a0/seen", "{}")
	p.post(c, "/alerts/a1/seen", "{}")
	p.post(c, "/refused", "{}")
	log, err := p.people.Log(t.Context(), people.Query{Most: 3})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []people.Entry{
		{Who: "supervisor", What: people.Acted, About: "/refused", Detail: "409 Conflict"},
		{Who: "supervisor", What: people.Acted, About: "/alerts/a1/seen"},
		{Who: "supervisor", What: people.Entered, Detail: "supervisor"},
	} {
		want.Number, want.At, want.From = log[i].Number, log[i].At, "127.0.0.1"
		if log[i] != want {
			t.Errorf("the log has %+v, want %+v", log[i], want)
		}
	}
}

// TestFromElsewhere: other sites' pages reach nothing, also with a person's cookie.
func TestFromElsewhere(t *testing.T) {
	p := open(t, login.Options{})
	c := p.entered("manager")
	header := func(name, value string) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set(name, value) }
	}
	link := func(r *http.Request) {
		for name, value := range map[string]string{"Site": "cross-site", "Mode": "navigate", "Dest": "document"} {
			r.Header.Set("Sec-Fetch-"+name, value)
		}
	}
	const change = `{"do":"let-in","name":"viewer"}`
	for name, ask := range map[string]struct {
		method, path, body string
		with               func(*http.Request)
		status             int
	}{
		"its own page": {"POST", "/people", change, nil, 200},
		"no browser": {
			"POST", "/people", change,
			func(r *http.Request) { r.Header.Del("Origin"); r.Header.Del("Sec-Fetch-Site") }, 200,
		},
		"a link":       {"GET", "/people", "", link, 200},
		"another site": {"POST", "/people", change, header("Sec-Fetch-Site", "cross-site"), 403},
		"another port": {"POST", "/people", change, header("Sec-Fetch-Site", "same-site"), 403},
		"another origin": {
			"POST", "/people", change,
			func(r *http.Request) { r.Header.Del("Sec-Fetch-Site"); r.Header.Set("Origin", "https://evil.example") },
			403,
		},
		"no origin": {
			"POST", "/people", change,
			func(r *http.Request) { r.Header.Del("Sec-Fetch-Site"); r.Header.Set("Origin", "null") }, 403,
		},
		"its origin in clear text": {
			"POST", "/people", change,
			header("Origin", strings.Replace(p.URL, "https", "http", 1)), 403,
		},
		"a form": {
			"POST", "/people", "do=let-in",
			header("Content-Type", "application/x-www-form-urlencoded"), 415,
		},
		"an entry by a form": {"POST", "/enter", "name=x", header("Content-Type", "text/plain"), 415},
		"a frame": {
			"GET", "/people", "",
			func(r *http.Request) { link(r); r.Header.Set("Sec-Fetch-Dest", "iframe") }, 403,
		},
		"another site's entry": {
			"POST", "/enter", entry("viewer", password),
			header("Sec-Fetch-Site", "cross-site"), 403,
		},
		"another site's leaving":     {"POST", "/leave", "{}", header("Origin", "https://evil.example"), 403},
		"an address that it is not":  {"GET", "/people", "", func(r *http.Request) { r.Host = "127.0.0.1:1" }, 200},
		"more than fits":             {"POST", "/people", `{"name":"` + strings.Repeat("x", 5000) + `"}`, nil, 400},
		"the assets are for all":     {"GET", "/people/assets/people.css", "", nil, 200},
		"the table's are among them": {"GET", "/people/assets/base.css", "", nil, 200},
		"and nothing else":           {"GET", "/people/assets/..%2fdoor.go", "", nil, 404},
	} {
		if got := p.do(c, ask.method, ask.path, ask.body, ask.with); got.status != ask.status {
			t.Errorf("%s: %s %s is answered with %d, want %d", name, ask.method, ask.path, got.status, ask.status)
		}
	}
}

func TestHeaders(t *testing.T) {
	p := open(t, login.Options{})
	for _, path := range []string{"/enter", "/", "/people/assets/people.js"} {
		h := p.get(p.browser(), path).header
		for name, part := range map[string]string{
			"Strict-Transport-Security": "max-age=31536000", "X-Content-Type-Options": "nosniff",
			"Referrer-Policy":         "no-referrer",
			"Content-Security-Policy": "default-src 'none'", "X-Frame-Options": "DENY",
		} {
			if !strings.Contains(h.Get(name), part) {
				t.Errorf("%s: %s is %q, without %q", path, name, h.Get(name), part)
			}
		}
	}
}

// TestProxies: who asks is what a proxy of ours says, and nobody else.
func TestProxies(t *testing.T) {
	ours := []netip.Prefix{netip.MustParsePrefix("10.0.0.0/24"), netip.MustParsePrefix("::1/128")}
	p, err := people.New(people.Options{Store: peopletest.NewMemory()})
	if err != nil {
		t.Fatal(err)
	}
	d, err := login.New(login.Options{People: p, Proxies: ours, Public: "https://pit.example"})
	if err != nil {
		t.Fatal(err)
	}
	var from string
	handler := d.Around(peopletest.AnySite(func(_ http.ResponseWriter, r *http.Request) { from = login.From(r) }))
	for name, c := range map[string]struct {
		remote, forwarded, more, proto, host string
		want                                 string
		status                               int
	}{
		"by a proxy":      {"10.0.0.1:99", "192.0.2.7", "", "https", "pit.example", "192.0.2.7", 200},
		"by two":          {"10.0.0.1:99", "192.0.2.7, 10.0.0.2", "", "https", "pit.example", "192.0.2.7", 200},
		"in two headers":  {"10.0.0.1:99", "192.0.2.7", "10.0.0.2", "https", "pit.example", "192.0.2.7", 200},
		"an invented one": {"10.0.0.1:99", "1.1.1.1, 192.0.2.7", "", "https", "pit.example", "192.0.2.7", 200},
		"invented with ours": {
			"10.0.0.1:99", "1.1.1.1, 10.0.0.9, 192.0.2.7", "", "https", "pit.example",
			"192.0.2.7", 200,
		},
		"IPv6, with a port": {"[::1]:99", "[2001:db8::1]:4711", "", "https", "pit.example", "2001:db8::1", 200},
		"IPv4 as IPv6": {
			"[::ffff:10.0.0.1]:99", "::ffff:192.0.2.7", "", "https", "pit.example",
			"192.0.2.7", 200,
		},
		"rubbish":                 {"10.0.0.1:99", "rubbish", "", "https", "pit.example", "10.0.0.1", 200},
		"nothing":                 {"10.0.0.1:99", "", "", "https", "pit.example", "10.0.0.1", 200},
		"clear text at the proxy": {"10.0.0.1:99", "192.0.2.7", "", "http", "pit.example", "", 403},
		"an invented https":       {"10.0.0.1:99", "192.0.2.7", "", "https, http", "pit.example", "", 403},
		"a stranger's word":       {"192.0.2.66:99", "127.0.0.1", "", "https", "pit.example", "", 403},
		"a stranger in our range": {"10.0.1.1:99", "127.0.0.1", "", "https", "pit.example", "", 403},
		"another name":            {"10.0.0.1:99", "192.0.2.7", "", "https", "evil.example", "", 421},
		"itself, in clear text":   {"127.0.0.1:99", "", "", "", "pit.example", "", 403},
	} {
		r := httptest.NewRequest(http.MethodGet, "http://"+c.host+"/x", nil)
		r.RemoteAddr = c.remote
		for _, one := range []string{c.forwarded, c.more} {
			if one != "" {
				r.Header.Add("X-Forwarded-For", one)
			}
		}
		if c.proto != "" {
			r.Header.Set("X-Forwarded-Proto", c.proto)
		}
		from = ""
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		if w.Code != c.status || from != c.want {
			t.Errorf("%s: %d, from %q; want %d, from %q", name, w.Code, from, c.status, c.want)
		}
	}
}

// TestLoopback: on its own machine the pit also answers without TLS.
func TestLoopback(t *testing.T) {
	p, err := people.New(people.Options{Store: peopletest.NewMemory()})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Add(t.Context(), console, "anna", people.Viewer, password); err != nil {
		t.Fatal(err)
	}
	d, err := login.New(login.Options{People: p})
	if err != nil {
		t.Fatal(err)
	}
	plain := &pit{t: t, people: p, Server: httptest.NewServer(d.Around(floor(d)))}
	defer plain.Close()
	c := plain.browser()
	if got := plain.post(c, "/enter", entry("anna", password)); got.status != 200 {
		t.Errorf("entering is answered with %+v", got)
	}
	if got := plain.get(c, "/"); !strings.HasPrefix(got.body, "anna viewer") {
		t.Errorf("the site says %s", got.body)
	}
	if got := plain.do(c, "GET", "/", "", func(r *http.Request) { r.Host = "pit.example" }); got.status != 403 {
		t.Errorf("a foreign name for this machine is answered with %d", got.status)
	}
}

// TestAwayStore: a pit that cannot read its store lets nobody in, and says so.
func TestAwayStore(t *testing.T) {
	p := open(t, login.Options{})
	c := p.entered("manager")
	p.store.Fail(io.ErrClosedPipe)
	for _, got := range []reply{
		p.get(c, "/people"), p.post(c, "/enter", entry("manager", password)),
		p.post(c, "/people", "{}"),
	} {
		if got.status != 503 || !strings.Contains(got.body, "could not record this") {
			t.Errorf("without a store the answer is %d %s", got.status, got.body)
		}
	}
}

func TestLanguages(t *testing.T) {
	p := open(t, login.Options{})
	c := p.entered("manager")
	for lang, text := range map[string]string{
		"de": "Personen", "fr": "Personnes", "it": "Persone", "zh": "人员",
		"en": "People",
	} {
		got := p.get(c, "/people?lang="+lang)
		if got.path != "/people" || !strings.Contains(got.body, "<h1>"+text+"</h1>") {
			t.Errorf("in %s the page at %s is without %s", lang, got.path, text)
		}
	}
	if got := p.post(p.browser(), "/enter", entry("x", "y")); got.Error != "Name or password is wrong." {
		t.Errorf("a new browser is answered with %s", got.Error)
	}
	p.get(c, "/people?lang=de")
	if got := p.post(c, "/people", `{"do":"remove","name":"nobody"}`); got.Error != "Niemand hat diesen Namen." {
		t.Errorf("in German the error is %s", got.Error)
	}
}

// TestProvider enters by a provider of identities, as a browser does.
func TestProvider(t *testing.T) {
	server := peopletest.NewProvider()
	defer server.Close()
	var provider *login.OpenID
	p := open(t, login.Options{Provider: later{&provider}, ProviderName: "House ID"})
	provider, err := login.NewProvider(login.ProviderOptions{
		Issuer: server.URL, Client: peopletest.ClientID, Secret: peopletest.Secret, Back: p.URL + "/enter/sso/back",
		Roles: []login.GroupRole{{Group: "pit", Role: people.Supervisor}},
	})
	if err != nil {
		t.Fatal(err)
	}
	c := p.browser()
	if page := p.get(c, "/enter").body; !strings.Contains(page, "Log in with House ID") {
		t.Errorf("the page does not offer it: %s", page)
	}
	if got := p.get(c, "/enter/sso?then=/floor"); got.path != "/floor" ||
		got.body != "dora supervisor from 127.0.0.1\n" {
		t.Errorf("entering leads to %s: %s", got.path, got.body)
	}
	if got := p.get(p.browser(), "/enter/sso/back?code=x&state="); got.status != 403 ||
		!strings.Contains(got.body, "did not succeed") {
		t.Errorf("an answer that nobody asked for leads to %d %s", got.status, got.body)
	}
	server.Set(map[string]any{"sub": "1", "preferred_username": "eve", "groups": "guests"}, nil, nil)
	if got := p.get(p.browser(), "/enter/sso"); got.status != 403 ||
		!strings.Contains(got.body, "None of your groups") {
		t.Errorf("a person without a role is led to %d %s", got.status, got.body)
	}
	server.Set(map[string]any{"sub": "1", "preferred_username": "eve", "groups": "pit"}, nil,
		func(t *peopletest.Token) {
			t.Claims["nonce"] = "x"
		})
	if got := p.get(p.browser(), "/enter/sso"); got.status != 403 || !strings.Contains(got.body, "did not succeed") {
		t.Errorf("a token of another entry leads to %d %s", got.status, got.body)
	}
	log, err := p.people.Log(t.Context(), people.Query{Most: 3})
	if err != nil || log[0].What != people.Refused || !strings.Contains(log[0].Detail, "nonce") ||
		!strings.Contains(log[1].Detail, "no-role") {
		t.Errorf("the log has %+v, %v", log, err)
	}
	server.Close()
	provider, err = login.NewProvider(login.ProviderOptions{
		Issuer: server.URL, Client: "x", Back: p.URL,
		Roles: []login.GroupRole{{Group: "pit", Role: people.Viewer}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := p.get(p.browser(), "/enter/sso"); got.status != 502 || !strings.Contains(got.body, "or use a password") {
		t.Errorf("a provider that is away leads to %d %s", got.status, got.body)
	}
}

// later is a provider that is known only when the pit has an address.
type later struct{ p **login.OpenID }

func (l later) Begin(ctx context.Context) (string, login.Pending, error) { return (*l.p).Begin(ctx) }

func (l later) Finish(ctx context.Context, pending login.Pending, back url.Values) (people.Vouched, error) {
	return (*l.p).Finish(ctx, pending, back)
}

// TestWhatIsNoText: PostgreSQL refuses to look for what is no text, which looks like a database that is away; so nobody
// who has not logged in gets as far as that.
func TestWhatIsNoText(t *testing.T) {
	p := open(t, login.Options{})
	c := p.browser()
	for _, path := range []string{
		"/enter?then=%00", "/log?who=%ff", "/table/demo/bj-1/journal/%00/recall/1",
		"/alerts/%c3/seen", "/log?who=%zz",
	} {
		if got := p.do(c, http.MethodGet, path, "", nil); got.status != http.StatusBadRequest {
			t.Errorf("%s is answered with %d", path, got.status)
		}
	}
	for body, want := range map[string]int{
		`{"name":"a\u0000b","password":"x"}`: http.StatusBadRequest,
		`{"name":"a\u00e4b","password":"x"}`: http.StatusForbidden,
	} {
		if got := p.do(c, http.MethodPost, "/enter", body, nil); got.status != want {
			t.Errorf("%s is answered with %d, want %d", body, got.status, want)
		}
	}
}

// FuzzDoor: whatever is asked of the door, however, is answered, and lets nobody in who has no session.
func FuzzDoor(f *testing.F) {
	store := peopletest.NewMemory()
	all, err := people.New(people.Options{Store: store})
	if err != nil {
		f.Fatal(err)
	}
	if _, err := all.Add(f.Context(), console, "manager", people.Manager, password); err != nil {
		f.Fatal(err)
	}
	d, err := login.New(login.Options{
		People: all, Proxies: []netip.Prefix{netip.MustParsePrefix("10.0.0.1/32")},
		Provider: nobodys{}, Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		f.Fatal(err)
	}
	around := d.Around(floor(d))
	f.Add("POST", "/people", `{"do":"add","name":"eve","role":"manager"}`, "sabot-pit=x", "127.0.0.1", "localhost")
	f.Add("POST", "/enter", `{"name":"manager","password":"x"}`, "", "192.0.2.1, 127.0.0.1", "localhost:1")
	f.Add("GET", "/log?before=-1&who=%00", "", "sabot-pit-known=y", "", "[::1]:80")
	f.Add("GET", "/enter/sso/back?state=x&code=y", "", "sabot-pit-sso=eyJzdGF0ZSI6IngifQ", "", "evil.example")
	f.Add("GET", "/enter?then=//evil.example", "", "", "", "localhost")
	f.Fuzz(func(t *testing.T, method, path, body, cookie, forwarded, host string) {
		at, err := url.ParseRequestURI(path)
		r, bad := http.NewRequest(method, "http://localhost", io.NopCloser(strings.NewReader(body)))
		if err != nil || bad != nil || method == http.MethodPost && at.Path == "/enter" &&
			strings.Contains(body, password) {
			return
		}
		r.URL, r.Host, r.RemoteAddr = at, host, "10.0.0.1:1"
		r.Header = http.Header{
			"Content-Type": {"application/json"}, "Cookie": {cookie}, "X-Forwarded-For": {forwarded},
			"X-Forwarded-Proto": {"https"},
		}
		w := httptest.NewRecorder()
		around.ServeHTTP(w, r)
		if w.Code >= 500 {
			t.Fatalf("%s %q is answered with %d %.300s", method, path, w.Code, w.Body)
		}
		for _, c := range w.Result().Cookies() {
			if strings.HasSuffix(c.Name, "sabot-pit") && c.Value != "" {
				t.Fatalf("%s %q gives a session", method, path)
			}
		}
		if there := w.Header().Get("Location"); strings.HasPrefix(there, "//") || strings.HasPrefix(there, `/\`) ||
			strings.Contains(there, "://") && !strings.HasPrefix(there, "https://id.example/") {
			t.Fatalf("%s %q leads to %q", method, path, there)
		}
		persons, _, err := all.All(t.Context())
		if err != nil || len(persons) != 1 {
			t.Fatalf("there are %d persons, %v", len(persons), err)
		}
	})
}

// nobodys is a provider that vouches for nobody.
type nobodys struct{}

func (nobodys) Begin(context.Context) (string, login.Pending, error) {
	return "https://id.example/ask", login.Pending{State: "x"}, nil
}

func (nobodys) Finish(context.Context, login.Pending, url.Values) (people.Vouched, error) {
	return people.Vouched{}, errors.New("nobody")
}

// TestLimitedToSites: a manager gives somebody a role at one site; who is limited so decides about nobody, and reads no
// log.
func TestLimitedToSites(t *testing.T) {
	p := open(t, login.Options{Sites: []string{"kursaal", "wiesbaden"}})
	c := p.entered("manager")
	for body, status := range map[string]int{
		`{"do":"sites","name":"supervisor","sites":"baden"}`:                    400,
		`{"do":"sites","name":"supervisor","sites":"kursaal"}`:                  200,
		`{"do":"add","name":"dora","role":"manager","sites":"kursaal"}`:         200,
		`{"do":"sites","name":"manager","sites":"kursaal"}`:                     409,
		`{"do":"add","name":"emil","role":"viewer","sites":"kursaal wiesbade"}`: 400,
	} {
		if got := p.post(c, "/people", body); got.status != status {
			t.Errorf("%s: %d %s", body, got.status, got.body)
		}
	}
	page := p.get(c, "/people").body
	if strings.Count(page, "· kursaal</p>") != 2 {
		t.Errorf("the page of people is %s", page)
	}
	if err := p.people.SetSites(t.Context(), console, "manager", "kursaal"); err != nil {
		t.Fatal(err)
	}
	limited := p.entered("manager")
	for _, path := range []string{"/people", "/log"} {
		if got := p.get(limited, path); got.status != 403 {
			t.Errorf("%s: %d", path, got.status)
		}
	}
	if got := p.post(limited, "/people", `{"do":"sites","name":"supervisor","sites":""}`); got.status != 403 {
		t.Errorf("somebody who is limited decides: %d", got.status)
	}
}
