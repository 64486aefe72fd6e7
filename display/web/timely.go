package web

import (
	"cmp"
	"errors"
	"net/http"
	"time"

	"github.com/sabot-table/sabot/internal/site"
)

// inTime reads the whole of a request before anything is asked about it, and gives neither the request nor its answer
// longer than WriteTimeout to pass. So whoever sends half a request is judged by what they may do when the rest is
// there, and cannot keep the table waiting for it.
func (s *Server) inTime(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		timed := &timely{ResponseWriter: w, control: http.NewResponseController(w), timeout: s.options.WriteTimeout}
		most := int64(maxInput)
		if s.known(r) {
			row, _ := site.RowOf(r)
			most = cmp.Or(row.Most, maxTouch)
		}
		err := timed.begin() // whoever waits to be asked for the rest takes that in time, too
		status := http.StatusRequestTimeout
		if err == nil {
			status, err = site.Whole(timed, r, most, s.options.WriteTimeout)
		}
		if err == nil {
			err = timed.limit(time.Time{}) // the answer may have to wait for the disk
		}
		if err != nil {
			site.Protect(timed, r)
			s.options.Logger.Debug("display: a request did not come whole", "client", r.RemoteAddr, "err", err)
			site.Answer(timed, status, Answer{Error: notWhole(status)})
			return
		}
		next.ServeHTTP(timed, r)
	})
}

func notWhole(status int) string {
	if status == http.StatusRequestEntityTooLarge {
		return "this is too large: nothing was done"
	}
	return "the request did not come whole in time: nothing was done; send it again"
}

// known reports whether a request is of a screen that may ask for more than to enter.
func (s *Server) known(r *http.Request) bool {
	if s.options.Access == nil {
		return true
	}
	_, in := s.options.Access.of(cookieOf(r))
	return in
}

// timely is a response each of whose writes has to be taken within a time.
type timely struct {
	http.ResponseWriter
	control *http.ResponseController
	timeout time.Duration
}

// Unwrap lets a ResponseController find what it controls.
func (t *timely) Unwrap() http.ResponseWriter { return t.ResponseWriter }

func (t *timely) WriteHeader(status int) {
	if t.begin() == nil {
		t.ResponseWriter.WriteHeader(status)
	}
}

func (t *timely) Write(b []byte) (int, error) {
	if err := t.begin(); err != nil {
		return 0, err
	}
	return t.ResponseWriter.Write(b)
}

// begin gives the next write its time.
func (t *timely) begin() error { return t.limit(time.Now().Add(t.timeout)) }

// limit says until when writes must be taken, the zero time that they need not. Where there is no connection, nothing
// can be late.
func (t *timely) limit(until time.Time) error {
	if err := t.control.SetWriteDeadline(until); !errors.Is(err, http.ErrNotSupported) {
		return err
	}
	return nil
}
