package site

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"strconv"
	"time"
)

// The media types of answers.
const (
	HTML   = "text/html; charset=utf-8"
	JSON   = "application/json"
	Events = "text/event-stream"
)

// IsJSON says whether a request brings JSON, which no form of another site can.
func IsJSON(r *http.Request) bool {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	return err == nil && kind == JSON
}

// ErrUnread is what is no object of the form that is asked for. It repeats nothing of it, which may be a secret.
var ErrUnread = errors.New("this cannot be read")

// Read reads a JSON object of a fixed form, at most so many bytes, and nothing behind it.
func Read(r *http.Request, most int64, into any) error {
	text, err := io.ReadAll(io.LimitReader(r.Body, most+1))
	if err != nil || int64(len(text)) > most {
		return ErrUnread
	}
	return Decode(text, into)
}

// Decode is Read for a text that is there.
func Decode(text []byte, into any) error {
	body := json.NewDecoder(bytes.NewReader(text))
	body.DisallowUnknownFields()
	if body.Decode(into) != nil || body.Decode(&struct{}{}) != io.EOF {
		return ErrUnread
	}
	return nil
}

// Answer answers with a value's JSON; one that cannot be written is a mistake in the program.
func Answer(w http.ResponseWriter, status int, value any) {
	body, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	Send(w, status, JSON, body)
}

// Seconds is a time to wait, rounded up.
func Seconds(wait time.Duration) int { return int((wait + time.Second - 1) / time.Second) }

// WaitAfter says for how many seconds nothing more is taken; 0 for none.
func WaitAfter(w http.ResponseWriter, seconds int) {
	if seconds > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(seconds))
	}
}

// Send answers with something of a media type. A browser that has left needs nothing.
func Send(w http.ResponseWriter, status int, kind string, body []byte) {
	w.Header().Set("Content-Type", kind)
	w.WriteHeader(status)
	_, _ = w.Write(body)
}
