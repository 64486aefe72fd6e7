package site_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/internal/site"
)

var assets = fstest.MapFS{
	"assets/page.css":  {Data: []byte("main { color: inherit; }")},
	"assets/notes.txt": {Data: []byte("of a kind that no page asks for")},
}

// TestFiles: a file is served as what it is, for good; one of no known kind is none, and what these have not is asked
// of the others.
func TestFiles(t *testing.T) {
	others := func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusTeapot) }
	alone := site.NewFiles(assets)
	beside := site.NewFiles(assets).Beside("another build", others)
	for _, c := range []struct {
		files  *site.Files
		name   string
		status int
		kind   string
	}{
		{alone, "page.css", http.StatusOK, "text/css; charset=utf-8"},
		{alone, "notes.txt", http.StatusNotFound, ""},
		{alone, "none.css", http.StatusNotFound, ""},
		{alone, "../site_test.go", http.StatusNotFound, ""},
		{beside, "page.css", http.StatusOK, "text/css; charset=utf-8"},
		{beside, "none.css", http.StatusTeapot, ""},
	} {
		w, r := httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/", nil)
		r.SetPathValue("name", c.name)
		c.files.Serve(w, r)
		h := w.Header()
		if w.Code != c.status || c.kind != "" &&
			(h.Get("Content-Type") != c.kind || !strings.Contains(h.Get("Cache-Control"), "immutable")) {
			t.Errorf("%s: %d %v", c.name, w.Code, h)
		}
	}
	if alone.Build() == beside.Build() || len(alone.Build()) != 12 {
		t.Errorf("the builds are %s and %s", alone.Build(), beside.Build())
	}
}

// TestMenu: an address goes before the screen, and the screen before the house.
func TestMenu(t *testing.T) {
	house, _ := display.Speak("it-CH")
	menu := site.NewMenu(house)
	for _, c := range []struct{ address, cookie, speaks string }{
		{"/", "", "it"},
		{"/", "de", "de"},
		{"/?lang=fr", "de", "fr"},
		{"/?lang=fr-CH", "", "fr"},
		{"/?lang=tlh", "en", "en"},
		{"/", "tlh", "it"},
	} {
		r := httptest.NewRequest(http.MethodGet, c.address, nil)
		if c.cookie != "" {
			r.AddCookie(&http.Cookie{Name: site.LanguageCookie, Value: c.cookie})
		}
		if got := menu.Speaks(r); got.Code() != c.speaks || !got.Swiss() {
			t.Errorf("%s with %q speaks %s", c.address, c.cookie, got.Tag())
		}
	}
	offers := menu.Offers(menu.Home, map[string][]string{"box": {"3"}, "lang": {"zh"}})
	if len(offers) != len(menu.Languages) || !offers[menu.Home].Chosen || offers[menu.Home].Link != "?box=3&lang=it" {
		t.Errorf("the menu offers %+v", offers)
	}
}
