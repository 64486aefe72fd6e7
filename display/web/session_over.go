package web

import (
	"context"
	"errors"
	"net/http"

	"github.com/sabot-table/sabot/internal/site"
)

// isOver says whether a request ended because its screen's session did.
func isOver(r *http.Request) bool { return context.Cause(r.Context()) == site.ErrSessionOver }

// tooLate is what a screen is answered whose session ended before its input's turn came.
const tooLate = "this screen's session with the table is over: nothing was done"

// tooLate answers a screen for which nothing was done, since its session was over.
func (s *Server) tooLate(w http.ResponseWriter, err error) bool {
	late := errors.Is(err, site.ErrSessionOver)
	if late {
		site.Answer(w, http.StatusUnauthorized, Answer{Error: tooLate})
	}
	return late
}
