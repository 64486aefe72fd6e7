package page

import (
	"net/http"

	"github.com/sabot-table/sabot/display/web"
	"github.com/sabot-table/sabot/internal/site"
)

// Lost returns the page that a computer shows, below Prefix and to its own screens alone, where a table's record is and
// its configuration is gone: what is left, and the command that puts the configuration back.
func Lost(o Options, left, mend string) []web.Route {
	p := &page{Options: o, menu: site.NewMenu(o.Language)}
	show := func(w http.ResponseWriter, r *http.Request) {
		language := p.menu.Speaks(r)
		p.drawn(w, "lost.html", struct{ Lang, Build, Left, Mend string }{language.Tag(), build, left, mend}, saying(language))
	}
	return []web.Route{
		{Method: http.MethodGet, Path: Prefix + "{$}", Least: web.Supervisor, Own: true, Serve: show},
		{Method: http.MethodGet, Path: Prefix + "assets/{name}", Least: web.Nobody, Serve: files.Serve},
	}
}
