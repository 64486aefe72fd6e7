package dashboard_test

import (
	"strings"
	"testing"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/display/words"
	"github.com/sabot-table/sabot/pit/dashboard"
	"github.com/sabot-table/sabot/pit/fleet"
)

// TestFleet: the technician's page has what is to be seen to, the gravest first, and every table.
func TestFleet(t *testing.T) {
	p := open(t, "bad", func(o *dashboard.Options) { o.People = role("technician") })
	body, last := p.get("/fleet"), 0
	for _, part := range []string{
		`<p class="gravity">At once</p>`, "The computer is hot: 84 °C", "Clean its fan",
		`<p class="gravity">Soon</p>`, "The disk is nearly full: 1.0 GiB", "The page’s certificate ends", "until <time>",
		`<p class="gravity">To know</p>`, "Another version than most tables: 1.3.2 ≠ 1.4.0", "All tables", "54 °C", "70 MiB",
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

// TestFleetWords: each finding says what is wrong and what to do.
func TestFleetWords(t *testing.T) {
	said := map[string]bool{}
	for _, code := range fleet.Codes() {
		said["fleet.what-"+string(code)], said["fleet.do-"+string(code)] = true, true
	}
	for key := range said {
		if _, ok := display.English.Lookup(key); !ok {
			t.Errorf("%s has no text", key)
		}
	}
	for _, e := range words.BuiltIn("en").Entries {
		if (strings.HasPrefix(e.Key, "fleet.what-") || strings.HasPrefix(e.Key, "fleet.do-")) && !said[e.Key] {
			t.Errorf("nobody says %s", e.Key)
		}
	}
}
