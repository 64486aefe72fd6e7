package term

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"github.com/sabot-table/sabot/display"
)

// Follower is what a follower wants to be told. Its functions are called one at a time.
type Follower struct {
	// View takes every view that arrives; where the follower is slow, views in
	// between are left out, never the newest.
	View func(display.View)
	// Lost is told each time the table cannot be reached or falls silent, and why;
	// what View got last may be old until View is called again. It may be nil.
	Lost func(error)
}

// FollowOptions are for tests and for odd networks; the zero value works.
type FollowOptions struct {
	// Silence is how long nothing may be heard before the table counts as lost; 0 is 2 s.
	Silence time.Duration
	// Pause is the time between attempts to reach it again; 0 is 500 ms.
	Pause time.Duration
	// Key is the screen's with which a page on a network is entered; "" for one that
	// asks nobody.
	Key string
	// TLS says whom to trust; nil are the system's certificates.
	TLS *tls.Config
}

// Follow follows a table's display from another program, over the same stream as the page. It trusts nothing that
// comes: whoever answers at the address may be anybody. It calls on for each view of the display at base, such as
// http://localhost:8080/, and connects again whenever the stream ends, until ctx
// does: then it returns ctx's error. It returns at once what cannot heal: a bad
// address, or a server that is no display.
func Follow(ctx context.Context, base string, on Follower, o FollowOptions) error {
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
type refused struct {
	address string
	status  int
	why     string
}

func (r *refused) Error() string {
	return fmt.Sprintf("%s answered %s: %s", r.address, status(r.status), r.why)
}

// status is an answer's status in words of our own: the server's may be any text.
func status(code int) string { return fmt.Sprintf("%d %s", code, http.StatusText(code)) }

const (
	noDisplay = "that is no table's display, or it may not be seen from here"
	elsewhere = "it sends to another address, which is never followed; write the address of the table's own page"
)

// once follows one connection to its end and says what ended it. Silence ends it too.
func (d *door) once(ctx context.Context, on Follower, silence time.Duration) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	watch := time.AfterFunc(silence, func() {
		stop(fmt.Errorf("%s: nothing heard for %v: is the table's computer overloaded?", d.address, silence))
	})
	defer watch.Stop()
	defer d.client.CloseIdleConnections()

	if err := d.enter(ctx); err != nil {
		return because(ctx, err)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, d.address, nil)
	if err != nil {
		return err
	}
	if d.session != nil {
		req.AddCookie(d.session)
	}
	resp, err := d.client.Do(req)
	if err != nil {
		return because(ctx, trusted(err))
	}
	defer resp.Body.Close()
	switch {
	case resp.StatusCode == http.StatusUnauthorized:
		return &refused{d.address, resp.StatusCode, d.unknown()}
	case resp.StatusCode == http.StatusTooManyRequests:
		return fmt.Errorf("%s answered %s: this program, or others at its address, ask too often", d.address,
			status(resp.StatusCode))
	case resp.StatusCode != http.StatusOK:
		return d.odd(d.address, resp.StatusCode)
	}
	return because(ctx, read(resp.Body, on.View, func() { watch.Reset(silence) }))
}

// odd is the error for an answer that a display does not give.
func (d *door) odd(address string, code int) error {
	switch {
	case code >= 300 && code < 400:
		return &refused{address, code, elsewhere}
	case code >= 400 && code < 500:
		return &refused{address, code, noDisplay}
	}
	return fmt.Errorf("%s answered %s", address, status(code))
}

// because prefers the reason for which the context ended to the error it caused.
func because(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	return err
}
