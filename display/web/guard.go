package web

import (
	"net/http"

	"github.com/sabot-table/sabot/internal/site"
)

// guard refuses what the display is not for, and sets the headers of every answer.
// Without an Access the page has no password: it is served on loopback, so the one way
// in from outside is a browser here that is led to us by a foreign name, or by a
// foreign page. The Host header gives the first away, Sec-Fetch-Site the second.
func (s *Server) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		site.Protect(w, r)
		switch {
		case s.options.Access == nil && !site.Loopback(r.Host):
			http.Error(w, "This display answers only to localhost: open it as http://localhost and its port.",
				http.StatusMisdirectedRequest)
		case s.options.Access != nil && !s.options.Access.o.Host(site.NameOf(r.Host)):
			http.Error(w, "This display answers only to the names in its certificate: open it by one of them.",
				http.StatusMisdirectedRequest)
		case site.FromElsewhere(r):
			http.Error(w, "This display answers only to its own pages.", http.StatusForbidden)
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// known refuses what no row is for: it can only be looked at, if it is there at all.
func known(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch row, there := site.RowOf(r); {
		case there && (row.Method == r.Method || r.Method == http.MethodGet):
			// or is led to the same address, written rightly
			next.ServeHTTP(w, r)
		case r.Method == http.MethodGet:
			http.NotFound(w, r)
		default:
			w.Header().Set("Allow", http.MethodGet)
			http.Error(w, "This display can only be looked at: use GET.", http.StatusMethodNotAllowed)
		}
	})
}
