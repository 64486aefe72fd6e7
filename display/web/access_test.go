package web_test

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"
	"testing"
	"text/tabwriter"
	"time"

	"github.com/cockroachdb/datadriven"

	"github.com/sabot-table/sabot/display/web"
	"github.com/sabot-table/sabot/internal/site"
	"github.com/sabot-table/sabot/internal/testkit/displaytest"
	"github.com/sabot-table/sabot/table/authority"
	"github.com/sabot-table/sabot/table/profile"
)

// guarded is a table on the network with a screen of each role, named after it.
type guarded struct {
	*httptest.Server
	t      *testing.T
	server *web.Server
	access *web.Access
	keys   map[web.Role]web.Key
	own    web.Key // of the table's own screen
	table  counter
	people crowd
	// patience is the server's WriteTimeout, 0 for the usual one; one that is forgiving has it with requests alone.
	patience  time.Duration
	forgiving bool
	paces     web.Paces

	mu    sync.Mutex
	told  []web.AccessNotice
	kept  []web.Kept
	fault error // why nothing can be kept
}

var roles = []web.Role{web.Guest, web.View, web.Dealer, web.Supervisor}

func guard(t *testing.T) *guarded {
	t.Helper()
	g := &guarded{t: t, keys: map[web.Role]web.Key{}, people: crowd{status: authority.Status{Proof: authority.PIN}}}
	for _, role := range roles {
		g.keys[role] = web.NewKey()
	}
	g.own = web.NewKey()
	g.open()
	return g
}

// open starts the table, with the sessions that a former one has kept.
func (g *guarded) open() {
	g.t.Helper()
	var err error
	g.access, err = web.NewAccess(web.AccessOptions{
		Screens: append(g.screens(roles...), web.Screen{
			Name: "own-1", Role: web.Supervisor, Own: true,
			Key: g.own.Hash(),
		}), Kept: g.kept, Keep: g.keep, Noted: g.noted,
		Host: func(name string) bool { return name == "127.0.0.1" || name == "table.example" },
	})
	if err != nil {
		g.t.Fatal(err)
	}
	g.server = web.New(web.Options{
		Logger: slog.New(slog.DiscardHandler), Press: g.table.press, People: &g.people,
		Recall: displaytest.Rounds(), Houses: profile.Built(), Devices: devices, Access: g.access,
		WriteTimeout: g.patience, Paces: g.paces,
	})
	g.server.Add(settings...)
	g.server.Show(displaytest.Named("play"))
	var handler http.Handler = g.server.Handler()
	if g.forgiving {
		handler = forgiving(handler)
	}
	g.Server = httptest.NewTLSServer(handler)
	page := g.Server
	g.t.Cleanup(func() {
		page.CloseClientConnections()
		page.Close()
	})
}

// forgiving lets answers come however late: a machine that is busy for longer than a test's patience with requests
// would lose them.
func forgiving(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { next.ServeHTTP(anyTime{w}, r) })
}

type anyTime struct{ http.ResponseWriter }

func (a anyTime) Unwrap() http.ResponseWriter { return a.ResponseWriter }

func (anyTime) SetWriteDeadline(time.Time) error { return nil }

// devices stands for the page of devices and log, and settings for the table's settings, which are not the display's
// own.
var (
	devices = page(site.Row{
		Method: http.MethodGet, Path: "/devices/{$}", Least: web.Supervisor, Page: true,
		Seldom: true,
	})
	settings = page(site.Row{Method: http.MethodPost, Path: "/settings/save", Least: web.Own})
)

func page(r site.Row) []site.Row {
	r.Serve = func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, r.Path) }
	return []site.Row{r}
}

// screens are those of some roles.
func (g *guarded) screens(of ...web.Role) (all []web.Screen) {
	for _, role := range of {
		all = append(all, web.Screen{Name: role.String() + "-1", Role: role, Key: g.keys[role].Hash()})
	}
	return all
}

func (g *guarded) keep(kept []web.Kept) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.fault == nil {
		g.kept = kept
	}
	return g.fault
}

func (g *guarded) noted(n web.AccessNotice) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.told = append(g.told, n)
}

