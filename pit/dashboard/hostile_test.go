package dashboard_test

import (
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/sabot-table/sabot/internal/testkit/displaytest"
	"github.com/sabot-table/sabot/pit/dashboard"
	"github.com/sabot-table/sabot/pit/floor"
	"github.com/sabot-table/sabot/pit/people"
	"github.com/sabot-table/sabot/pit/topic"
)

// siteOver is a pit's site over a floor.
func siteOver(t testing.TB, on dashboard.Floor, who string) (*dashboard.Dashboard, http.Handler) {
	t.Helper()
	d, err := dashboard.New(dashboard.Options{
		Floor: on, People: role(who), Name: "Kursaal",
		Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	return d, d.Handler()
}

// FuzzKept: whatever a broker has kept of a table, and whatever its records come to, the pages that show it are drawn,
// and no longer than pages are.
func FuzzKept(f *testing.F) {
	for i, s := range displaytest.Samples() {
		view, err := json.Marshal(s.View)
		if err != nil {
			f.Fatal(err)
		}
		if i%5 == 0 {
			f.Add(view,
				[]byte(`{"boot":1,"version":"1","time":"2026-01-02T03:04:05Z","shoe":{"up":true},"denied":["x"],"journal":{"head":{"id":"x","record":1}}}`),
				[]byte(`{"boot":1,"sequence":1,"day":{"rounds":61,"wagers":[{"currency":"EUR","count":4,"staked":5,"result":-5}]}}`))
		}
	}
	f.Fuzz(func(t *testing.T, view, health, totals []byte) {
		on := floor.New(floor.Options{})
		table, err := topic.NewTable("kursaal", "bj-1")
		if err != nil {
			t.Fatal(err)
		}
		now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
		on.Link(true, "", now)
		_ = on.Hear(table.Topic(topic.KindHealth), health, now) // refused or not: it is drawn
		var d floor.Dealt
		if json.Unmarshal(view, &d.View) != nil {
			return
		}
		if json.Unmarshal(totals, &d.Totals) == nil {
			_ = on.Deal(table, &d, now)
		}
		on.Tick(now.Add(time.Hour))
		site, pages := siteOver(t, on, "manager")
		for _, path := range []string{"/", "/alerts", "/fleet", "/table/kursaal/bj-1/"} {
			r := httptest.NewRequest(http.MethodGet, "http://localhost"+path, nil)
			r.Header.Set("Accept", "text/html")
			w := httptest.NewRecorder()
			pages.ServeHTTP(w, r)
			if w.Code != http.StatusOK || w.Body.Len() > 4<<20 {
				t.Fatalf("%s is answered with %d and %d bytes", path, w.Code, w.Body.Len())
			}
		}
		for _, a := range on.Alerts() {
			if text := site.Notice("de", &a); len(text.Title)+len(text.Body) > 4000 {
				t.Fatalf("a notification has %d bytes", len(text.Title)+len(text.Body))
			}
		}
	})
}

// FuzzRoutes: whatever is asked for, however, is answered; by nobody but with a page that says nothing of the floor.
func FuzzRoutes(f *testing.F) {
	f.Add("GET", "/table/kursaal/bj-1/recall?from=x&number=9", "", "viewer")
	f.Add("POST", "/alerts/x/seen", `{"note":"x"}`, "manager")
	f.Add("POST", "/room", `{"table":"kursaal/bj-1","x":1,"y":1}`, "supervisor")
	f.Add("POST", "/table/kursaal/bj-1/command/limits", `{"min":"5","box_max":"9223372036854775807"}`, "supervisor")
	f.Add("GET", "/alerts/history?from=2026-01-01&skip=-1&lang=de", "", "technician")
	f.Add("GET", "/table/kursaal/bj-3/journal/0123/recall/1?x=%00", "", "")
	f.Fuzz(func(t *testing.T, method, path, body, who string) {
		at, err := url.ParseRequestURI(path)
		if err != nil || strings.HasPrefix(path, "/stream/") || strings.HasSuffix(at.Path, "/events") {
			return // a stream goes on
		}
		p := open(t, "calm", func(o *dashboard.Options) {
			o.People, o.Log, o.Answer = role(who), slog.New(slog.DiscardHandler), time.Millisecond
		}).site
		r, err := http.NewRequest(method, "http://localhost", io.NopCloser(strings.NewReader(body)))
		if err != nil {
			return
		}
		r.URL, r.Host, r.RemoteAddr = at, "localhost", "127.0.0.1:1"
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		p.ServeHTTP(w, r)
		text := w.Body.String()
		if w.Code >= 500 && w.Code != http.StatusServiceUnavailable {
			t.Fatalf("%s %q is answered with %d %.200s", method, path, w.Code, text)
		}
		public := strings.HasPrefix(at.Path, "/assets/") || strings.HasPrefix(at.Path, "/pit/") ||
			at.Path == "/worker.js"
		if _, err := people.ParseRole(who); err != nil && w.Code < 300 && !public {
			t.Fatalf("%s %q by nobody is answered with %d %.200s", method, path, w.Code, text)
		}
	})
}
