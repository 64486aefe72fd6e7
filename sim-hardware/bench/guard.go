package bench

import (
	"net/http"

	"github.com/sabot-table/sabot/internal/site"
)

// guard admits only this machine, whatever address the daemon listens on: it refuses requests from elsewhere, from a
// browser here that reached us by a foreign name, and from pages of other origins. The rules are those of the table's
// own page.
func guard(serve http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		switch {
		case !site.Loopback(r.Host) || !site.Loopback(r.RemoteAddr):
			http.Error(w, sayOnlyHere, http.StatusMisdirectedRequest)
		case site.FromElsewhere(r) || site.ForeignOrigin(r):
			http.Error(w, sayForeign, http.StatusForbidden)
		default:
			serve(w, r)
		}
	}
}