// tells returns what was told since it was asked last.
func (g *guarded) tells() string {
	g.mu.Lock()
	defer g.mu.Unlock()
	var all []string
	for _, n := range g.told {
		all = append(all, strings.Join(strings.Fields(fmt.Sprint(n.What, " ", n.Screen, " ", n.Role, " ", n.From, " ",
			n.Why)), " "))
	}
	g.told = nil
	return strings.Join(all, "; ")
}

// screen is a browser with its cookies, which follows no redirect.
func (g *guarded) screen() *http.Client {
	g.t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		g.t.Fatal(err)
	}
	return &http.Client{
		Jar: jar, Transport: g.Client().Transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// answer is how a request was answered.
type answer struct {
	status int
	header http.Header
	body   string
}

// ask asks for a path. A POST has an empty object, unless it has another body.
func (g *guarded) ask(by *http.Client, method, path, body string, with ...func(*http.Request)) answer {
	g.t.Helper()
	response := g.begin(by, method, path, body, with...)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		g.t.Fatal(err)
	}
	return answer{response.StatusCode, response.Header, string(text)}
}

// begin returns as soon as the answer begins.
func (g *guarded) begin(by *http.Client, method, path, body string, with ...func(*http.Request)) *http.Response {
	g.t.Helper()
	ctx, cancel := context.WithTimeout(g.t.Context(), deadline)
	g.t.Cleanup(cancel)
	r, err := http.NewRequestWithContext(ctx, method, g.URL+path, strings.NewReader(body))
	if err != nil {
		g.t.Fatal(err)
	}
	if method == http.MethodPost {
		r.Header.Set("Content-Type", "application/json")
	}
	for _, change := range with {
		change(r)
	}
	response, err := by.Do(r)
	if err != nil {
		g.t.Fatal(err)
	}
	g.t.Cleanup(func() { response.Body.Close() })
	return response
}

// enter enters with a key, which must be answered so.
func (g *guarded) enter(by *http.Client, key string, status int) answer {
	g.t.Helper()
	body, err := json.Marshal(map[string]string{"key": key})
	if err != nil {
		g.t.Fatal(err)
	}
	got := g.ask(by, http.MethodPost, "/enter", string(body))
	if got.status != status || strings.Contains(got.body, key) {
		g.t.Errorf("a key was answered %d %s, want %d", got.status, got.body, status)
	}
	return got
}

// entered is the screen of a role, with its session.
func (g *guarded) entered(role web.Role) *http.Client {
	g.t.Helper()
	by := g.screen()
	g.enter(by, g.keys[role].String(), http.StatusOK)
	return by
}

// fill puts something that is there into a path's places.
func fill(path string) string {
	return strings.NewReplacer("{$}", "", "{name}", "enter.js", "{round}", "1").Replace(path)
}

// TestEveryRouteHasItsRole asks for everything that there is, in every role. What
// comes of a new route has to be read and written down: -rewrite.
func TestEveryRouteHasItsRole(t *testing.T) {
	datadriven.RunTest(t, "testdata/access.txt", func(t *testing.T, _ *datadriven.TestData) string {
		var text strings.Builder
		columns := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
		fmt.Fprint(columns, "\tnobody\tguest\tview\tdealer\tsupervisor\tthe table's own\n")
		for _, route := range web.RoutesOf(guard(t).server) {
			g := guard(t)
			fmt.Fprintf(columns, "%s %s", route[0], route[1])
			for role := web.Nobody; role <= web.Supervisor+1; role++ {
				if route[1] == "/enter" {
					g = guard(t) // nobody suffers for another's tries
				}
				by := g.screen()
				switch {
				case role > web.Supervisor:
					g.enter(by, g.own.String(), http.StatusOK)
				case role > web.Nobody:
					by = g.entered(role)
				}
				response := g.begin(by, route[0], fill(route[1]), "{}")
				response.Body.Close()
				fmt.Fprintf(columns, "\t%d", response.StatusCode)
			}
			fmt.Fprintln(columns)
		}
		if err := columns.Flush(); err != nil {
			t.Fatal(err)
		}
		return regexp.MustCompile(`(?m) +$`).ReplaceAllString(text.String(), "")
	})
}

