package oneway

import "time"

// steady is the longest time between two reads of the line during which this side is not taken to have stood still.
const steady = 500 * time.Millisecond

// awake measures time without the time in which this side stood still: bytes that arrived meanwhile had to wait, and
// are as old as the last read.
type awake struct {
	last  time.Time
	total time.Duration
}

// wake starts measuring on a line.
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
