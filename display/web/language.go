package web

import (
	"net/http"

	"github.com/sabot-table/sabot/internal/site"
)

// renderers are one for each language that a screen may choose, in the order of the menu.
func renderers(o Options) (menu site.Menu, all []renderer) {
	menu = site.NewMenu(o.Language)
	for i, l := range menu.Languages {
		all = append(all, renderer{
			language: l, at: i, menu: menu, recalls: o.Recall != nil, root: o.Root, helps: o.Houses != nil,
			hands: o.Press != nil, badges: o.Badges, settles: o.Settings, inspects: o.Devices != nil,
		})
	}
	return menu, all
}

// speaking returns the renderer of a request's language.
func (s *Server) speaking(r *http.Request) renderer { return s.renders[s.menu.Of(r)] }
