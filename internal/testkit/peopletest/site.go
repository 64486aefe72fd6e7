package peopletest

import (
	"net/http"

	"github.com/sabot-table/sabot/internal/site"
)

// AnySite is a site that serves all that is got or posted in the same way: it stands for one behind a door.
func AnySite(serve http.HandlerFunc) *site.Site {
	o := site.Options{Missing: func(w http.ResponseWriter, r *http.Request, _ http.Handler) { serve(w, r) }}
	for _, method := range []string{http.MethodGet, http.MethodPost} {
		o.Rows = append(o.Rows, site.Row{
			Method: method, Path: "/{any...}", Least: site.Everybody, Serve: serve,
		})
	}
	return site.New(o)
}
