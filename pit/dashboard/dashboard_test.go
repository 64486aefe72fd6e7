package dashboard_test

import (
	"bufio"
	"context"
	"html"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/internal/site"
	"github.com/sabot-table/sabot/internal/testkit/pittest"
	"github.com/sabot-table/sabot/pit/dashboard"
	"github.com/sabot-table/sabot/pit/floor"
	"github.com/sabot-table/sabot/pit/people"
	"github.com/sabot-table/sabot/pit/store"
	"github.com/sabot-table/sabot/pit/topic"
)

// pit is a site with samples behind it.
type pit struct {
	t      *testing.T
	floor  *pittest.Floor
	past   *pittest.Past
	rooms  *pittest.Rooms
	orders *pittest.Commands
	site   http.Handler
}

func open(t *testing.T, sample string, with func(*dashboard.Options)) *pit {
	t.Helper()
	p := &pit{t: t, past: &pittest.Past{}, rooms: &pittest.Rooms{}}
	var err error
	if p.floor, err = pittest.NewFloor(sample); err != nil {
		t.Fatal(err)
	}
	p.orders = &pittest.Commands{Floor: p.floor}
	o := dashboard.Options{
		Floor: p.floor, Past: p.past, Rooms: p.rooms, Ended: p.past, Commands: p.orders,
		Name: "Kursaal",
	}
	if with != nil {
		with(&o)
	}
	d, err := dashboard.New(o)
	if err != nil {
		t.Fatal(err)
	}
	p.site = d.Handler()
	return p
}

// ask asks for something on the machine itself.
func (p *pit) ask(method, path, body string, with func(*http.Request)) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, "http://localhost"+path, strings.NewReader(body))
	r.Header.Set("Accept", "text/html")
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	if with != nil {
		with(r)
	}
	w := httptest.NewRecorder()
	p.site.ServeHTTP(w, r)
	return w
}

func (p *pit) get(path string) string {
	p.t.Helper()
	w := p.ask(http.MethodGet, path, "", nil)
	if w.Code != http.StatusOK {
		p.t.Fatalf("%s is answered with %d: %s", path, w.Code, w.Body)
	}
	return w.Body.String()
}

// role is everybody, in one role.
type role string

func (one role) Who(r *http.Request, _ bool) (people.Person, context.Context, func(), bool) {
	is, err := people.ParseRole(string(one))
	return people.Person{Name: "Anna", Role: is}, r.Context(), func() {}, err == nil
}

const bj3 = "/table/kursaal/bj-3/"

