package page

import (
	"net/http"

	"github.com/sabot-table/sabot/display/web"
	"github.com/sabot-table/sabot/internal/site"
)

// lost is what is drawn where a configuration is gone: what is left of it, and what puts it back.
type lost struct{ Lang, Build, Left, Mend string }

// Lost returns the page that a computer shows, below Prefix and to its own screens alone, where a table's record is and
// its configuration is gone: what is left, and the command that puts the configuration back.
func Lost(o Options, left, mend string) []site.Row {
	p := &page{Options: o, menu: site.NewMenu(o.Language)}
	show := func(w http.ResponseWriter, r *http.Request) {
		language := p.menu.Speaks(r)
		site.Send(w, http.StatusOK, site.HTML, drawLost(nil, language, &lost{language.Tag(), build, left, mend}))
	}
	return []site.Row{
		{Method: http.MethodGet, Path: Prefix + "{$}", Least: web.Own, Serve: show},
		{Method: http.MethodGet, Path: Prefix + "assets/{name}", Least: site.Everybody, Serve: files.Serve},
	}
}
