package publish

import (
	"fmt"
	"time"
)

// silentError is returned if the broker does not acknowledge messages.
type silentError struct {
	waited   time.Duration
	underway int
}

func (e silentError) Error() string {
	return fmt.Sprintf("the broker acknowledged none of %d messages within %s: look at its log, its load and its disk",
		e.underway, e.waited)
}

// UnacknowledgedError is returned if a publisher leaves events for the next one.
type UnacknowledgedError struct{ Events uint64 }

// Error says how many events wait, and where.
func (e *UnacknowledgedError) Error() string {
	return fmt.Sprintf("the MQTT broker has not acknowledged %d events; they stay in the journal and go out at the "+
		"next start", e.Events)
}