// TestRoles: who may ask for what.
func TestRoles(t *testing.T) {
	roles := []role{"", "viewer", "technician", "supervisor", "manager"}
	for _, c := range []struct {
		method, path, body string
		want               [5]int
	}{
		{"GET", "/", "", [5]int{303, 200, 200, 200, 200}},
		{"GET", "/alerts", "", [5]int{303, 200, 200, 200, 200}},
		{"GET", "/alerts/history", "", [5]int{303, 200, 200, 200, 200}},
		{"GET", "/fleet", "", [5]int{303, 403, 200, 403, 200}},
		{"GET", bj3, "", [5]int{303, 200, 200, 200, 200}},
		{"GET", "/recall", "", [5]int{303, 403, 403, 200, 200}},
		{"GET", bj3 + "recall", "", [5]int{303, 403, 403, 200, 200}},
		{"GET", bj3 + "recall/21", "", [5]int{303, 403, 403, 200, 200}},
		{"GET", bj3 + "recall/21/replay", "", [5]int{303, 403, 403, 200, 200}},
		{"GET", bj3 + "recall/21/sheet", "", [5]int{303, 403, 403, 200, 200}},
		{"GET", bj3 + "journal/00ff/recall/21", "", [5]int{303, 403, 403, 200, 200}},
		{"GET", bj3 + "journal/00ff/recall", "", [5]int{303, 403, 403, 303, 303}},
		{"POST", "/alerts/a1/coming", `{}`, [5]int{401, 403, 403, 204, 204}},
		{"POST", "/alerts/a1/seen", `{"note":"x"}`, [5]int{401, 403, 403, 204, 204}},
		{"POST", "/room", `{"table":"kursaal/bj-1","x":2,"y":2}`, [5]int{401, 403, 403, 204, 204}},
		{"POST", bj3 + "command/open", `{}`, [5]int{401, 403, 403, 200, 200}},
		{"POST", bj3 + "command/close", `{}`, [5]int{401, 403, 403, 200, 200}},
		{"POST", bj3 + "command/limits", `{"min":"20","box_max":"500"}`, [5]int{401, 403, 403, 200, 200}},
		{"POST", bj3 + "command/message", `{"text":"x"}`, [5]int{401, 403, 403, 200, 200}},
		{"POST", bj3 + "command/resend", `{"from":"1"}`, [5]int{401, 403, 200, 403, 200}},
		{"POST", bj3 + "command/acknowledge", `{"code":"unread-card"}`, [5]int{401, 403, 403, 200, 200}},
		{"POST", bj3 + "command/coming", `{}`, [5]int{401, 403, 403, 200, 200}},
		{"POST", bj3 + "command/outcome", `{}`, [5]int{404, 404, 404, 404, 404}},
		{"GET", "/assets/base.css", "", [5]int{200, 200, 200, 200, 200}},
		{"GET", "/pit/pit.css", "", [5]int{200, 200, 200, 200, 200}},
		{"GET", "/pit/doc.go", "", [5]int{404, 404, 404, 404, 404}},
		{"POST", "/", `{}`, [5]int{405, 405, 405, 405, 405}},
		{"GET", "/view.json", "", [5]int{404, 404, 404, 404, 404}},
	} {
		for i, one := range roles {
			p := open(t, "bad", func(o *dashboard.Options) { o.People = one })
			p.floor.Rest(3)
			if w := p.ask(c.method, c.path, c.body, nil); w.Code != c.want[i] {
				t.Errorf("%s %s as %q is answered with %d, want %d: %s", c.method, c.path, one, w.Code,
					c.want[i], w.Body)
			}
		}
	}
}

// TestWhoMayNotSeesNoWay: a page has no key for what its person may not do, and says no more than they may know.
func TestWhoMayNotSeesNoWay(t *testing.T) {
	for _, one := range []role{"viewer", "technician"} {
		p := open(t, "bad", func(o *dashboard.Options) { o.People = one })
		for _, path := range []string{"/", "/alerts", bj3} {
			body := p.get(path)
			for _, key := range []string{
				"data-does", `id="arrange"`, "/recall", `data-order="limits"`,
				`data-order="close"`, `id="order-message"`,
			} {
				if strings.Contains(body, key) {
					t.Errorf("%s as %s has %s", path, one, key)
				}
			}
		}
		if has := strings.Contains(p.get(bj3), "1.0.2"); has != (one == "technician") {
			t.Errorf("as %s the computer is shown: %t", one, has)
		}
	}
}

// TestTheDay: everybody sees how many rounds were dealt; what the house has won, and what each dealer has come to,
// those who look after the rounds.
func TestTheDay(t *testing.T) {
	for one, sees := range map[role]bool{"viewer": false, "technician": false, "supervisor": true, "manager": true} {
		p := open(t, "calm", func(o *dashboard.Options) { o.People = one })
		tile, table := p.get("/"), p.get(bj3)
		for _, c := range []struct {
			page, name, text string
			want             bool
		}{
			{tile, "a tile", "<span>165 rounds</span>", true},
			{tile, "a tile", "138.75", sees},
			{table, "a table", "Gaming day", true},
			{table, "a table", "165 rounds", true},
			{table, "a table", "Shift: Dimitri", true},
			{table, "a table", "68 rounds", true},
			{table, "a table", "51.25", sees},
			{table, "a table", "By dealer", sees},
			{table, "a table", "Jonas", sees},
			{table, "a table", "Maximiliane (spät)", sees},
			{table, "a table", "of 412.50 staked", sees},
			{table, "a table", "3 irregularities", sees},
		} {
			if strings.Contains(c.page, c.text) != c.want {
				t.Errorf("as %s %s has %q: %t", one, c.name, c.text, !c.want)
			}
		}
		if !strings.Contains(p.get("/"), "tile-kursaal-bj-6") ||
			strings.Contains(open(t, "broker", nil).get("/"), "rounds</span>") {
			t.Error("a table of which nothing is heard says what it came to")
		}
	}
}

