package keys

import (
	"context"
	"time"
)

// Bank is a row of contacts, of a board or a simulation. One goroutine uses it.
type Bank interface {
	// Closed says which contacts are closed, and what time it is. One that cannot be read counts as open.
	Closed() (closed []bool, now time.Duration, err error)
	// Wait returns the edges that occurred, in the order of their times, as soon as there are any, and none once the
	// time is until or ctx ends. No edge before now is returned later, except that a contact is gone: but where now is
	// not before until, every contact that is not gone worked at until. The edges are valid until the next call. An
	// error means that the bank itself is of no more use.
	Wait(ctx context.Context, until time.Duration) (edges []Edge, now time.Duration, err error)
}

// Missing are contacts and outputs of a panel that cannot be used now, for one reason.
type Missing struct {
	// Contacts and Outputs are their places in the panel.
	Contacts, Outputs []int
	Err               error
}

// Watch passes to handle what the contacts of a bank report, with the time by the bank's clock, until ctx ends or the
// contacts are gone; it returns why. handle must not block.
func Watch(ctx context.Context, bank Bank, f *Filter, handle func(e Event, now time.Duration)) error {
	closed, now, err := bank.Closed()
	if err != nil {
		return err
	}
	emit := func(events []Event) {
		for _, e := range events {
			handle(e, now)
		}
	}
	emit(f.Start(now, closed))
	for {
		var edges []Edge
		edges, now, err = bank.Wait(ctx, f.Next())
		for _, e := range edges {
			emit(f.Edge(e))
		}
		if err != nil {
			return err
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		emit(f.Advance(now))
	}
}