// TestStrangers are led to where a screen enters, and learn nothing.
func TestStrangers(t *testing.T) {
	g := guard(t)
	accept := func(kind string) func(*http.Request) { return header("Accept", kind) }
	for _, c := range []struct {
		name, path string
		with       func(*http.Request)
		status     int
		location   string
		body       string
	}{
		{"a browser", "/", accept("text/html,*/*"), 303, "/enter", `<a href="/enter">See Other</a>`},
		{
			"a browser at a past round", "/recall/1", accept("text/html"), 303, "/enter",
			`<a href="/enter">See Other</a>`,
		},
		{
			"a page that is open", "/events", accept("text/event-stream"), 200, "",
			`data: <main id="table" data-build="over"></main>`,
		},
		{"a program", "/events?as=json", accept("*/*"), 401, "", "/enter"},
		{"another cookie", "/view.json", header("Cookie", "__Host-sabot=AAAA"), 401, "", "/enter"},
		{"a cookie of another name", "/view.json", header("Cookie", "sabot=AAAA"), 401, "", "/enter"},
		{"what is not there", "/other", accept("text/html"), 404, "", "404 page not found"},
	} {
		got := g.ask(g.screen(), http.MethodGet, c.path, "", c.with)
		if got.status != c.status || got.header.Get("Location") != c.location || !strings.Contains(got.body, c.body) {
			t.Errorf("%s was answered %d %v: %s", c.name, got.status, got.header, got.body)
		}
		for _, inside := range []string{"wiesbaden", "play", "bank"} {
			if strings.Contains(got.body, inside) {
				t.Errorf("%s learnt %q: %s", c.name, inside, got.body)
			}
		}
	}
	if got := g.tells(); got != "" {
		t.Errorf("it was told %s", got)
	}
}

// TestScreenThatOnlyLooks: what it posts does not reach the table, and a person is
// led back.
func TestScreenThatOnlyLooks(t *testing.T) {
	g := guard(t)
	view := g.entered(web.View)
	got := g.ask(view, http.MethodPost, "/input", `{"in":"open"}`)
	if got.status != http.StatusForbidden || !strings.Contains(got.body,
		"a screen of role view may not do this: it takes one of role dealer") {
		t.Errorf("an input was answered %d %s", got.status, got.body)
	}
	if len(g.table.taken) != 0 {
		t.Errorf("it reached the table as %+v", g.table.taken)
	}
	if got := g.ask(view, http.MethodGet, "/recall", "",
		header("Accept", "text/html")); got.status != http.StatusSeeOther || got.header.Get("Location") != "/" {
		t.Errorf("a person was answered %d %v", got.status, got.header)
	}
	if got := g.ask(view, http.MethodGet, "/", ""); !strings.Contains(got.body, `data-role="view"`) {
		t.Error("the page does not know that it may only look")
	}
	if got := g.ask(g.entered(web.Dealer), http.MethodPost, "/supervisor",
		`{"pin":"2580"}`); got.status != http.StatusForbidden || len(g.people.asked) != 0 {
		t.Errorf("a dealer's screen entered a PIN: %d %s", got.status, got.body)
	}
	if got := g.ask(g.entered(web.Dealer), http.MethodPost, "/input", `{"in":"open"}`); got.status != http.StatusOK ||
		len(g.table.taken) != 1 {
		t.Errorf("a dealer's screen was answered %d %s", got.status, got.body)
	}
	if got := g.ask(g.entered(web.Supervisor), http.MethodPost, "/supervisor",
		`{"pin":"2580"}`); got.status != http.StatusOK || len(g.people.asked) != 1 {
		t.Errorf("a supervisor's screen was answered %d %s", got.status, got.body)
	}
}

