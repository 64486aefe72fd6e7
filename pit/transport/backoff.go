package transport

import (
	"context"
	"math/rand/v2"
	"time"
)

// Backoff is the pause before the next attempt: it doubles from attempt to attempt, with
// jitter, so that the tables of a house do not all connect at once.
type Backoff struct {
	Least, Most time.Duration
	next        time.Duration
}

// Reset makes the next pause the shortest again.
func (b *Backoff) Reset() { b.next = 0 }

// Failed makes the next pause the longest, if the connection ended since the broker does not keep
// to the protocol: haste helps nobody then.
func (b *Backoff) Failed(err error) {
	if isA[*Breach](err) {
		b.next = b.Most
	}
}

// Next returns how long to wait: between half the step and all of it.
func (b *Backoff) Next() time.Duration {
	b.next = min(max(2*b.next, b.Least), b.Most)
	return b.next - rand.N(b.next/2+1)
}

// Wait returns after the pause, or with false when the context ends.
func (b *Backoff) Wait(ctx context.Context) bool { return sleep(ctx, b.Next()) }
