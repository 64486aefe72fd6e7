package web

import (
	"net/http"
	"time"

	"github.com/sabot-table/sabot/internal/site"
)

// events streams to one client until it leaves or cannot keep up with a message.
func (s *Server) events(w http.ResponseWriter, r *http.Request) {
	c := client{Stream: site.NewStream(w, s.options.WriteTimeout), render: s.speaking(r)}
	next, last := c.markup, over
	if r.URL.Query().Get("as") == "json" {
		next, last = c.views, ""
	}
	err := s.stream(r, &c, next)
	if err == nil && isOver(r) {
		err = c.Send([]byte(last))
	}
	site.Ended(s.options.Logger, "display", r, err)
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
				if err := c.Beat("", ""); err != nil {
					return err
				}
			}
		}
	}
}

// client is one browser.
type client struct {
	*site.Stream
	render renderer
}

// markup sends the sections that the client lacks, as one message of markup; if it lacks none, a beat that says so. The
// page says which view it shows, by the number of its frame.
func (c *client) markup(f *frame) error {
	lacks, err := c.Show(f.number(), f.in(c.render))
	if err != nil || lacks {
		return err
	}
	return c.Beat(f.number(), "")
}

// views sends the view itself.
func (c *client) views(f *frame) error {
	b, err := f.json()
	if err != nil {
		return err
	}
	return c.Tell(f.number(), b)
}
