package disktest

import (
	"sync/atomic"
	"time"
)

// Clock is a clock that stands still unless a slow operation, or a test, moves it.
type Clock struct{ nanos atomic.Int64 }

// NewClock returns a clock that shows a given time.
func NewClock(at time.Time) *Clock {
	c := new(Clock)
	c.nanos.Store(at.UnixNano())
	return c
}

// Now is the time that the clock shows.
func (c *Clock) Now() time.Time { return time.Unix(0, c.nanos.Load()) }

// Advance moves the clock.
func (c *Clock) Advance(by time.Duration) { c.nanos.Add(int64(by)) }
