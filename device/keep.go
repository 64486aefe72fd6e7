package device

import (
	"context"
	"errors"
	"io"
	"time"
)

// How long Keep waits before it reopens a port: briefly the first time, since a knocked cable is back at once, then
// longer.
const (
	FirstRetry   = 100 * time.Millisecond
	SlowestRetry = 2 * time.Second
)

// Keep opens the port and calls use with it, and does so again whenever use returns or the port cannot be opened, until
// ctx ends; it returns ctx's error. The waits between attempts grow from FirstRetry to SlowestRetry, and start again
// after a port that worked for longer than SlowestRetry.
//
// The port is closed when ctx ends, which ends a Read or Write in progress, and before it is reopened.
//
// notify is called on changes only: with nil when a port is open, and with the reason when there is none, if that is
// new or has another cause than before.
//
// A port is what open returns: mostly a Port, but anything that can be lost and found again can be kept in the same
// way.
func Keep[P io.Closer](
	ctx context.Context, open func(context.Context) (P, error), notify func(error), use func(context.Context, P) error,
) error {
	k := keeper[P]{open: open, notify: notify, use: use}
	for wait := FirstRetry; ; wait = min(2*wait, SlowestRetry) {
		used, err := k.once(ctx)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		k.lost(err)
		if used > SlowestRetry {
			wait = FirstRetry
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(wait):
		}
	}
}

type keeper[P io.Closer] struct {
	open   func(context.Context) (P, error)
	notify func(error)
	use    func(context.Context, P) error
	// reason is the text of the last reason given to notify.
	reason string
}

// errUnused says why there is no port after a use that gave no reason.
var errUnused = errors.New("the port was given up")

// once opens the port and uses it until use returns; it returns for how long.
func (k *keeper[P]) once(ctx context.Context) (used time.Duration, err error) {
	port, err := k.open(ctx)
	if err != nil {
		return 0, err
	}
	stop := context.AfterFunc(ctx, func() { port.Close() })
	defer stop()
	// Nothing depends on the error of closing a port that is given up.
	defer port.Close()
	k.reason = ""
	k.notify(nil)
	begun := time.Now()
	if err = k.use(ctx, port); err == nil {
		err = errUnused
	}
	return time.Since(begun), err
}

func (k *keeper[P]) lost(err error) {
	if text := err.Error(); text != k.reason {
		k.reason = text
		k.notify(err)
	}
}
