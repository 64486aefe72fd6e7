package shoe

// queueLimit is how many events may wait for the table: many times what a hand can draw while the table stands still.
const queueLimit = 1024

// queue holds the events on their way to the table. It stays small whatever the shoe and the line do while the table is
// busy: of the link's changes between two events it keeps only the last, and events beyond the limit are counted as
// lost.
type queue struct {
	events Events
}

// push adds an event; false means that there was no room, and that a gap reports this.
func (q *queue) push(e Event) bool {
	switch {
	case e.Kind == Up || e.Kind == Down:
		q.events = q.events[:q.withoutLink()]
	case e.Kind == Gap && e.Unsure:
		if n := len(q.events); n > 0 && aboutLink(&q.events[n-1]) && q.events[n-1].Kind == Gap {
			return true // it says so already
		}
	case len(q.events) >= queueLimit:
		q.lose(e)
		return false
	}
	q.events = append(q.events, e)
	return true
}

// lose counts an event in the gap at the end.
func (q *queue) lose(e Event) {
	if last := q.withoutLink() - 1; last >= 0 && q.events[last].Kind == Gap {
		if gap := &q.events[last]; gap.Missing != 0 {
			gap.Missing++
		}
		return
	}
	q.events = append(q.events, Event{Kind: Gap, At: e.At, Missing: 1, Err: errBusy})
}

// withoutLink is how many events there are without those at the end that concern only the link.
func (q *queue) withoutLink() int {
	n := len(q.events)
	for n > 0 && aboutLink(&q.events[n-1]) {
		n--
	}
	return n
}

func aboutLink(e *Event) bool {
	return e.Kind == Up || e.Kind == Down || e.Kind == Gap && e.Unsure
}
