package web

import (
	"errors"
	"net/http"
	"os"
	"strconv"
	"time"
)

// beat is a message without content: the page hears that the daemon lives.
const beat = "event: beat\ndata:\n\n"

// events streams to one client until it leaves or cannot keep up with a message.
func (s *Server) events(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-store")
	c := client{render: s.speaking(r), to: w, control: http.NewResponseController(w), timeout: s.options.WriteTimeout}
	next, last := c.markup, over
	if r.URL.Query().Get("as") == "json" {
		next, last = c.views, ""
	}
	err := s.stream(r, &c, next)
	if err == nil && isOver(r) {
		err = c.send([]byte(last))
	}
	s.ended(r, err)
}

// ended logs why a stream ended, where that is not merely a client that left. The
// server cancels the request when a write fails, so the kind of error decides.
func (s *Server) ended(r *http.Request, err error) {
	log := s.options.Logger.With("client", r.RemoteAddr, "err", err)
	switch {
	case err == nil:
	case errors.Is(err, os.ErrDeadlineExceeded):
		log.Warn("display: a screen took nothing in time and was given up; it should come back by itself")
	case r.Context().Err() != nil:
		log.Debug("display: a screen left")
	default:
		log.Error("display: a screen could not be served; it asks again by itself")
	}
}

// stream sends a message for the newest frame, whenever there is a newer one, and
// heartbeats in between.
func (s *Server) stream(r *http.Request, c *client, next func(*frame) error) error {
	return s.streamUntil(r, c, func() time.Duration { return 0 }, next)
}

// streamUntil also sends one again after a while that again says, where that is not 0.
func (s *Server) streamUntil(r *http.Request, c *client, again func() time.Duration, next func(*frame) error) error {
	heart := time.NewTicker(s.options.Heartbeat)
	defer heart.Stop()
	for {
		f, newer := s.now()
		if err := next(f); err != nil {
			return err
		}
		var turns <-chan time.Time
		if after := again(); after > 0 {
			turns = time.After(after)
		}
		for waiting := true; waiting; {
			select {
			case <-r.Context().Done():
				return nil
			case <-newer:
				waiting = false
			case <-turns:
				waiting = false
			case <-heart.C:
				if err := c.send([]byte(beat)); err != nil {
					return err
				}
			}
		}
	}
}

// client is one browser, and what it has been sent.
type client struct {
	render  renderer
	to      http.ResponseWriter
	control *http.ResponseController
	timeout time.Duration
	has     [][]byte
	buf     []byte
}

// markup sends the sections that the client lacks, as one message of markup; if it lacks none, a beat that says so.
func (c *client) markup(f *frame) error {
	now := f.in(c.render)
	diff := changed(c.has, now)
	c.has = now
	if len(diff) == 0 {
		return c.send(c.numbered(f, "\n"+beat))
	}
	return c.message(f, diff...)
}

// views sends the view itself.
func (c *client) views(f *frame) error {
	b, err := f.json()
	if err != nil {
		return err
	}
	return c.message(f, b)
}

// message sends what there is of a frame.
func (c *client) message(f *frame, pieces ...[]byte) error {
	b := c.numbered(f, "\ndata: ")
	for _, piece := range pieces {
		b = append(b, piece...)
	}
	c.buf = append(b, "\n\n"...)
	return c.send(c.buf)
}

// numbered begins a message with the number of its frame: the page says which view it shows.
func (c *client) numbered(f *frame, rest string) []byte {
	b := strconv.AppendUint(append(c.buf[:0], "id: "...), f.view.Seq, 10)
	return append(b, rest...)
}

// send writes one whole message; a client that does not take it in time is gone.
func (c *client) send(message []byte) error {
	if err := c.control.SetWriteDeadline(time.Now().Add(c.timeout)); err != nil {
		return err
	}
	if _, err := c.to.Write(message); err != nil {
		return err
	}
	return c.control.Flush()
}