// TestCookie is one that browsers send to the table alone, and no script reads.
func TestCookie(t *testing.T) {
	g := guard(t)
	got := g.enter(g.screen(), g.keys[web.View].String(), http.StatusOK).header.Get("Set-Cookie")
	want := regexp.MustCompile(
		`^__Host-sabot=[A-Za-z0-9_-]{43}; Path=/; Max-Age=34560000; HttpOnly; Secure; SameSite=Strict$`)
	if !want.MatchString(got) {
		t.Errorf("the cookie is %s", got)
	}
	view := g.entered(web.View)
	if again := g.ask(view, http.MethodGet, "/", "").header.Get("Set-Cookie"); !want.MatchString(again) ||
		again == got {
		t.Errorf("the cookie is renewed as %s", again)
	}
	for _, k := range g.kept {
		if cookie, _, _ := strings.Cut(strings.TrimPrefix(got, "__Host-sabot="),
			";"); strings.Contains(k.Session, cookie) {
			t.Error("what is kept has what the cookie holds")
		}
	}
}

// awaitOver reads a stream to its end, which must send the page to enter.
func awaitOver(t *testing.T, stream *http.Response) {
	t.Helper()
	text, err := io.ReadAll(stream.Body)
	if err != nil || !strings.HasSuffix(string(text), `data: <main id="table" data-build="over"></main>`+"\n\n") {
		t.Errorf("the stream ends with %.200q, %v", text[max(0, len(text)-200):], err)
	}
}

// TestSessionsEnd at once, with their streams: when a screen leaves, when another
// enters with its key, when it may not enter any more, and for a moment when its role
// is another. The other screens see nothing of it.
func TestSessionsEnd(t *testing.T) {
	g := guard(t)
	other := g.begin(g.entered(web.Supervisor), http.MethodGet, "/events", "")
	g.tells()
	for _, c := range []struct {
		name string
		end  func(view *http.Client)
		told string
		// after is how the screen is answered then.
		after int
	}{
		{
			"left", func(view *http.Client) { g.ask(view, http.MethodPost, "/leave", "") },
			"screen-out view-1 view left", 401,
		},
		{
			"another", func(*http.Client) { g.entered(web.View) },
			"screen-out view-1 view another; screen-in view-1 view 127.0.0.1", 401,
		},
		{"role", func(*http.Client) {
			screens := g.screens(roles...)
			screens[1].Role = web.Dealer
			g.access.Change(screens)
		}, "screen-in view-1 dealer role", 200},
		{"key", func(*http.Client) {
			screens := g.screens(roles...)
			screens[1].Key = web.NewKey().Hash()
			g.access.Change(screens)
		}, "screen-out view-1 view revoked", 401},
		{
			"removed", func(*http.Client) { g.access.Change(g.screens(web.Guest, web.Dealer, web.Supervisor)) },
			"screen-out view-1 view revoked", 401,
		},
	} {
		g.access.Change(g.screens(roles...))
		view := g.entered(web.View)
		stream := g.begin(view, http.MethodGet, "/events", "")
		g.tells()
		c.end(view)
		awaitOver(t, stream)
		if got := g.tells(); got != c.told {
			t.Errorf("%s: it was told %q, want %q", c.name, got, c.told)
		}
		if got := g.ask(view, http.MethodGet, "/view.json", ""); got.status != c.after {
			t.Errorf("%s: answered %d", c.name, got.status)
		}
	}
	g.enter(g.screen(), g.keys[web.View].String(), http.StatusForbidden)
	if _, err := other.Body.Read(make([]byte, 1)); err != nil {
		t.Errorf("another screen's stream ended: %v", err)
	}
}

// TestSessionsOutliveTheDaemon, but not their key.
func TestSessionsOutliveTheDaemon(t *testing.T) {
	g := guard(t)
	view, dealer := g.entered(web.View), g.entered(web.Dealer)
	cookies := func(by *http.Client) string {
		response := g.begin(by, http.MethodGet, "/view.json", "")
		if response.StatusCode != http.StatusOK {
			t.Fatalf("answered %s", response.Status)
		}
		return strings.Split(response.Header.Get("Set-Cookie"), ";")[0]
	}
	viewHas, dealerHas := cookies(view), cookies(dealer)
	g.keys[web.Dealer] = web.NewKey()
	g.open()
	if got := g.ask(g.screen(), http.MethodGet, "/", "", header("Cookie", viewHas)); got.status != http.StatusOK {
		t.Errorf("a screen was answered %d after a restart", got.status)
	}
	if got := g.ask(g.screen(), http.MethodGet, "/view.json", "",
		header("Cookie", dealerHas)); got.status != http.StatusUnauthorized {
		t.Errorf("a screen with another key was answered %d after a restart", got.status)
	}
	for _, kept := range [][]web.Kept{{{Screen: "view-1", Session: "abcd"}}, {{Screen: "view-1", Session: "x"}}} {
		_, err := web.NewAccess(web.AccessOptions{Kept: kept, Keep: g.keep, Noted: g.noted, Host: func(string) bool {
			return true
		}})
		if err == nil {
			t.Errorf("%+v is taken for a session", kept)
		}
	}
}

