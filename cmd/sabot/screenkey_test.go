package main

import (
	"regexp"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/display/web"
	"github.com/sabot-table/sabot/internal/ops/config"
	"github.com/sabot-table/sabot/table/profile"
)

// TestScreenKey: the line goes into the configuration as it is, the key lets the screen
// in, and the line reveals nothing of it.
func TestScreenKey(t *testing.T) {
	const before = "site: a\ntable: b\nhouse: wiesbaden\nshoe: {port: /dev/ttyS0}\nsupervisors: {proof: key, " +
		"key_holder: pit}\n" +
		"web:\n  listen: 192.0.2.1:8443\n  cert_file: /a\n  key_file: /b\n  screens:\n"
	own := sabot(t, "", "key", "screen", "--own", "--url", "https://table-1.example:8443", "kiosk", "supervisor")
	if c, err := config.Parse("sabot.yaml", []byte(before+own.Out), profile.Built()); err != nil ||
		len(c.Web.Screens) != 1 || !c.Web.Screens[0].Own {
		t.Errorf("the table's own screen is %q: %v", own.Out, err)
	}
	if got := sabot(t, "", "key", "screen", "--own", "tablet", "dealer"); got.Status != exitUsage || got.Out != "" {
		t.Errorf("a dealer's screen is the table's own: %+v", got)
	}
	seen := map[string]bool{}
	for role := web.View; role <= web.Supervisor; role++ {
		for _, name := range []string{"touch", "4711", "no", "0x1", "1e3", "-", "null"} {
			got := sabot(t, "", "key", "screen", "--url", "https://table-1.example:8443", "--", name, role.String())
			found := regexp.MustCompile(
				`https://table-1\.example:8443/enter#([0-9a-z-]+)\n`).FindStringSubmatch(got.Err)
			if got.Status != exitOK || found == nil || seen[found[1]] || strings.Count(got.Err, found[1]) != 2 ||
				strings.Contains(got.Out, found[1]) {
				t.Fatalf("sabot key screen %s ended with %+v", name, got)
			}
			seen[found[1]] = true
			c, err := config.Parse("sabot.yaml", []byte(before+got.Out), profile.Built())
			if err != nil {
				t.Fatal(err)
			}
			key, err := web.ParseKey(found[1])
			if err != nil {
				t.Fatal(err)
			}
			if screens, err := c.Web.MayEnter(); err != nil || len(screens) != 1 ||
				screens[0] != (web.Screen{Name: name, Role: role, Key: key.Hash()}) {
				t.Errorf("the configuration has %+v, %v", screens, err)
			}
		}
	}
}