// TestWhatIsWrongComesFirst: a tile on which something is wrong has room for that alone.
func TestWhatIsWrongComesFirst(t *testing.T) {
	body := open(t, "bad", nil).get("/")
	for n, calm := range map[string]bool{
		"bj-2": true, "bj-3": false, "bj-9": false, "bj-10": false, "bj-8": false,
		"bj-12": true,
	} {
		tile := regexp.MustCompile(`(?s)<li id="tile-kursaal-` + n + `".*?</li>`).FindString(body)
		if strings.Contains(tile, `class="day"`) != calm {
			t.Errorf("%s: %s", n, tile)
		}
	}
}

// TestMenu has what the other parts of the pit offer to whoever may.
func TestMenu(t *testing.T) {
	for one, want := range map[role]bool{"viewer": false, "manager": true} {
		p := open(t, "calm", func(o *dashboard.Options) {
			o.People = one
			o.Links = []dashboard.Link{{Key: "pit.health", Where: "/health", Least: dashboard.Technician}}
			o.Menu = []dashboard.Link{
				{Key: "pit.pages", Where: "/people", Least: dashboard.Manager},
				{Key: "pit.cancel", Where: "/leave", Least: dashboard.Viewer, Posts: true},
			}
		})
		body := p.get("/")
		if strings.Contains(body, `href="/health"`) != want || strings.Contains(body, `href="/people"`) != want ||
			!strings.Contains(body, `data-posts="/leave"`) {
			t.Errorf("as %s the menu is wrong", one)
		}
	}
}

// TestFormsMayBeSent: the search is a form that goes to an address of the pit, and the page's policy lets it, there and
// nowhere else.
func TestFormsMayBeSent(t *testing.T) {
	p := open(t, "bad", nil)
	w := p.ask(http.MethodGet, bj3+"recall", "", nil)
	if !strings.Contains(w.Body.String(), `<form id="search" role="search" action="`+bj3+`recall">`) {
		t.Error("the search has no address")
	}
	if policy := w.Header().Get("Content-Security-Policy"); !strings.Contains(policy, "form-action 'self';") ||
		strings.Contains(policy, "form-action 'none'") {
		t.Errorf("the policy is %s", policy)
	}
}

// TestStrangers are led to where people enter, and come back to where they wanted to go.
func TestStrangers(t *testing.T) {
	p := open(t, "bad", func(o *dashboard.Options) { o.People = role("") })
	w := p.ask(http.MethodGet, bj3+"recall?round=3", "", nil)
	if got := w.Header().Get("Location"); got != "/enter?then=%2Ftable%2Fkursaal%2Fbj-3%2Frecall%3Fround%3D3" {
		t.Errorf("led to %s", got)
	}
	w = p.ask(http.MethodGet, "/stream/floor", "", func(r *http.Request) {
		r.Header.Set("Accept", "text/event-stream")
	})
	if !strings.Contains(w.Body.String(), `data-build="over"`) {
		t.Errorf("a stream is told %q", w.Body)
	}
}

