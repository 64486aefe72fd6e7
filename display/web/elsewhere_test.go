package web_test

import (
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/display/web"
	"github.com/sabot-table/sabot/internal/testkit/displaytest"
)

// TestPastElsewhere: below another site's address, the pages of past rounds lead to each other, to the table's own page
// and to the assets, and nowhere else.
func TestPastElsewhere(t *testing.T) {
	const root = "/table/wien/bj-1"
	site := web.New(web.Options{Recall: displaytest.Rounds(), Root: root}).Past()
	leads := regexp.MustCompile(`(?:href|src|data-stream)="([^"#]*)"`)
	for _, path := range []string{
		"/recall", "/recall/21", "/recall/21?box=3", "/recall/21/replay", "/recall/21/sheet",
		"/recall/4711",
	} {
		w := httptest.NewRecorder()
		site.ServeHTTP(w, httptest.NewRequest(http.MethodGet, root+path, nil))
		found := leads.FindAllStringSubmatch(w.Body.String(), -1)
		if len(found) < 5 {
			t.Errorf("%s: %d %q", path, w.Code, w.Body)
		}
		for _, one := range found {
			if !strings.HasPrefix(one[1], root+"/") && !strings.HasPrefix(one[1], "/assets/") {
				t.Errorf("%s leads to %s", path, one[1])
			}
		}
	}
	w := httptest.NewRecorder()
	site.ServeHTTP(w, httptest.NewRequest(http.MethodPost, root+"/recall/21", nil))
	if w.Code != http.StatusMethodNotAllowed {
		t.Errorf("a POST is answered with %d", w.Code)
	}
}
