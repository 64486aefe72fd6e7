package web_test

import (
	"strings"
	"testing"

	"github.com/sabot-table/sabot/display/web"
	"github.com/sabot-table/sabot/internal/testkit/displaytest"
)

// TestInsuranceIsInSight: while insurance is offered, each box that may choose says so on the felt, one with a Black
// Jack and even money as well as one with several guests; the others say nothing.
func TestInsuranceIsInSight(t *testing.T) {
	const line = "open; stake 1 anna 100; stake 3 ben 50; stake 3 carla 20; stake 5 dora 200; close; AS 9D 6H AH " +
		"TS 8C 7C"
	s, page := serve(t, web.Options{Press: (&counter{}).press})
	for _, c := range []struct {
		house, bets string
		says        map[string]string // of each box, by its number
	}{
		{"mendrisio", line, map[string]string{"1": "Even money", "3": "Insurance", "5": "Insurance"}},
		{"schaffhausen", line, map[string]string{"1": "Insurance", "3": "Insurance", "5": "Insurance"}},
		{"schaffhausen", line + "; insurance 5 dora 100", map[string]string{"1": "Insurance", "3": "Insurance"}},
	} {
		s.Show(displaytest.At(c.house, c.bets))
		body := get(t, page.URL+"/")
		for _, box := range []string{"1", "2", "3", "4", "5", "6", "7"} {
			_, section, _ := strings.Cut(body, `<section id="box-`+box+`"`)
			section, _, _ = strings.Cut(section, "</section>")
			_, foot, offered := strings.Cut(section, "foot does")
			if want := c.says[box]; offered != (want != "") || offered && !strings.Contains(foot, want) {
				t.Errorf("%s, box %s: what it may choose is %q in %s", c.house, box, want, section)
			}
		}
	}
}