// TestElsewhere: other sites' pages, and other names of this machine, get nothing.
func TestElsewhere(t *testing.T) {
	p := open(t, "bad", nil)
	for name, c := range map[string]struct {
		method, path string
		with         func(*http.Request)
		want         int
	}{
		"another site sends": {
			"POST", "/alerts/a1/seen",
			func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") }, 403,
		},
		"another site looks": {"GET", "/", func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") }, 403},
		"another name":       {"GET", "/", func(r *http.Request) { r.Host = "pit.example" }, 421},
		"a form": {
			"POST", "/alerts/a1/seen",
			func(r *http.Request) { r.Header.Set("Content-Type", "text/plain") }, 415,
		},
	} {
		if w := p.ask(c.method, c.path, `{"by":"x"}`, c.with); w.Code != c.want {
			t.Errorf("%s: %d, want %d", name, w.Code, c.want)
		}
	}
	if a := p.floor.Alerts()[0]; a.Seen() {
		t.Error("an alert was seen")
	}
	w := p.ask(http.MethodGet, "/", "", nil)
	if policy := w.Header().Get("Content-Security-Policy"); !strings.Contains(policy,
		"script-src 'self'; style-src 'self'") {
		t.Errorf("the policy is %q", policy)
	}
}

// TestAlertsAreTakenUp by a named person, with a note.
func TestAlertsAreTakenUp(t *testing.T) {
	p := open(t, "bad", nil)
	worst := p.floor.Alerts()[0]
	for _, c := range []struct {
		path, body string
		want       int
	}{
		{"/seen", `{"by":" ","note":"x"}`, 400},
		{"/seen", `{"by":"anna","money":1}`, 400},
		{"/seen", `[`, 400},
		{"/coming", `{"by":"anna"}`, 204},
		{"/seen", `{"by":"  anna\n","note":"` + strings.Repeat("é", 600) + `"}`, 204},
	} {
		if w := p.ask(http.MethodPost, "/alerts/"+worst.ID+c.path, c.body, nil); w.Code != c.want {
			t.Errorf("%s %s is answered with %d %s, want %d", c.path, c.body, w.Code, w.Body, c.want)
		}
	}
	if w := p.ask(http.MethodPost, "/alerts/none/seen", `{"by":"anna"}`, nil); w.Code != http.StatusConflict {
		t.Errorf("an alert that is not there: %d", w.Code)
	}
	i := slices.IndexFunc(p.floor.Alerts(), func(a floor.Alert) bool { return a.ID == worst.ID })
	if a := p.floor.Alerts()[i]; a.Comes != "anna" || a.AcknowledgedBy != "anna" || a.Note != strings.Repeat("é", 500) {
		t.Errorf("%q comes, %q has seen it, and says %q", a.Comes, a.AcknowledgedBy, a.Note)
	}

	p.ask(http.MethodPost, "/alerts/"+worst.ID+"/seen",
		`{"by":"an\u0000na\u202e","note":"paid \u202e21€\u2066\t\u0007now"}`, nil)
	if a := p.floor.Alerts()[i]; a.AcknowledgedBy != "anna" || a.Note != "paid 21€ now" {
		t.Errorf("%q has seen it, and says %q, with what nobody sees", a.AcknowledgedBy, a.Note)
	}

	p = open(t, "bad", func(o *dashboard.Options) { o.People = role("supervisor") })
	p.ask(http.MethodPost, "/alerts/"+worst.ID+"/seen", `{"by":"somebody else"}`, nil)
	if got := p.floor.Alerts()[0].AcknowledgedBy; got != "Anna" {
		t.Errorf("a person who has entered as Anna has seen it as %q", got)
	}
}

// TestWhoIsCalledMayAnswer: the pit's own alerts call a technician, who may take those up, and no others, and no viewer
// any.
func TestWhoIsCalledMayAnswer(t *testing.T) {
	for _, c := range []struct {
		sample string
		role   role
		may    bool
	}{
		{"store", "technician", true},
		{"broker", "technician", true},
		{"store", "manager", true},
		{"store", "supervisor", true},
		{"bad", "technician", false},
		{"offline", "technician", false},
		{"store", "viewer", false},
	} {
		p := open(t, c.sample, func(o *dashboard.Options) { o.People = c.role })
		status := http.StatusForbidden
		if c.may {
			status = http.StatusNoContent
		}
		page := p.get("/alerts")
		if has := strings.Contains(page, `data-does="coming"`); has != c.may {
			t.Errorf("of %s a %s has a key to take an alert up: %t", c.sample, c.role, has)
		}
		if mends := c.role == "technician" || c.role == "manager"; (c.sample == "store" || c.sample == "broker") &&
			strings.Contains(page, `<small lang="en">`) != mends {
			t.Errorf("of %s a %s reads the error of the program: %t", c.sample, c.role, !mends)
		}
		for _, does := range []string{"coming", "seen"} {
			id := p.floor.Alerts()[0].ID
			if w := p.ask(http.MethodPost, "/alerts/"+id+"/"+does, `{}`, nil); w.Code != status {
				t.Errorf("of %s a %s is answered %s with %d", c.sample, c.role, does, w.Code)
			}
		}
	}
}

// TestWrongComesFirst: of a floor on which much is wrong, the gravest is in the head of each page, and each tile says
// what is wrong with it.
func TestWrongComesFirst(t *testing.T) {
	p := open(t, "bad", nil)
	for _, path := range []string{"/", bj3, bj3 + "recall"} {
		body := p.get(path)
		at, calm := strings.Index(body, "Journal rewritten"), strings.Contains(body, "Nothing is wrong")
		if at < 0 || calm {
			t.Errorf("%s does not begin with what is wrong", path)
		}
	}
	for _, path := range []string{"/", bj3} {
		if body := open(t, "calm", nil).get(path); !strings.Contains(body, "Nothing is wrong") ||
			strings.Contains(body, "alarm") {
			t.Errorf("%s of a calm floor is not calm", path)
		}
	}
	for sample, text := range map[string]string{
		"broker": "The broker is away", "store": "The database is away",
		"empty": "No table has been heard of yet",
	} {
		if body := open(t, sample, nil).get("/"); !strings.Contains(body, text) {
			t.Errorf("%s: the page does not say %q", sample, text)
		}
	}
}

// hostile is a floor whose people have terrible names.
type hostile struct{ *pittest.Floor }

const evil = `"><script>alert('1')</script><b a='&`

func (h hostile) Tiles() []floor.Tile {
	tiles := h.Floor.Tiles()
	for i := range tiles {
		tiles[i].Dealer, tiles[i].House, tiles[i].Currency = evil, evil, evil
		tiles[i].Alerts = h.bad(tiles[i].Alerts)
	}
	return tiles
}

func (hostile) bad(alerts []floor.Alert) []floor.Alert {
	alerts = slices.Clone(alerts)
	for i := range alerts {
		a := &alerts[i]
		a.Text, a.Comes, a.AcknowledgedBy, a.Note, a.By, a.ID = evil, evil, evil, evil, evil, evil
	}
	return alerts
}

func (h hostile) Alerts() []floor.Alert  { return h.bad(h.Floor.Alerts()) }
func (h hostile) History() []floor.Alert { return h.bad(h.Floor.History()) }
func (h hostile) View(t topic.Table) (display.View, bool) {
	v, ok := h.Floor.View(t)
	v.Shift = display.Shift{Dealer: evil, Name: evil}
	v.Opening = display.Opening{By: evil}
	v.Currency = evil
	return v, ok
}

// TestNamesAreText: nothing that people or tables are called becomes markup.
func TestNamesAreText(t *testing.T) {
	p := open(t, "bad", func(o *dashboard.Options) {
		inner := o.Floor.(*pittest.Floor)
		o.Floor, o.Name = hostile{inner}, evil
	})
	for _, path := range []string{
		"/", "/alerts", bj3, bj3 + "recall",
		bj3 + "recall?dealer=%22%3E%3Cscript%3Ealert(%271%27)&round=%3Cb%20a%3D%27",
	} {
		body := p.get(path)
		for _, raw := range []string{"<script>alert", "<b a=", "alert('1')"} {
			if strings.Contains(body, raw) {
				t.Errorf("%s has %s", path, raw)
			}
		}
		if !strings.Contains(body, "&lt;script&gt;") {
			t.Errorf("%s does not have the name at all", path)
		}
	}
}

// TestSearch: what is looked for, and what is not understood.
func TestSearch(t *testing.T) {
	p := open(t, "calm", nil)
	number := regexp.MustCompile(`<th scope="row"><a class="key" href="[^"]*">(\d+)</a>`)
	for query, want := range map[string]string{
		"round=21":                 "21",
		"code=any":                 "23 22 21",
		"code=lost-cards":          "21",
		"amount=1,200.00":          "6 3",
		"amount=1200":              "6 3",
		"amount=+1+200":            "6 3",
		"from=2030-01-01T00%3A00":  "",
		"to=2001-01-01T00%3A00":    "",
		"dealer=nobody":            "",
		"round=zero":               "! A round is a number from 1",
		"from=soon":                "! This is no time",
		"amount=12.3456":           "! This is no amount",
		"code=any&skip=2":          "21",
		"round=21&dealer=d7&skip=": "21",
	} {
		body := p.get(bj3 + "recall?" + query)
		var got []string
		for _, one := range number.FindAllStringSubmatch(body, -1) {
			got = append(got, one[1])
		}
		said := strings.Join(got, " ")
		if _, wrong, ok := strings.Cut(body, `class="none wrong" role="alert">`); ok {
			wrong, _, _ = strings.Cut(wrong, "<")
			said = "! " + wrong
		}
		if said != want {
			t.Errorf("%s finds %q, want %q", query, said, want)
		}
	}
}

// TestRoundsOfAllTables: a supervisor finds past rounds of all tables by what guests got, with their tables, and of one
// of them.
func TestRoundsOfAllTables(t *testing.T) {
	p := open(t, "calm", nil)
	body := p.get("/recall?paid=500")
	for _, words := range []string{
		`<h2>Past rounds</h2>`, `<select name="table">`,
		`<td>bj-3</td><th scope="row"><a class="key" href="` + bj3 + `recall/`, `value="500"`, `action="/recall"`,
	} {
		if !strings.Contains(body, words) {
			t.Errorf("the page lacks %q", words)
		}
	}
	if all := p.get("/recall"); strings.Count(body, "<td>bj-3</td>") >= strings.Count(all, "<td>bj-3</td>") {
		t.Error("what guests got leaves no round out")
	}
	if one := p.get("/recall?table=kursaal/bj-1"); strings.Contains(one, "<td>bj-3</td>") ||
		!strings.Contains(one, "<td>bj-1</td>") {
		t.Error("of one table others are found, or nothing")
	}
}

// TestRoundsByBoxAndCard: rounds are found by the box, the card, and both; each says what lay there. Where some cannot
// be found so, the page says until when.
func TestRoundsByBoxAndCard(t *testing.T) {
	p := open(t, "calm", nil)
	rows, lay := regexp.MustCompile(`<th scope="row"><a class="key"`),
		regexp.MustCompile(`<span class="lay">([^<]*)</span>`)
	all := len(rows.FindAllString(p.get(bj3+"recall"), -1))
	for query, says := range map[string]string{
		"box=2": "^Box 2: .* · Staked [0-9.,]+ · To guests [0-9.,]+$", "rank=K": "K[♠♥♦♣]", "suit=H": "♥",
		"box=1&rank=T&suit=": "^Box 1: .*10[♠♥♦♣]", "box=bank": "^Bank: [^·]+$",
	} {
		body := p.get(bj3 + "recall?" + query)
		found, lays := rows.FindAllString(body, -1), lay.FindAllStringSubmatch(body, -1)
		if len(found) == 0 || len(lays) < len(found) || query != "box=bank" && len(found) > all ||
			strings.Contains(body, "an earlier version kept them") {
			t.Errorf("%s finds %d of %d rounds, with %d lays", query, len(found), all, len(lays))
		}
		for _, one := range lays {
			if !regexp.MustCompile(says).MatchString(html.UnescapeString(one[1])) {
				t.Errorf("%s finds %q", query, one[1])
			}
		}
	}
	for _, query := range []string{"box=9&rank=A", "box=8", "box=bank&rank=joker"} {
		if body := p.get(bj3 + "recall?" + query); rows.MatchString(body) || !strings.Contains(body, "No round fits") {
			t.Errorf("%s finds something", query)
		}
	}
	for _, chosen := range []string{
		`<option value="bank" selected>Bank</option>`,
		`<option value="T" selected>10</option>`, `<option value="D" selected>♦</option>`,
	} {
		if body := p.get(bj3 + "recall?box=bank&rank=T&suit=D"); !strings.Contains(body, chosen) {
			t.Errorf("the search does not keep %s", chosen)
		}
	}
	p.past.Unlaid = time.Date(2026, 3, 1, 4, 0, 0, 0, time.Local)
	if body := p.get(bj3 + "recall?box=1"); !strings.Contains(body,
		"are not found by box or card: an earlier version kept them") {
		t.Error("the page does not say which rounds are not found")
	}
}

// TestStoreAway: while past rounds cannot be read, the pages say so, and what is live goes on.
func TestStoreAway(t *testing.T) {
	p := open(t, "calm", nil)
	p.past.Away(true)
	for _, path := range []string{bj3, bj3 + "recall"} {
		if body := p.get(path); !strings.Contains(body, "The record cannot be read") {
			t.Errorf("%s does not say that past rounds cannot be read", path)
		}
	}
	if w := p.ask(http.MethodGet, bj3+"recall/21", "", nil); w.Code != http.StatusServiceUnavailable {
		t.Errorf("a past round: %d", w.Code)
	}
	p.past.Away(false)
	if body := p.get(bj3 + "recall/21"); !strings.Contains(body, "PAST ROUND 21") {
		t.Error("a past round is not shown once the store is back")
	}
}

// follow asks for a stream, and returns what waits for its next message.
func (p *pit) follow(t *testing.T, path string) (next func() string) {
	t.Helper()
	server := httptest.NewServer(p.site)
	t.Cleanup(server.Close)
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, server.URL+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := server.Client().Do(r)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { answer.Body.Close() })
	lines := bufio.NewReader(answer.Body)
	return func() string {
		for {
			line, err := lines.ReadString('\n')
			if err != nil {
				t.Fatal(err)
			}
			if data, ok := strings.CutPrefix(line, "data: <"); ok {
				return data
			}
		}
	}
}

