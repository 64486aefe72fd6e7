package wire

import "time"

// The protocol's times, which both sides keep.
const (
	// HeartbeatEvery is the time between a shoe's heartbeats in a session.
	HeartbeatEvery = 500 * time.Millisecond
	// HelloEvery is the time between a side's hellos until the other answers.
	HelloEvery = 500 * time.Millisecond
	// LinkLostAfter is the silence after which a side considers the link lost.
	LinkLostAfter = 1500 * time.Millisecond
	// ResendAfter is the time without progress after which a shoe sends its
	// unacknowledged events again, from the oldest.
	ResendAfter = 250 * time.Millisecond
)

// The shoe's queue of unacknowledged events, counted in events.
const (
	// QueueSize is how many the queue holds. A shoe with less memory has a smaller one,
	// down to LeastQueue, with LockAt and UnlockAt in proportion, as SPEC.md says.
	QueueSize  = 512
	LeastQueue = 32
	// Window is how many may be on the way at once.
	Window = 8
	// LockAt is the filling at which the shoe locks the card exit; the rest is for the events of cards that are already
	// leaving.
	LockAt = 496
	// UnlockAt is the filling at which the shoe unlocks the card exit again.
	UnlockAt = 256
)

// MaxKey is the highest number of a key wired to a shoe; the lowest is 1.
const MaxKey = 8
