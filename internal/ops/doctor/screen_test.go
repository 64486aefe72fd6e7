package doctor

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sabot-table/sabot/device/inventory"
	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/display/web"
	"github.com/sabot-table/sabot/internal/ops/devices"
	"github.com/sabot-table/sabot/internal/ops/health"
	"github.com/sabot-table/sabot/internal/site"
	"github.com/sabot-table/sabot/internal/testkit/attack"
	"github.com/sabot-table/sabot/table/authority"
	"github.com/sabot-table/sabot/table/profile"
)

const (
	password = "Xq7-wunderBar-9"
	pinHash  = "$argon2id$v=19$m=19456,t=2,p=1$jwxmg6Ncq+E87H/JOpN7Cg$J8xbb+nUdHMk5ifW1TmnLaqvG1tksj85UPQuftXD1/A"
)

// room is a page as the display serves it, and what came of it.
type room struct {
	http.Handler
	status    authority.Status
	given     authority.Given // with the last restart
	ring      LogRing
	took      []string
	restarted int
	why       error // of a restart
}

// newRoom is the page of a table whose configuration, password file and log have secrets, and with which several things
// are wrong.
func newRoom(t testing.TB) *room {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"pw": password + "\n",
		"sabot.yaml": fmt.Sprintf("site: kurhaus\ntable: bj-1\nhouse: wiesbaden\nshoe: {driver: sabot, port: "+
			"/dev/none}\njournal: {path: %s/journal}\n"+
			"mqtt: {broker: \"tcp://127.0.0.1:1\", username: t, password_file: %s/pw}\nsupervisors: {names: [{name: "+
			"anna, pin: %q}]} # %s\n", dir, dir, pinHash, password),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	g := &room{status: authority.Status{Proof: authority.PIN, Names: []string{"anna", "berta"}, Needs: authority.PIN}}
	log := slog.New(g.ring.Keep(slog.NewTextHandler(io.Discard, nil)))
	log.Info("somebody has written the password", "password", password, "hash", pinHash)
	log.Warn("the link is down", "why", "\x1b[2Jno \u202eport")
	machine := inventory.System()
	machine.Root = t.TempDir()
	pages := NewScreen(ScreenOptions{
		Boot: 7, Ring: &g.ring, Log: slog.New(slog.DiscardHandler),
		Status: func(*http.Request) authority.Status { return g.status },
		Source: func() BundleSource {
			return BundleSource{
				Ask: Ask{
					Config: filepath.Join(dir, "sabot.yaml"), Machine: machine, Houses: profile.Built(),
					Now: time.Now(), Inside: inside,
				},
				Said: g.ring.Write, Devices: func(to io.Writer) error {
					_, err := io.WriteString(to, "a device called "+password+"\x1b[2J\n")
					return err
				},
			}
		},
		States: func() []devices.State {
			return []devices.State{
				{Name: devices.Shoe, Works: devices.Bad, About: "<b>" + password + "\u202e"},
				{Name: devices.Pit, Works: devices.None},
			}
		},
		Took: func(_ context.Context, what string) { g.took = append(g.took, what) },
		Restart: func(_ context.Context, given authority.Given) error {
			g.restarted, g.given = g.restarted+1, given
			return g.why
		},
	})
	g.Handler = web.New(web.Options{Logger: slog.New(slog.DiscardHandler), Devices: pages}).Handler()
	return g
}

// inside answers for a daemon with which everything is wrong that it can see.
func inside(path string) (int, []byte, error) {
	r := health.Report{Live: true}
	for _, row := range health.Rows {
		r.Reasons = append(r.Reasons, row.Reason("found "+string(row.Code)))
	}
	if path != "health" {
		return http.StatusOK, []byte("sabot_info{version=\"\"} 1\n"), nil
	}
	text, err := json.Marshal(r)
	return http.StatusServiceUnavailable, text, err
}

