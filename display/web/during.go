package web

import (
	"context"
	"errors"
	"net/http"

	"github.com/sabot-table/sabot/internal/web/site"
)

// during is the context of a request for as long as its screen's session lasts. It is made from the session's: what
// ends a session has ended all its requests by the time at which it returns.
type during struct {
	context.Context
	request context.Context
}

// sessionContext returns the context of a request of a session; done ends it.
func sessionContext(r *http.Request, one *session) (ctx context.Context, done context.CancelFunc) {
	theirs, end := context.WithCancelCause(one.ctx)
	unlink := context.AfterFunc(r.Context(), func() { end(context.Cause(r.Context())) })
	return during{withRole(theirs, one.screen.Role), r.Context()}, func() {
		unlink()
		end(nil)
	}
}

// Value looks at the session first: of both contexts, it is the one that says when this one ends.
func (d during) Value(key any) any {
	if v := d.Context.Value(key); v != nil {
		return v
	}
	return d.request.Value(key)
}

// isOver says whether a request ended because its screen's session did.
func isOver(r *http.Request) bool { return context.Cause(r.Context()) == errOver }

// tooLate is what a screen is answered whose session ended before its input's turn came.
const tooLate = "this screen's session with the table is over: nothing was done"

// tooLate answers a screen for which nothing was done, since its session was over.
func (s *Server) tooLate(w http.ResponseWriter, err error) bool {
	late := errors.Is(err, errOver)
	if late {
		site.Answer(w, http.StatusUnauthorized, Answer{Error: tooLate})
	}
	return late
}