// TestKept: what happened is told once it is kept, though nothing else has changed.
func TestKept(t *testing.T) {
	kept := make(chan chan struct{}, 2)
	first := make(chan struct{})
	kept <- first
	kept <- make(chan struct{})
	p := open(t, "calm", func(o *dashboard.Options) {
		o.Kept = func(topic.Table) <-chan struct{} { return <-kept }
	})
	next := p.follow(t, "/stream/table/kursaal/bj-3")
	if all := next(); !strings.Contains(all, `id="told"`) {
		t.Fatal("the first message tells nothing")
	}
	p.past.Away(true)
	close(first)
	if told := next(); !strings.HasPrefix(told, `section id="told"`) || !strings.Contains(told, "cannot be read") {
		t.Errorf("once more is kept comes %.200q", told)
	}
}

// TestStream: a page gets everything, then only what has changed.
func TestStream(t *testing.T) {
	p := open(t, "calm", nil)
	next := p.follow(t, "/stream/floor")
	if all := next(); !strings.Contains(all, `id="tile-kursaal-bj-1"`) ||
		!strings.Contains(all, `id="tile-kursaal-bj-12"`) {
		t.Error("the first message lacks tiles")
	}
	p.floor.Deal(5, "payment")
	if one := next(); !strings.HasPrefix(one, `li id="tile-kursaal-bj-5"`) || strings.Contains(one, "bj-4") {
		t.Errorf("a round later comes %.200q", one)
	}
	p.ask(http.MethodPost, "/room", `{"table":"kursaal/bj-5","x":9,"y":9}`, nil)
	if all := next(); !strings.Contains(all, `class="cols9 rows9"`) {
		t.Error("a room of another size is not sent whole")
	}
}

