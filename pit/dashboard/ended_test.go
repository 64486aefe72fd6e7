package dashboard_test

import (
	"strings"
	"testing"

	"github.com/sabot-table/sabot/pit/dashboard"
)

// TestPastAlerts: all that are kept are reached from the page of alerts, page by page, and found by table and code.
func TestPastAlerts(t *testing.T) {
	p := open(t, "calm", nil)
	if !strings.Contains(p.get("/alerts"), `href="/alerts/history"`) {
		t.Error("no way leads to them")
	}
	alerts := func(page string) int { return strings.Count(page, "<details") }
	n, path := 0, "/alerts/history"
	for path != "" {
		page := p.get(path)
		n += alerts(page)
		_, rest, more := strings.Cut(page, `<p class="next"><a class="key" href="`)
		if path, _, _ = strings.Cut(rest, `"`); !more {
			path = ""
		}
		path = strings.ReplaceAll(path, "&amp;", "&")
	}
	if n != 1200 {
		t.Errorf("%d alerts are reached, want 1200", n)
	}
	page := p.get("/alerts/history?table=kursaal/bj-2&code=floor-called")
	if alerts(page) != 50 || strings.Contains(page, "<b>bj-3</b>") || !strings.Contains(page, "<b>bj-2</b>") ||
		!strings.Contains(page, "Frau Sommer") {
		t.Errorf("by table and code:\n%s", page)
	}
	if page := p.get("/alerts/history?table=-"); strings.Contains(page, "<b>bj-") || alerts(page) == 0 {
		t.Errorf("of the pit:\n%s", page)
	}
	if page := p.get("/alerts/history?from=yesterday"); !strings.Contains(page, "This is no time") {
		t.Errorf("a wrong time:\n%s", page)
	}
	if page := p.get("/alerts/history?to=2001-01-01T00:00"); !strings.Contains(page, "No alert fits") {
		t.Errorf("none:\n%s", page)
	}
	p.past.Away(true)
	if page := p.get("/alerts/history"); !strings.Contains(page, "The database is away") {
		t.Errorf("without the database:\n%s", page)
	}
	if page := open(t, "calm", func(o *dashboard.Options) { o.Ended = nil }).get("/alerts"); strings.Contains(page,
		"/alerts/history") {
		t.Error("a way leads to what is not there")
	}
}
