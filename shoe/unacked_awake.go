package shoe

import "time"

// steady is the longest time between two reads of the line during which this side is not taken to have stood still.
const steady = 500 * time.Millisecond

// awake measures time without the time in which this side stood still while it listened: bytes that arrived meanwhile
// had to wait, and are as old as the last read.
type awake struct {
	last  time.Time
	total time.Duration
}

// wake begins to listen, after a time in which there was no port.
func (a *awake) wake(now time.Time) time.Time {
	a.total += max(now.Sub(a.last), 0)
	a.last = now
	return now
}

// until returns how much time has passed.
func (a *awake) until(now time.Time) time.Duration {
	a.total += min(max(now.Sub(a.last), 0), steady)
	a.last = now
	return a.total
}