// TestSessionThatCannotBeKept: a full disk keeps no screen out.
func TestSessionThatCannotBeKept(t *testing.T) {
	g := guard(t)
	g.fault = errors.New("no space left on device")
	if got := g.ask(g.entered(web.View), http.MethodGet, "/", ""); got.status != http.StatusOK {
		t.Errorf("answered %d", got.status)
	}
	if len(g.told) != 1 || !errors.Is(g.told[0].Err, g.fault) {
		t.Errorf("it was told %+v", g.told)
	}
}

// TestWrongKeys are told five times a minute, and never keep the right one out.
func TestWrongKeys(t *testing.T) {
	g := guard(t)
	wrong := web.NewKey().String()
	for _, c := range []struct {
		key    string
		status int
		told   string
	}{
		{wrong, 403, "screen-refused 127.0.0.1 wrong-key"},
		{"sesame", 403, "screen-refused 127.0.0.1 wrong-key"},
		{"000-000", 403, "screen-refused 127.0.0.1 wrong-key"},
		{g.keys[web.View].String() + "0", 403, "screen-refused 127.0.0.1 wrong-key"},
		{wrong, 429, "screen-refused 127.0.0.1 wrong-keys"},
		{wrong, 429, ""},
		{wrong, 429, ""},
		{g.keys[web.View].String(), 200, "screen-in view-1 view 127.0.0.1"},
	} {
		got := g.enter(g.screen(), c.key, c.status)
		if told := g.tells(); told != c.told {
			t.Errorf("it was told %q, want %q", told, c.told)
		}
		if waits := got.header.Get("Retry-After") != ""; waits != (c.status == http.StatusTooManyRequests) {
			t.Errorf("%d has Retry-After %q", got.status, got.header.Get("Retry-After"))
		}
		if entered := got.header.Get("Set-Cookie") != ""; entered != (c.status == http.StatusOK) {
			t.Errorf("%d sets %q", got.status, got.header.Get("Set-Cookie"))
		}
	}
}

// TestSlowStranger: who does not go on with what he sends is not waited for.
func TestSlowStranger(t *testing.T) {
	g := guard(t)
	g.patience, g.forgiving = 10*time.Millisecond, true
	g.open()
	slow, err := tls.Dial("tcp", g.Listener.Addr().String(), g.Client().Transport.(*http.Transport).TLSClientConfig)
	if err != nil {
		t.Fatal(err)
	}
	defer slow.Close()
	const head = "POST /enter HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: " +
		"100\r\n\r\n{"
	if _, err := io.WriteString(slow, head); err != nil {
		t.Fatal(err)
	}
	if err := slow.SetReadDeadline(time.Now().Add(deadline)); err != nil {
		t.Fatal(err)
	}
	if answer, err := io.ReadAll(slow); err != nil || !strings.Contains(string(answer), "408 Request Timeout") {
		t.Errorf("he was answered %q, %v", answer, err)
	}
}

