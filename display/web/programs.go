package web

import (
	"net/http"
	"strings"
	"time"

	"github.com/sabot-table/sabot/internal/site"
)

// programs is what programs ask for that watch the table, not people: they may give a screen's key with each request,
// and need no session.
func (s *Server) programs() (rows []site.Row) {
	page := func(path string, pages http.Handler) {
		if pages != nil {
			rows = append(rows, site.Row{Method: http.MethodGet, Path: path, Least: View, Serve: pages.ServeHTTP})
		}
	}
	page("/metrics", s.options.Metrics)
	page("/health", s.options.Health)
	return rows
}

// byKey admits a program by a screen's key in Authorization: Bearer, and everybody else by their session. The screen's
// own session stays as it is.
func (s *Server) byKey(to site.Row) http.HandlerFunc {
	access, bySession := s.options.Access, s.admit(to)
	if access == nil {
		return bySession
	}
	return func(w http.ResponseWriter, r *http.Request) {
		key, given := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		if !given {
			bySession(w, r)
			return
		}
		one, known := access.owner(key)
		if !known {
			if r = s.from(r, nil); !s.pace(w, r, s.paced.asks) {
				access.refuse(time.Now(), site.NameOf(r.RemoteAddr))
				site.Answer(w, http.StatusUnauthorized, Answer{Error: errNoKey.Error()})
			}
			return
		}
		switch r = s.from(r, &one); {
		case s.pace(w, r, s.paced.asks):
		case !one.may(to.Least):
			s.forbidden(w, r, one, to)
		default:
			to.Serve(w, r)
		}
	}
}
