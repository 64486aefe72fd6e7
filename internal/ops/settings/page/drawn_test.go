package page

import (
	"testing"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/display/panel"
	"github.com/sabot-table/sabot/internal/ops/config"
	"github.com/sabot-table/sabot/internal/ops/settings"
	"github.com/sabot-table/sabot/internal/site"
	"github.com/sabot-table/sabot/internal/testkit/displaytest"
)

// TestKeysHaveNames: a first start asks for the line of each key by what people call it.
func TestKeysHaveNames(t *testing.T) {
	for _, l := range display.BuiltIn().Languages(false) {
		for key := range panel.EveryKey {
			if name := keyName(l, key.String()); name == key.String() {
				t.Errorf("%s calls a key of the panel %q: it has no text", l.Name(), name)
			}
		}
	}
}

// TestDrawnAsHTML: the pages are escaped as html/template would, with names and answers that mean something in markup.
func TestDrawnAsHTML(t *testing.T) {
	text := []byte(`site: "a<b>"
table: "bj'1"
house: wiesbaden
supervisors: {names: [{name: 'Anna "&" <i>', pin: x}, {name: "+Ben", pin: y}]}
`)
	for _, l := range display.BuiltIn().Languages(false) {
		for _, first := range []bool{true, false} {
			names := func() []string { return []string{`Anna "&" <i>`, "+Ben"} }
			p := &page{
				Options: Options{First: first, Language: l, Names: names, Why: `"why" & <b>`},
				menu:    site.NewMenu(l),
			}
			for _, c := range []config.Config{settings.Tried(text), {}} {
				m := p.model(l, c, saying(l))
				displaytest.DrawnAsHTML(t, templates, "page.html", l, m, drawPage(nil, l, &m))
			}
		}
		gone := lost{l.Tag(), build, `journal "<1>"`, "sabot restore --key 'x' & y"}
		displaytest.DrawnAsHTML(t, templates, "lost.html", l, gone, drawLost(nil, l, &gone))
	}
}
