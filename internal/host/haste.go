package host

import (
	"time"

	"github.com/sabot-table/sabot/pit/publish"
)

// Haste is how long a table waits for what it usually has more time for. A zero is as usual.
type Haste struct {
	// Status is how often the service manager is told how the table does.
	Status time.Duration
	// Health is how often the pit is.
	Health time.Duration
	// Backoff is the longest pause before the broker is tried again, and Probe how long a connection has to hold until
	// the table believes in it.
	Backoff, Probe time.Duration
	// Retry is how long the table leaves out what the broker denies, until it tries again.
	Retry time.Duration
	// Flush is how long the pit is told at the end what it does not know yet.
	Flush time.Duration
}

// WithHaste is an Option for tests of what a table does after a while.
func WithHaste(h Haste) Option { return func(d *Daemon) { d.given.haste = h } }

// hurry makes the connection to the pit as fast as it is to be.
func (h Haste) hurry(c *publish.Config) {
	c.HealthEvery, c.ProbeAfter, c.RetryAfter, c.FlushTimeout = h.Health, h.Probe, h.Retry, h.Flush
	c.BackoffMin, c.BackoffMax = h.Backoff, h.Backoff
}
