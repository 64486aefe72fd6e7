package site

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"time"
)

// wholeBody is a body that has arrived.
type wholeBody struct{ *bytes.Reader }

// Close has nothing to give back.
func (wholeBody) Close() error { return nil }

// What people post at a page of the pit is no longer than this, and comes within this time.
const (
	LongestBody = 1 << 14
	BodyWithin  = 10 * time.Second
)

// Whole reads all that a request brings, at most so many bytes and within a time, before anybody decides whether it
// may: a request whose rest comes later would be judged by what was true when it began. What is too long, or does not
// come, is an error with the status to answer, and the connection ends with that answer.
func Whole(w http.ResponseWriter, r *http.Request, most int64, within time.Duration) (status int, err error) {
	if _, is := r.Body.(wholeBody); is || r.Body == nil || r.Body == http.NoBody {
		return http.StatusOK, nil
	}
	control := http.NewResponseController(w)
	if err := deadline(control, time.Now().Add(within)); err != nil {
		return http.StatusInternalServerError, err
	}
	text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, most))
	if err != nil {
		w.Header().Set("Connection", "close")
		if _, long := errors.AsType[*http.MaxBytesError](err); long {
			return http.StatusRequestEntityTooLarge, err
		}
		return http.StatusRequestTimeout, err
	}
	r.Body = wholeBody{bytes.NewReader(text)}
	if err := deadline(control, time.Time{}); err != nil { // a stream is read from until its browser leaves
		return http.StatusInternalServerError, err
	}
	return http.StatusOK, nil
}

// deadline is until when the rest of a request may come. Where there is no connection, nothing can be late.
func deadline(control *http.ResponseController, at time.Time) error {
	if err := control.SetReadDeadline(at); err != nil && !errors.Is(err, http.ErrNotSupported) {
		return err
	}
	return nil
}
