package publish

import (
	"context"
	"math/rand/v2"
	"time"
)

// backoff is the pause before the next attempt: it doubles from attempt to attempt, with
// jitter, so that the tables of a house do not all connect at once.
type backoff struct {
	least, most time.Duration
	next        time.Duration
}

// reset makes the next pause the shortest again.
func (b *backoff) reset() { b.next = 0 }

// pause returns how long to wait: between half the step and all of it.
func (b *backoff) pause() time.Duration {
	b.next = min(max(2*b.next, b.least), b.most)
	return b.next - rand.N(b.next/2+1)
}

// wait returns after the pause, or with false when the context ends.
func (b *backoff) wait(ctx context.Context) bool {
	timer := time.NewTimer(b.pause())
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