// TestRoomIsKept, and a screen is told if it is not.
func TestRoomIsKept(t *testing.T) {
	p := open(t, "calm", nil)
	if w := p.ask(http.MethodPost, "/room", `{"table":"kursaal/bj-5","x":1,"y":1}`,
		nil); w.Code != http.StatusNoContent {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	room, err := p.rooms.Room(t.Context())
	if err != nil || room["kursaal/bj-5"] != (store.Spot{X: 1, Y: 1}) || len(room) != 12 {
		t.Errorf("kept: %v, %v", room, err)
	}
	p.rooms.Fails = true
	if w := p.ask(http.MethodPost, "/room", `{"table":"kursaal/bj-5","x":2,"y":1}`,
		nil); w.Code != http.StatusServiceUnavailable {
		t.Errorf("what cannot be kept is answered with %d", w.Code)
	}
	if body := p.get("/"); !strings.Contains(body, `data-table="kursaal/bj-5" data-x="1" data-y="1"`) {
		t.Error("the tile lies where it could not be kept")
	}
}

func BenchmarkFloorOfSixty(b *testing.B) {
	f, err := pittest.NewFloor("sixty")
	if err != nil {
		b.Fatal(err)
	}
	d, err := dashboard.New(dashboard.Options{Floor: f})
	if err != nil {
		b.Fatal(err)
	}
	site := d.Handler()
	for b.Loop() {
		site.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "http://localhost/", nil))
	}
}

