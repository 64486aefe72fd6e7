package web

import (
	"net/http"
	"strings"
	"time"
)

// programs is what programs ask for that watch the table, not people: they may give a screen's key with each request,
// and need no session.
func (s *Server) programs() []route {
	return []route{
		{http.MethodGet, "/metrics", View, s.options.Metrics != nil, s.program(s.options.Metrics)},
		{http.MethodGet, "/health", View, s.options.Health != nil, s.program(s.options.Health)},
	}
}

// program serves what is not the display's own.
func (s *Server) program(pages http.Handler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) { pages.ServeHTTP(w, r) }
}

// byKey admits a program by a screen's key in Authorization: Bearer, and everybody else by their session. The screen's
// own session stays as it is.
func (s *Server) byKey(to entry, bySession http.HandlerFunc) http.HandlerFunc {
	access := s.options.Access
	return func(w http.ResponseWriter, r *http.Request) {
		key, given := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		if !given {
			bySession(w, r)
			return
		}
		one, known := access.owner(key)
		if !known {
			if r = s.from(r, nil); !s.pace(w, r, s.paced.asks) {
				access.refuse(time.Now(), remote(r))
				s.answer(w, http.StatusUnauthorized, Answer{Error: errNoKey.Error()})
			}
			return
		}
		r = s.from(r, newSession(one, time.Time{}))
		switch {
		case s.pace(w, r, s.paced.asks):
		case one.Role < to.least:
			s.forbidden(w, r, one, to)
		default:
			to.serve(w, r)
		}
	}
}
