// Package client follows a table's display from another program: views as they
// change, over the same stream as the page.
package client

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/sabot-table/sabot/display"
)

// Handler is what a follower wants to be told. Its functions are called one at a time.
type Handler struct {
	// View takes every view that arrives; where the follower is slow, views in
	// between are left out, never the newest.
	View func(display.View)
	// Lost is told each time the table cannot be reached or falls silent, and why;
	// what View got last may be old until View is called again. It may be nil.
	Lost func(error)
}

// Options are for tests and for odd networks; the zero value works.
type Options struct {
	// Silence is how long nothing may be heard before the table counts as lost; 0 is 2 s.
	Silence time.Duration
	// Pause is the time between attempts to reach it again; 0 is 500 ms.
	Pause time.Duration
	// Key is the screen's with which a page on a network is entered; "" for one that
	// asks nobody.
	Key string
	// HTTP reaches the display; nil is http.DefaultClient. Cookies are kept apart.
	HTTP *http.Client
}

// maxLine is far more than a view of the largest table.
const maxLine = 1 << 20

// Follow calls on for each view of the display at base, such as
// http://localhost:8080/, and connects again whenever the stream ends, until ctx
// does: then it returns ctx's error. It returns at once what cannot heal: a bad
// address, or a server that is no display.
func Follow(ctx context.Context, base string, on Handler, o Options) error {
	address, err := stream(base)
	if err != nil {
		return err
	}
	if o.Silence == 0 {
		o.Silence = 2 * time.Second
	}
	if o.Pause == 0 {
		o.Pause = 500 * time.Millisecond
	}
	page, err := newDoor(address, o)
	if err != nil {
		return err
	}
	for {
		err := page.once(ctx, on, o.Silence)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		var never *refused
		if errors.As(err, &never) {
			return err
		}
		if on.Lost != nil {
			on.Lost(err)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(o.Pause):
		}
	}
}

func stream(base string) (string, error) {
	u, err := url.Parse(base)
	if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
		return "", fmt.Errorf("%q is no display's address: write it as http://localhost:8080/", base)
	}
	u = u.JoinPath("events")
	u.RawQuery = "as=json"
	return u.String(), nil
}

// refused is an answer that will not change by asking again.
type refused struct{ address, status, why string }

func (r *refused) Error() string {
	return fmt.Sprintf("%s answered %s: %s", r.address, r.status, r.why)
}

const noDisplay = "that is no table's display, or it may not be seen from here"

// once follows one connection to its end and says what ended it. Silence ends it too.
func (d *door) once(ctx context.Context, on Handler, silence time.Duration) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	watch := time.AfterFunc(silence, func() {
		stop(fmt.Errorf("%s: nothing heard for %v: is the table's computer overloaded?", d.address, silence))
	})
	defer watch.Stop()

	if err := d.enter(ctx); err != nil {
		return because(ctx, err)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, d.address, nil)
	if err != nil {
		return err
	}
	resp, err := d.client.Do(req)
	if err != nil {
		return because(ctx, trusted(err))
	}
	defer resp.Body.Close()
	switch {
	case resp.StatusCode == http.StatusUnauthorized:
		return &refused{d.address, resp.Status, d.unknown()}
	case resp.StatusCode == http.StatusTooManyRequests:
		return fmt.Errorf("%s answered %s: this program, or others at its address, ask too often", d.address, resp.Status)
	case resp.StatusCode >= 400 && resp.StatusCode < 500:
		return &refused{d.address, resp.Status, noDisplay}
	case resp.StatusCode != http.StatusOK:
		return fmt.Errorf("%s answered %s", d.address, resp.Status)
	}
	return because(ctx, read(resp.Body, on.View, func() { watch.Reset(silence) }))
}

// because prefers the reason for which the context ended to the error it caused.
func because(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	return err
}

// read takes the stream apart: each message is a line of data, and an empty line.
func read(r io.Reader, view func(display.View), heard func()) error {
	lines := bufio.NewScanner(r)
	lines.Buffer(make([]byte, 0, 16<<10), maxLine)
	for lines.Scan() {
		heard()
		data, ok := strings.CutPrefix(lines.Text(), "data: ")
		if !ok {
			continue
		}
		var v display.View
		if err := json.Unmarshal([]byte(data), &v); err != nil {
			return fmt.Errorf("the display sent what is no view; do both ends run the same version? %w", err)
		}
		view(v)
	}
	if err := lines.Err(); err != nil {
		return err
	}
	return errors.New("the display ended the stream")
}
