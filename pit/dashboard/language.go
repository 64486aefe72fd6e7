package dashboard

import (
	"net/http"

	"github.com/sabot-table/sabot/internal/web/site"
)

// renderers are one for each language that a screen may choose, in the order of the menu.
func renderers(o Options) (menu site.Menu, all []renderer) {
	menu = site.NewMenu(o.Language)
	for i, l := range menu.Languages {
		all = append(all, renderer{language: l, at: i, languages: menu})
	}
	return menu, all
}

// speaking returns the renderer of the language that the screen has chosen, else of the pit's.
func (d *Dashboard) speaking(r *http.Request) renderer { return d.renders[d.menu.Of(r)] }

// choosing lets a page's address choose the screen's language.
func (d *Dashboard) choosing(page http.HandlerFunc) http.HandlerFunc {
	return d.menu.Choosing(page, func(w http.ResponseWriter, r *http.Request) {
		http.Error(w, d.speaking(r).say("pit.no-language"), http.StatusBadRequest)
	})
}
