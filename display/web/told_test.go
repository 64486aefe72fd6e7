package web_test

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/display/web"
	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

// TestToldOfACount: who has put a count in is told by how much it differs, and the page, its view and a later touch say
// nothing of it.
func TestToldOfACount(t *testing.T) {
	var tab table.Table
	var memory display.Memory
	var line uint64
	var page *web.Server
	step := func(in *vocab.Input) {
		line++
		in.Line = line
		tab.Step(in)
		v := display.From(&tab, "bj", line)
		memory.Look(&v)
		page.Show(v)
	}
	page, served := serve(t, web.Options{Press: func(_ context.Context, in vocab.Input, _ string) (uint64,
		vocab.Reason, error,
	) {
		step(&in)
		return line, tab.Rejected(), nil
	}})
	step(tabletest.SetUp(rules.Setup{House: "wiesbaden"}))
	put := func(line string) string {
		status, _, body := postTo(t, served.URL+"/touch", `{"moment":"","put":[`+line+`]}`, nil)
		if status != http.StatusOK {
			t.Fatalf("%s is answered %d: %s", line, status, body)
		}
		return body
	}
	const count = `{"in":"count","event":"interim","chips":["1000x%"],"dealer":"d7","by":"anna"}`
	for _, one := range []struct{ line, told string }{
		{strings.Replace(count, "%", "50", 1), ""}, // nothing had to be there
		{strings.Replace(count, "%", "49", 1), `"told":"Counted 490.00, differs by −10.00"`},
		{`{"in":"tips","amount":1000,"by":"d7"}`, ""},
		{strings.Replace(count, "%", "50", 1), `"told":"Counted 500.00, differs by 0.00"`},
	} {
		if got := put(one.line); !strings.Contains(got, one.told) || one.told == "" && strings.Contains(got, "told") {
			t.Errorf("%s is answered %s, want %q", one.line, got, one.told)
		}
	}
	put(strings.Replace(count, "%", "48", 1))
	for path, difference := range map[string]string{"/": "−20.00", "/view.json": "-2000"} {
		if strings.Contains(get(t, served.URL+path), difference) {
			t.Errorf("%s says by how much the tray differs", path)
		}
	}
}
