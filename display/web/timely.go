package web

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"time"
)

// inTime reads the whole of a request before anything is asked about it, and gives neither the request nor its answer
// longer than WriteTimeout to pass. So whoever sends half a request is judged by what they may do when the rest is there,
// and cannot keep the table waiting for it.
func (s *Server) inTime(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		timed := &timely{ResponseWriter: w, control: http.NewResponseController(w), timeout: s.options.WriteTimeout}
		if r.Body != nil && r.Body != http.NoBody && !s.whole(timed, r) {
			return
		}
		next.ServeHTTP(timed, r)
	})
}

// whole puts the whole body in the place of the one that is still coming. Of one that is too long it leaves a byte too
// many, which no handler takes.
func (s *Server) whole(w *timely, r *http.Request) bool {
	most := int64(maxInput)
	if s.known(r) {
		most = maxTouch
	}
	s.limit(w, time.Now().Add(w.timeout))
	body, err := io.ReadAll(io.LimitReader(r.Body, most+1))
	if err != nil || int64(len(body)) > most {
		w.last(r)
	}
	if err != nil {
		protect(w, r)
		s.options.Logger.Debug("display: a request did not come whole", "client", r.RemoteAddr, "err", err)
		s.answer(w, http.StatusRequestTimeout, Answer{Error: "the request did not come whole in time: nothing was done; send it again"})
		return false
	}
	if int64(len(body)) <= most {
		s.limit(w, time.Time{}) // the answer may have to wait for the disk
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	return true
}

// known reports whether a request is of a screen that may ask for more than to enter.
func (s *Server) known(r *http.Request) bool {
	if s.options.Access == nil {
		return true
	}
	one, _ := s.options.Access.session(r)
	return one != nil
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

func (t *timely) begin() error {
	return supported(t.control.SetWriteDeadline(time.Now().Add(t.timeout)))
}

// limit says until when the rest of a request must be here, and until when its sender must have taken that it is wanted;
// the zero time is no limit.
func (s *Server) limit(w *timely, until time.Time) {
	if err := supported(errors.Join(w.control.SetReadDeadline(until), w.control.SetWriteDeadline(until))); err != nil {
		s.options.Logger.Debug("display: a request cannot be given a time", "err", err)
	}
}

// last has the connection closed after this answer: what is left of the request is not waited for.
func (t *timely) last(r *http.Request) {
	if r.ProtoMajor == 1 { // later ones drop the rest of a request alone
		t.Header().Set("Connection", "close")
	}
}

// supported leaves out that a response cannot be given a time, as one in a test's memory.
func supported(err error) error {
	if errors.Is(err, http.ErrNotSupported) {
		return nil
	}
	return err
}
