package web_test

import (
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/sabot-table/sabot/display/web"
)

// TestPrograms: who watches the table gives a screen's key with each request, of a role that may look at it; a key that
// is none is refused and noted, and one whose line is gone opens nothing any more. Nothing else is opened by a key.
func TestPrograms(t *testing.T) {
	said := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "well") })
	view, guest, wrong := web.NewKey(), web.NewKey(), web.NewKey()
	screens := []web.Screen{
		{Name: "prometheus", Role: web.View, Key: view.Hash()},
		{Name: "wall", Role: web.Guest, Key: guest.Hash()},
	}
	refused := 0
	access, err := web.NewAccess(web.AccessOptions{
		Screens: screens, Host: func(string) bool { return true }, Keep: func([]web.Kept) error { return nil },
		Noted: func(n web.AccessNotice) {
			if n.What != web.ScreenRefused {
				t.Errorf("a program's request does %+v", n)
			}
			refused++
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	server := web.New(web.Options{Logger: slog.New(slog.DiscardHandler), Access: access, Metrics: said, Health: said})
	ask := func(method, path, authorization string) int {
		r := httptest.NewRequestWithContext(t.Context(), method, "https://table.example"+path, http.NoBody)
		r.RemoteAddr = "10.0.0.7:1000"
		if authorization != "" {
			r.Header.Set("Authorization", authorization)
		}
		w := httptest.NewRecorder()
		server.Handler().ServeHTTP(w, r)
		return w.Code
	}
	for _, c := range []struct {
		method, path, authorization string
		want                        int
	}{
		{http.MethodGet, "/metrics", "Bearer " + view.String(), http.StatusOK},
		{http.MethodGet, "/health", "Bearer " + view.String(), http.StatusOK},
		{http.MethodGet, "/metrics", "Bearer " + guest.String(), http.StatusForbidden},
		{http.MethodGet, "/metrics", "Bearer " + wrong.String(), http.StatusUnauthorized},
		{http.MethodGet, "/health", "Bearer ", http.StatusUnauthorized},
		{http.MethodGet, "/health", view.String(), http.StatusUnauthorized},
		{http.MethodGet, "/health", "", http.StatusUnauthorized},
		{http.MethodPost, "/metrics", "Bearer " + view.String(), http.StatusMethodNotAllowed},
		{http.MethodGet, "/view.json", "Bearer " + view.String(), http.StatusUnauthorized},
	} {
		if got := ask(c.method, c.path, c.authorization); got != c.want {
			t.Errorf("%s %s with %.12q is answered %d, not %d", c.method, c.path, c.authorization, got, c.want)
		}
	}
	if refused != 2 {
		t.Errorf("%d wrong keys were noted, not 2", refused)
	}
	access.Change(screens[1:])
	if got := ask(http.MethodGet, "/metrics", "Bearer "+view.String()); got != http.StatusUnauthorized {
		t.Errorf("a key whose line is gone is answered %d", got)
	}
}

// TestProgramsHere: on this machine alone nobody is asked for a key; another site's page gets nothing.
func TestProgramsHere(t *testing.T) {
	said := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "well") })
	server := web.New(web.Options{Logger: slog.New(slog.DiscardHandler), Metrics: said, Health: said})
	for site, want := range map[string]int{"": http.StatusOK, "cross-site": http.StatusForbidden} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "http://localhost/metrics", http.NoBody)
		r.Header.Set("Sec-Fetch-Site", site)
		w := httptest.NewRecorder()
		server.Handler().ServeHTTP(w, r)
		if w.Code != want {
			t.Errorf("from %q it is answered %d, not %d", site, w.Code, want)
		}
	}
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "http://localhost/health", http.NoBody)
	w := httptest.NewRecorder()
	web.New(web.Options{Logger: slog.New(slog.DiscardHandler)}).Handler().ServeHTTP(w, r)
	if w.Code != http.StatusNotFound {
		t.Errorf("a display without is answered %d", w.Code)
	}
}
