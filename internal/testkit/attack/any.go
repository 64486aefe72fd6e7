package attack

import (
	"net/http"

	"github.com/sabot-table/sabot/internal/routes"
)

// Any is a site that serves all that is got or posted in the same way: it stands for one behind a door.
func Any(serve http.HandlerFunc) *routes.Site {
	o := routes.Options{Missing: func(w http.ResponseWriter, r *http.Request, _ http.Handler) { serve(w, r) }}
	for _, method := range []string{http.MethodGet, http.MethodPost} {
		o.Rows = append(o.Rows, routes.Row{
			Method: method, Path: "/{any...}", Least: "whoever the site lets in",
			Serve: serve,
		})
	}
	return routes.New(o)
}