// TestFromElsewhere: other pages, other names and other methods reach nothing, also
// with a screen's cookie.
func TestFromElsewhere(t *testing.T) {
	g := guard(t)
	dealer := g.entered(web.Dealer)
	g.tells()
	const get, post = http.MethodGet, http.MethodPost
	from := func(site, mode, dest string) func(*http.Request) {
		return func(r *http.Request) {
			r.Header.Set("Sec-Fetch-Site", site)
			r.Header.Set("Sec-Fetch-Mode", mode)
			r.Header.Set("Sec-Fetch-Dest", dest)
		}
	}
	host := func(name string) func(*http.Request) { return func(r *http.Request) { r.Host = name } }
	for _, c := range []struct {
		name, method, path string
		with               func(*http.Request)
		status             int
	}{
		{"its own page", post, "/input", header("Origin", g.URL), 200},
		{"its own page", post, "/input", from("same-origin", "cors", "empty"), 200},
		{"its name", get, "/", host("table.example:8443"), 401}, // where the client has no cookie
		{"a person", get, "/", from("none", "navigate", "document"), 200},
		{"a link", get, "/", from("cross-site", "navigate", "document"), 200},
		{"another site's page", post, "/input", from("cross-site", "cors", "empty"), 403},
		{"another port's page", post, "/input", from("same-site", "cors", "empty"), 403},
		{"a form of another site", post, "/input", from("cross-site", "navigate", "document"), 403},
		{"another origin", post, "/input", header("Origin", "https://evil.example"), 403},
		{"its origin without TLS", post, "/input", header("Origin", strings.Replace(g.URL, "https:", "http:", 1)), 403},
		{"no origin", post, "/leave", header("Origin", "null"), 403},
		{"another origin's entry", post, "/enter", header("Origin", "https://evil.example"), 403},
		{"a form", post, "/enter", header("Content-Type", "application/x-www-form-urlencoded"), 415},
		{"plain text", post, "/leave", header("Content-Type", "text/plain"), 415},
		{"a stream of another site", get, "/events", from("cross-site", "cors", "empty"), 403},
		{"a frame of another site", get, "/", from("cross-site", "navigate", "iframe"), 403},
		{"a script of another site", get, "/view.json", from("same-site", "no-cors", "script"), 403},
		{"a foreign name", get, "/", host("evil.example"), 421},
		{"a foreign name for this machine", get, "/", host("localhost:8443"), 421},
		{"no name", get, "/view.json", host(" "), 421},
		{"a foreign name that enters", post, "/enter", host("table.example.evil.example"), 421},
		{"another method", http.MethodPut, "/input", nil, 405},
		{"another method", http.MethodDelete, "/enter", nil, 405},
	} {
		if c.with == nil {
			c.with = func(*http.Request) {}
		}
		got := g.begin(dealer, c.method, c.path, `{"in":"open"}`, c.with)
		got.Body.Close()
		if got.StatusCode != c.status {
			t.Errorf("%s: %s %s was answered %s, want %d", c.name, c.method, c.path, got.Status, c.status)
		}
	}
	if len(g.table.taken) != 2 || g.tells() != "" {
		t.Errorf("the table took %+v, and was told %s", g.table.taken, g.tells())
	}
}

// TestGuardedHeaders: every answer says what a browser may do with it.
func TestGuardedHeaders(t *testing.T) {
	g := guard(t)
	for _, path := range []string{"/", "/enter", "/assets/enter.js", "/nothing", "/view.json"} {
		h := g.ask(g.screen(), http.MethodGet, path, "").header
		for name, want := range map[string]string{
			"Strict-Transport-Security": "max-age=31536000", "X-Content-Type-Options": "nosniff",
			"Referrer-Policy": "no-referrer", "X-Frame-Options": "DENY",
		} {
			if got := h.Get(name); got != want {
				t.Errorf("%s: %s is %q, want %q", path, name, got, want)
			}
		}
		for name, part := range map[string]string{
			"Permissions-Policy":      "camera=()",
			"Content-Security-Policy": "frame-ancestors 'none'",
		} {
			if got := h.Get(name); !strings.Contains(got, part) {
				t.Errorf("%s: %s is %q, without %s", path, name, got, part)
			}
		}
		if got, kept := h.Get("Cache-Control"), strings.HasPrefix(path, "/assets/"); kept == (got == "no-store") {
			t.Errorf("%s: Cache-Control is %q", path, got)
		}
	}
	_, plain := serve(t, web.Options{})
	response, err := http.Get(plain.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if got := response.Header.Get("Strict-Transport-Security"); got != "" {
		t.Errorf("without TLS, Strict-Transport-Security is %q", got)
	}
}
