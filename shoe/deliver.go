package shoe

import "context"

// Events are those on their way from a driver to the table, oldest first.
type Events []Event

// Pop removes and returns the oldest event.
func (q *Events) Pop() (Event, bool) {
	events := *q
	if len(events) == 0 {
		return Event{}, false
	}
	e := events[0]
	n := copy(events, events[1:])
	events[n] = Event{}
	*q = events[:n]
	return e, true
}

// Deliver passes the events that next returns to handle, until ctx ends. arrived is signalled after each new one.
func Deliver(ctx context.Context, arrived <-chan struct{}, next func() (Event, bool), handle func(Event)) {
	for ctx.Err() == nil {
		if e, ok := next(); ok {
			handle(e)
			continue
		}
		select {
		case <-arrived:
		case <-ctx.Done():
		}
	}
}