// TestPagesOfOthers: a page of another part of the pit is for whom its row says, and chooses the language like any
// other.
func TestPagesOfOthers(t *testing.T) {
	for who, code := range map[role]int{
		"": http.StatusSeeOther, "viewer": http.StatusForbidden,
		"supervisor": http.StatusTeapot, "manager": http.StatusTeapot,
	} {
		p := open(t, "calm", func(o *dashboard.Options) {
			o.People = who
			o.Pages = []site.Row{{
				Method: http.MethodGet, Path: "/others/{name}", Least: dashboard.Supervisor, Page: true,
				Serve: func(w http.ResponseWriter, _ *http.Request) {
					w.WriteHeader(http.StatusTeapot)
				},
			}}
		})
		if w := p.ask(http.MethodGet, "/others/one", "", nil); w.Code != code {
			t.Errorf("%q is answered with %d, not %d", who, w.Code, code)
		}
		if w := p.ask(http.MethodPost, "/others/one", "{}", nil); w.Code != http.StatusMethodNotAllowed {
			t.Errorf("%q posts, and is answered with %d", who, w.Code)
		}
	}
	p := open(t, "calm", func(o *dashboard.Options) {
		o.Pages = []site.Row{{
			Method: http.MethodGet, Path: "/others", Least: dashboard.Viewer, Page: true,
			Serve: func(http.ResponseWriter, *http.Request) {},
		}}
	})
	if w := p.ask(http.MethodGet, "/others?lang=de&a=b", "", nil); w.Code != http.StatusSeeOther ||
		w.Header().Get("Location") != "/others?a=b" {
		t.Errorf("a language is chosen with %d %s", w.Code, w.Header().Get("Location"))
	}
}
