package shoe

import "context"

// Events are on their way from a driver to the table, the oldest first.
type Events []Event

// Pop takes the oldest event out.
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

// Deliver gives the events that next takes out to handle, until ctx ends. Something comes
// on arrived after there is a next one.
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