// prove has a supervisor proven.
func (g *room) prove() { g.status.Needs, g.status.Present = 0, "anna" }

func (g *room) ask(method, path, body string, with ...func(*http.Request)) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, "http://127.0.0.1:8080"+path, strings.NewReader(body))
	r.RemoteAddr = "127.0.0.1:40000"
	r.Header.Set("Content-Type", "application/json")
	for _, change := range with {
		change(r)
	}
	w := httptest.NewRecorder()
	g.ServeHTTP(w, r)
	return w
}

// requests are all that can be asked for.
var requests = [][3]string{
	{"GET", screenPrefix, ""},
	{"GET", screenPrefix + "state", ""},
	{"GET", screenPrefix + "log?level=DEBUG", ""},
	{"POST", screenPrefix + "take", `{"what":"bundle"}`},
	{"POST", screenPrefix + "take", `{"what":"configuration"}`},
	{"POST", screenPrefix + "take", `{"what":"log"}`},
	{"POST", screenPrefix + "restart", `{"sure":true}`},
}

// TestAttackDevices: without a proven supervisor, and from pages of other origins, nobody sees anything of the table,
// takes a copy or restarts it; and nobody whoever gets a secret.
func TestAttackDevices(t *testing.T) {
	tries, through := 0, 0
	for name, c := range map[string]struct {
		proven bool
		change func(*http.Request)
	}{
		"nobody proven":  {false, func(*http.Request) {}},
		"a foreign page": {true, func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") }},
		"a foreign name": {true, func(r *http.Request) { r.Host = "evil.example:8080" }},
		"a foreign origin": {true, func(r *http.Request) {
			r.Header.Set("Origin", "http://evil.example")
			r.Method = "POST"
		}},
		"an opaque origin": {true, func(r *http.Request) { r.Header.Set("Origin", "null"); r.Method = "POST" }},
		"a form": {true, func(r *http.Request) {
			r.Header.Set("Content-Type", "text/plain")
			r.Method = "POST"
		}},
		"another method": {true, func(r *http.Request) { r.Method = "PUT" }},
	} {
		for _, one := range requests {
			g := newRoom(t)
			if c.proven {
				g.prove()
			}
			w := g.ask(one[0], one[1], one[2], c.change)
			told := strings.Contains(w.Body.String(), "the link is down") ||
				strings.Contains(w.Body.String(), "kurhaus") || strings.Contains(w.Body.String(), "found ")
			tries++
			if told || len(g.took) > 0 || g.restarted > 0 {
				through++
				t.Errorf("%s: %s %s is answered %d %.200s; %v taken, restarted %d times", name, one[0], one[1], w.Code,
					w.Body, g.took, g.restarted)
			}
		}
	}
	g := newRoom(t)
	g.prove()
	for _, one := range append(slices.Clone(requests),
		[3]string{"GET", screenPrefix + "log?level=INFO&text=" + password, ""}) {
		w := g.ask(one[0], one[1], one[2])
		body := w.Body.String()
		if strings.Contains(one[2], "bundle") {
			body = unpacked(t, w.Body.Bytes())
		}
		tries++
		if strings.Contains(body, password) || strings.Contains(body, "argon2id") ||
			strings.ContainsAny(body, "\x1b\u202e") || w.Code != http.StatusOK {
			through++
			t.Errorf("%s %s %s is answered %d with a secret:\n%s", one[0], one[1], one[2], w.Code, body)
		}
	}
	attack.Report(t, "devices and log, by whoever is not proven or for what is secret", tries, through)
	if want := []string{"bundle", "configuration", "log"}; !slices.Equal(g.took, want) || g.restarted != 1 {
		t.Errorf("%v are told as taken, restarted %d times", g.took, g.restarted)
	}
}

// TestSessionOver: a screen whose session ends while something is made for it gets nothing of it.
func TestSessionOver(t *testing.T) {
	for _, one := range requests {
		if one[0] == "POST" && strings.HasSuffix(one[1], "restart") || strings.Contains(one[1], "state") ||
			strings.Contains(one[1], "log?") {
			continue // nothing is made for them that takes time
		}
		g := newRoom(t)
		g.prove()
		ctx, end := context.WithCancel(t.Context())
		end()
		w := g.ask(one[0], one[1], one[2], func(r *http.Request) { *r = *r.WithContext(ctx) })
		if w.Body.Len() > 0 || len(g.took) > 0 {
			t.Errorf("%s %s %s is answered %.100s, and %v is taken", one[0], one[1], one[2], w.Body, g.took)
		}
	}
}

// FuzzAsked: whatever is asked for, however, is answered, and nothing is told while nobody is proven.
func FuzzAsked(f *testing.F) {
	for _, one := range requests {
		f.Add(one[0] == "POST", strings.TrimPrefix(one[1], screenPrefix), one[2])
	}
	f.Fuzz(func(t *testing.T, post bool, where, body string) {
		at, err := url.ParseRequestURI(screenPrefix + where)
		if err != nil {
			return
		}
		method := map[bool]string{true: "POST", false: "GET"}[post]
		g := newRoom(t)
		w := g.ask(method, screenPrefix, body, func(r *http.Request) { r.URL = at })
		if w.Code >= http.StatusInternalServerError || strings.Contains(w.Body.String(), "kurhaus") ||
			len(g.took) > 0 || g.restarted > 0 {
			t.Errorf("%s %q %q is answered %d %s", method, where, body, w.Code, w.Body)
		}
	})
}

// TestRestart: a restart is asked for twice, and its refusals are said.
func TestRestart(t *testing.T) {
	for _, c := range []struct {
		body   string
		why    error
		status int
		want   answer
		times  int
	}{
		{`{"sure":true,"name":"anna","pin":"258013"}`, nil, http.StatusOK, answer{}, 1},
		{`{"sure":true}`, ErrRound, http.StatusConflict, answer{Round: true, Error: ErrRound.Error()}, 1},
		{`{"sure":true}`, &authority.Refusal{Why: "needs-pin"}, http.StatusForbidden, answer{Needs: true}, 1},
		{
			`{"sure":true}`, &authority.Refusal{Why: authority.WhyWrongPIN}, http.StatusForbidden,
			answer{Failed: true},
			1,
		},
		{
			`{"sure":true}`, errors.New("the disk hangs"), http.StatusServiceUnavailable,
			answer{Error: "the disk hangs"},
			1,
		},
		{`{}`, nil, http.StatusBadRequest, answer{}, 0},
		{`{"sure":true}{}`, nil, http.StatusBadRequest, answer{}, 0},
		{`{"sure":true,"now":1}`, nil, http.StatusBadRequest, answer{}, 0},
	} {
		g := newRoom(t)
		g.prove()
		g.why = c.why
		w := g.ask("POST", screenPrefix+"restart", c.body)
		var got answer
		if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil {
			t.Fatal(err)
		}
		if w.Code != c.status || got.Round != c.want.Round || got.Needs != c.want.Needs ||
			got.Failed != c.want.Failed || c.want.Error != "" && got.Error != c.want.Error || g.restarted != c.times {
			t.Errorf("%s, %v: %d %+v, restarted %d times", c.body, c.why, w.Code, got, g.restarted)
		}
		if want := (authority.Given{Name: "anna", PIN: "258013"}); strings.Contains(c.body, "pin") && g.given != want {
			t.Errorf("the restart is asked for with %+v", g.given)
		}
	}
}

// TestLog: the log is filtered by level and text, and what cannot be asked is refused.
func TestLog(t *testing.T) {
	g := newRoom(t)
	g.prove()
	for query, want := range map[string]string{
		"level=INFO":             "WARN the link|INFO somebody",
		"level=WARN":             "WARN the link",
		"level=INFO&text=LINK":   "WARN the link",
		"level=ERROR":            "",
		"level=INFO&text=x1b[2J": "WARN the link",
	} {
		w := g.ask("GET", screenPrefix+"log?"+query, "")
		var got answer
		if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || w.Code != http.StatusOK {
			t.Fatal(w.Code, w.Body, err)
		}
		var lines []string
		for _, one := range got.Lines {
			text := strings.TrimPrefix(one.Text, `msg="`)
			lines = append(lines, one.Level+" "+text[:8])
		}
		if said := strings.Join(lines, "|"); said != want {
			t.Errorf("%s: %q, want %q", query, said, want)
		}
	}
	for _, query := range []string{"", "level=LOUD", "level=INFO&text=" + strings.Repeat("a", mostSought+1)} {
		if w := g.ask("GET", screenPrefix+"log?"+query, ""); w.Code != http.StatusBadRequest {
			t.Errorf("%.40s is answered %d", query, w.Code)
		}
	}
	log := slog.New(g.ring.Keep(slog.NewTextHandler(io.Discard, nil)))
	for range 2 * mostShown {
		log.Error("again")
	}
	if n := strings.Count(g.ask("GET", screenPrefix+"log?level=INFO", "").Body.String(), "again"); n != mostShown {
		t.Errorf("%d lines are shown, not %d", n, mostShown)
	}
}

// TestDrawnInEveryLanguage: the page has all words in every language, whatever is wrong and whoever is proven, and
// steers nothing.
func TestDrawnInEveryLanguage(t *testing.T) {
	for _, name := range display.Spoken() {
		for _, proven := range []bool{false, true} {
			g := newRoom(t)
			if proven {
				g.prove()
			}
			w := g.ask("GET", screenPrefix, "", func(r *http.Request) {
				r.AddCookie(&http.Cookie{Name: site.LanguageCookie, Value: name})
			})
			body := w.Body.String()
			if w.Code != http.StatusOK || !strings.Contains(body, "</html>") || strings.Contains(body, "<b>"+password) {
				t.Fatalf("%s: %d\n%s", name, w.Code, body)
			}
			for _, kind := range []string{"devices", "reason", "remedy", "area", "first", "pin", "word"} {
				if strings.Contains(body, ">"+kind+".") || strings.Contains(body, "\""+kind+".") {
					t.Errorf("%s: a text of %s is missing:\n%s", name, kind, body)
				}
			}
			if got := strings.Count(body, "<article"); proven != (got >= len(health.Rows)) ||
				proven != strings.Contains(body, `<article class="advises">`) {
				t.Errorf("%s: %d things are wrong or advised", name, got)
			}
		}
	}
}

// TestNoBackupInWords: that none was made is told in the page's language, not in the program's.
func TestNoBackupInWords(t *testing.T) {
	german, _ := display.Speak("de")
	say := func(key string) string { return german.Say(display.Message{Key: key}) }
	found := said(Wrong{Reason: health.Reason{Code: "backup-late", What: health.NoBackup}}, say,
		func(text string) string {
			return text
		})
	if found.What != "Bisher wurde keine Sicherung gemacht" {
		t.Errorf("the page says %q", found.What)
	}
}

// TestWords: what is wrong, what to do, and what parts and areas are called is there in every language.
func TestWords(t *testing.T) {
	keys := []string{}
	for _, row := range health.Rows {
		keys = append(keys, "reason."+string(row.Code), "remedy."+string(row.Code))
	}
	for _, name := range devices.Names {
		keys = append(keys, "devices."+string(name))
	}
	for _, works := range []devices.Works{devices.Good, devices.Bad, devices.None} {
		keys = append(keys, "devices."+string(works))
	}
	for _, area := range health.Areas {
		keys = append(keys, "area."+string(area))
	}
	for _, name := range display.Spoken() {
		l, _ := display.Speak(name)
		for _, key := range keys {
			if _, there := l.Lookup(key); !there {
				t.Errorf("%s has no text %s", name, key)
			}
		}
	}
}
