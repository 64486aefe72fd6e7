package doctor

import (
	"testing"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/internal/testkit/displaytest"
	"github.com/sabot-table/sabot/table/authority"
)

// TestDrawnAsHTML: the page is escaped as html/template would, whatever stands in names, faults and lines.
func TestDrawnAsHTML(t *testing.T) {
	const evil = `"x' & <b>+`
	p := &screen{ScreenOptions: ScreenOptions{Boot: 7}}
	for _, l := range display.BuiltIn().Languages(false) {
		say := func(key string) string { return l.Say(display.Message{Key: key}) }
		unproven := p.base(l, say, authority.Status{Needs: authority.PINOrKey, Names: []string{evil, "ben"}})
		proven := p.base(l, say, authority.Status{Asks: authority.PIN, Names: []string{"anna", evil}})
		proven.Wrong = []wrong{{
			Class: "stops", Stops: true, Code: evil, Meaning: evil, Do: evil, What: evil,
			Since: evil,
		}, {}}
		proven.Advice, proven.Right, proven.Unseen = []wrong{{What: evil}, {}}, evil, []string{evil}
		proven.States, proven.Plugged = []state{{"works", evil, evil, evil}}, []string{"ports", evil}
		proven.Files = []download{{evil, evil, evil}, {}}
		well := p.base(l, say, authority.Status{})
		for _, m := range []screenModel{unproven, proven, well} {
			displaytest.DrawnAsHTML(t, templates, "page.html", l, m, drawScreen(nil, l, &m))
		}
	}
}
