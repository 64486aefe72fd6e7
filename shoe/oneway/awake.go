package oneway

import "time"

// steady is the longest time between two looks at the line that is not a
// standstill of this side.
const steady = 500 * time.Millisecond

// awake measures time without that in which this side stood still: bytes that came
// meanwhile waited, and are as old as the last look.
type awake struct {
	last  time.Time
	total time.Duration
}

// wake begins to look at a line.
func (a *awake) wake(now time.Time) time.Time {
	a.last = now
	return now
}

// until returns how long this side has been awake.
func (a *awake) until(now time.Time) time.Duration {
	a.total += min(max(now.Sub(a.last), 0), steady)
	a.last = now
	return a.total
}
