package pit

import (
	"flag"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/pit/command"
	"github.com/sabot-table/sabot/pit/people/login"
	"github.com/sabot-table/sabot/table/profile"
)

// rewrite is datadriven's flag, which is in this program by the tests of tables.
func rewrite() bool { return flag.Lookup("rewrite").Value.String() == "true" }

// TestTheWholeSite: testdata/routes.txt has every route of a pit that has all there is to have, and the least role for
// it. The built program is attacked by these lines: what is missing there was not tried.
func TestTheWholeSite(t *testing.T) {
	folder := t.TempDir()
	key := filepath.Join(folder, "key")
	if _, err := command.KeyFile.New(key); err != nil {
		t.Fatal(err)
	}
	c, err := Parse("pit.yaml", fmt.Appendf(nil, `site: wiesbaden
broker: {listen: "127.0.0.1:0"}
sites: {listen: "127.0.0.1:0", list: [{name: kursaal}]}
store: {source: %q, time_zone: Europe/Berlin}
web: {listen: "127.0.0.1:0", public: "http://127.0.0.1:1"}
people: {openid: {name: id, issuer: "http://127.0.0.1:1", client: pit, roles: [{group: a, role: viewer}]}}
alerts: {push_services: [push.example], push_contact: "mailto:it@casino.example"}
commands: {keys: [{name: pit, file: %q}]}
`, filepath.Join(folder, "pit.db"), key))
	if err != nil {
		t.Fatal(err)
	}
	p, err := Open(t.Context(), c, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	in, err := OpenEntrance(c, p.Store, display.English, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	calls, err := openPush(c, p)
	if err != nil {
		t.Fatal(err)
	}
	site, err := p.dashboard(PagesOptions{
		Language: display.English, Houses: c.Houses(profile.Built()), People: in.Door,
		Audit: in.Door, Menu: Menu(), calls: calls,
	})
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, r := range in.Door.Around(site.Handler()).Rows() {
		lines = append(lines, fmt.Sprintf("%-4s %-60s %s", r.Method, r.Path, r.Least))
	}
	for _, r := range site.Handler().Rows() {
		if r.Method == "POST" && !login.Tells(r.Path) {
			t.Errorf("the log of what people do has no words for %s", r.Path)
		}
	}
	slices.Sort(lines)
	text := strings.Join(lines, "\n") + "\n"
	const file = "testdata/routes.txt"
	if rewrite() {
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil || text != string(want) {
		t.Errorf("the site is another than %s says, %v: write it anew with -rewrite, and read what has changed\n%s",
			file, err, text)
	}
	for _, open := range []struct{ method, path string }{{"POST", "/enter"}, {"POST", "/leave"}} {
		lines = slices.DeleteFunc(lines, func(l string) bool {
			return strings.HasPrefix(l, open.method+" "+open.path+" ")
		})
	}
	for _, l := range lines {
		if strings.HasPrefix(l, "POST") && strings.HasSuffix(l, "everybody") {
			t.Errorf("anybody may change something: %s", l)
		}
	}
}
