package sabot

import (
	"cmp"
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
	case shoe.Reused:
		q.pushReused(e)
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

// pushGap adds a loss to the one before, unless another boot's shoe waits for the one before to be stored.
func (q *queue) pushGap(e shoe.Event) {
	last := len(q.events) - 1
	if last >= 0 && isLink(q.events[last].Kind) {
		last--
	}
	if last < 0 || q.events[last].Kind != shoe.Gap || numbered(q.events[last]) &&
		q.events[last].Position.Boot != e.Position.Boot {
		q.events = append(q.events, e)
		return
	}
	before := q.events[last].Missing
	if sum := before + e.Missing; before == 0 || sum < before {
		e.Missing = 0
	} else if e.Missing != 0 {
		e.Missing = sum
	}
	e.Code = cmp.Or(e.Code, q.events[last].Code)
	q.events[last] = e
}

// numbered says whether the shoe itself has reported a loss, by an event that it keeps until that is stored.
func numbered(gap shoe.Event) bool { return gap.Code != "" }

// pushAlarm leaves out an alarm of this side's own that is still queued.
func (q *queue) pushAlarm(e shoe.Event) {
	waits := func(other shoe.Event) bool {
		return other.Kind == shoe.AlarmRaised && other.Position == e.Position && other.Code == e.Code
	}
	if !slices.ContainsFunc(q.events, waits) {
		q.events = append(q.events, e)
	}
}

// pushReused leaves out a boot id that was reported since the last event that has a number in its boot.
func (q *queue) pushReused(e shoe.Event) {
	for _, before := range slices.Backward(q.events) {
		if before.Kind == shoe.Reused && before.Code == e.Code {
			return
		}
		if !isLink(before.Kind) && before.Kind != shoe.Reused && (before.Kind != shoe.Gap || numbered(before)) {
			break
		}
	}
	q.events = append(q.events, e)
}

func isLink(k shoe.Kind) bool { return k == shoe.Up || k == shoe.Down }
