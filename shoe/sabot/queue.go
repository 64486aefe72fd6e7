package sabot

import (
	"slices"

	"github.com/sabot-table/sabot/shoe"
)

// queueLimit is how many numbered events may wait for the table. A shoe that keeps to its window of eight never reaches
// it.
const queueLimit = 64

// queue holds the events on their way to the table. It stays small whatever the line does while the table is busy:
// numbered events beyond the limit are left with the shoe; of the link's changes between two events only the last is
// kept, of losses in a row only the sum, and each of this side's own alarms once.
type queue struct {
	events shoe.Events
}

// room says whether the queue takes another numbered event.
func (q *queue) room() bool { return len(q.events) < queueLimit }

func (q *queue) push(e shoe.Event) {
	switch e.Kind {
	case shoe.Up, shoe.Down:
		q.pushLink(e)
	case shoe.Gap:
		q.pushGap(e)
	case shoe.AlarmRaised:
		q.pushAlarm(e)
	default:
		q.events = append(q.events, e)
	}
}

func (q *queue) pushLink(e shoe.Event) {
	if last := len(q.events) - 1; last >= 0 && isLink(q.events[last].Kind) {
		q.events[last] = e
		return
	}
	q.events = append(q.events, e)
}

func (q *queue) pushGap(e shoe.Event) {
	last := len(q.events) - 1
	if last >= 0 && isLink(q.events[last].Kind) {
		last--
	}
	if last < 0 || q.events[last].Kind != shoe.Gap {
		q.events = append(q.events, e)
		return
	}
	before := q.events[last].Missing
	if sum := before + e.Missing; before == 0 || sum < before {
		e.Missing = 0
	} else if e.Missing != 0 {
		e.Missing = sum
	}
	q.events[last] = e
}

// pushAlarm leaves out an alarm of this side's own that is still queued.
func (q *queue) pushAlarm(e shoe.Event) {
	waits := func(other shoe.Event) bool {
		return other.Kind == shoe.AlarmRaised && other.Position == e.Position && other.Code == e.Code
	}
	if !slices.ContainsFunc(q.events, waits) {
		q.events = append(q.events, e)
	}
}

func isLink(k shoe.Kind) bool { return k == shoe.Up || k == shoe.Down }
