package dashboard_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/sabot-table/sabot/internal/testkit/displaytest"
	"github.com/sabot-table/sabot/pit/floor"
	"github.com/sabot-table/sabot/pit/topic"
)

// TestChipsOnLinesAreShown: the pit's page of a table says of the chips on its lines what the table's own says.
func TestChipsOnLinesAreShown(t *testing.T) {
	table, err := topic.NewTable("kursaal", "bj-1")
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	on := floor.New(floor.Options{})
	on.Link(true, "", now)
	if err := on.Deal(table, &floor.Dealt{View: displaytest.Named("line-paid")}, now); err != nil {
		t.Fatal(err)
	}
	_, pages := siteOver(t, on, "manager")
	r := httptest.NewRequest(http.MethodGet, "http://localhost/table/kursaal/bj-1/", nil)
	r.Header.Set("Accept", "text/html")
	w := httptest.NewRecorder()
	pages.ServeHTTP(w, r)
	for _, want := range []string{
		"Take 1.00 from line: anna", "2.00 of it from line: ben, chiara",
		"Lay 2.00 on line: ½\u00a0ben, chiara", "Lay 1.00 on line: ½\u00a0dora",
	} {
		if !strings.Contains(w.Body.String(), want) {
			t.Errorf("the page does not say %q", want)
		}
	}
}
