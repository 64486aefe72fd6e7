package figures

import (
	"html"
	"net/http"
	"net/url"
	"regexp"
	"testing"

	"github.com/sabot-table/sabot/pit/people"
)

var ofFigures = regexp.MustCompile(`href="(` + Root + `[^"#]*)"`)

// TestLinksAreForWhoSeesThem: no page leads its reader to one that their role may not see.
func TestLinksAreForWhoSeesThem(t *testing.T) {
	var role people.Role
	f, err := New(closing(t, func(*http.Request) people.Person { return people.Person{Name: "anna", Role: role} }))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(f.options.Worth.Close)
	least := map[string]people.Role{}
	for _, row := range f.Pages() {
		if needs, is := row.Least.(people.Role); is && row.Method == http.MethodGet {
			least[row.Path] = needs
		}
	}
	for _, role = range people.Roles() {
		links := 0
		for path, needs := range least {
			if !role.May(needs) {
				continue
			}
			for _, found := range ofFigures.FindAllStringSubmatch(get(t, f, path).Body.String(), -1) {
				to, err := url.Parse(html.UnescapeString(found[1]))
				if err != nil {
					t.Fatal(err)
				}
				if needs, is := least[to.Path]; is && !role.May(needs) {
					t.Errorf("%s leads a %s to %s, which takes a %s", path, role, to, needs)
				}
				links++
			}
		}
		if role.May(people.Cashier) && links == 0 {
			t.Errorf("a %s finds no link", role)
		}
	}
}
