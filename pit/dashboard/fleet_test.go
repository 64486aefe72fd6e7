package dashboard_test

import (
	"strings"
	"testing"

	"github.com/sabot-table/sabot/pit/dashboard"
)

// TestFleet: the technician's page has what is to be seen to, the gravest first, and every table.
func TestFleet(t *testing.T) {
	p := open(t, "bad", func(o *dashboard.Options) { o.People = role("technician") })
	body, last := p.get("/fleet"), 0
	for _, part := range []string{
		`<p class="gravity">At once</p>`, "The computer is hot: 84 °C", "Clean its fan",
		`<p class="gravity">Soon</p>`, "The disk is nearly full: 1.0 GiB", "The page’s certificate ends",
		"until <time>",
		"supply is too weak, now or at some time since it started", "Use the supply that its maker names",
		`<p class="gravity">To know</p>`, "Another version than most tables: 1.3.2 ≠ 1.4.0", "All tables",
		"54 °C", "70 MiB",
	} {
		at := strings.Index(body[last:], part)
		if at < 0 {
			t.Errorf("the page lacks %q after %d", part, last)
			continue
		}
		last += at
	}
	for _, one := range []string{"viewer", "supervisor"} {
		p := open(t, "bad", func(o *dashboard.Options) { o.People = role(one) })
		if strings.Contains(p.get("/"), `href="/fleet"`) {
			t.Errorf("a %s is shown the way there", one)
		}
	}
}
