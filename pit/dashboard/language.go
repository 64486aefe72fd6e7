package dashboard

import (
	"net/http"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/internal/site"
)

// renderers are one for each language that a screen may choose, in the order of the menu.
func renderers(o Options) (menu site.Menu, all []renderer) {
	menu = site.NewMenu(o.Language)
	menu.Unknown = func(l display.Language) string { return l.With("pit.no-language") }
	for i, l := range menu.Languages {
		all = append(all, renderer{language: l, at: i, languages: menu, zone: o.Zone})
	}
	return menu, all
}

// speaking returns the renderer of the language that the screen has chosen, else of the pit's.
func (d *Dashboard) speaking(r *http.Request) renderer { return d.renders[d.menu.Of(r)] }
