package site

import (
	"bytes"
	"errors"
	"log/slog"
	"net/http"
	"os"
	"time"
)

// Stream is what a screen hears of its page, for as long as it is open: messages of Server-Sent Events.
type Stream struct {
	to      http.ResponseWriter
	control *http.ResponseController
	within  time.Duration
	// has are the sections that the screen has been sent.
	has [][]byte
	buf []byte
}

// NewStream begins a stream each of whose messages has to be taken within a time.
func NewStream(w http.ResponseWriter, within time.Duration) *Stream {
	w.Header().Set("Content-Type", Events)
	w.Header().Set("Cache-Control", "no-store")
	return &Stream{to: w, control: http.NewResponseController(w), within: within}
}

// Send writes one whole message; a screen that does not take it in time is gone.
func (s *Stream) Send(message []byte) error {
	if err := s.control.SetWriteDeadline(time.Now().Add(s.within)); err != nil {
		return err
	}
	if _, err := s.to.Write(message); err != nil {
		return err
	}
	if err := s.control.Flush(); err != nil {
		return err
	}
	return s.control.SetWriteDeadline(time.Time{}) // by HTTP/2 one ends the stream also while nothing is written
}

// Show tells a screen the sections that it lacks, as one message under an id, "" for none; and says whether there were
// any.
func (s *Stream) Show(id string, now [][]byte) (lacks bool, err error) {
	diff := Changed(s.has, now)
	if s.has = now; len(diff) == 0 {
		return false, nil
	}
	return true, s.Tell(id, diff...)
}

// Tell sends pieces of one line.
func (s *Stream) Tell(id string, pieces ...[]byte) error {
	b := append(s.named(id), "data: "...)
	for _, piece := range pieces {
		b = append(b, piece...)
	}
	s.buf = append(b, "\n\n"...)
	return s.Send(s.buf)
}

// Beat says that the site lives, and something of it, "" for nothing.
func (s *Stream) Beat(id, said string) error {
	b := append(s.named(id), "event: beat\ndata:"...)
	if said != "" {
		b = append(append(b, ' '), said...)
	}
	s.buf = append(b, "\n\n"...)
	return s.Send(s.buf)
}

// named begins a message.
func (s *Stream) named(id string) []byte {
	if id == "" {
		return s.buf[:0]
	}
	return append(append(append(s.buf[:0], "id: "...), id...), '\n')
}

// Ended logs why the stream of a request ended, and of which site it is, where that is not merely a screen that left.
// The server cancels the request when a write fails, so the kind of error decides.
func Ended(log *slog.Logger, of string, r *http.Request, err error) {
	log = log.With("client", r.RemoteAddr, "err", err)
	switch {
	case err == nil:
	case errors.Is(err, os.ErrDeadlineExceeded):
		log.Warn(of + ": a screen took nothing in time and was given up; it should come back by itself")
	case r.Context().Err() != nil:
		log.Debug(of + ": a screen left")
	default:
		log.Error(of + ": a screen could not be served; it asks again by itself")
	}
}

// Changed are the sections of now that a page lacks which had others. Drawn markup is cut into sections by Cut:
// every other piece is one and has an id, and those between hold them together. Where the sections themselves are
// others, all of it is returned.
func Changed(had, now [][]byte) (diff [][]byte) {
	if len(had) != len(now) {
		return now
	}
	for i := range now {
		switch {
		case bytes.Equal(had[i], now[i]):
		case i%2 == 0 || !bytes.Equal(idOf(had[i]), idOf(now[i])):
			return now
		default:
			diff = append(diff, now[i])
		}
	}
	return diff
}

// idOf is the first id in a section, which is its own.
func idOf(section []byte) []byte {
	_, id, _ := bytes.Cut(section, []byte(`id="`))
	id, _, _ = bytes.Cut(id, []byte(`"`))
	return id
}
