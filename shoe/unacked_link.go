package shoe

import (
	"cmp"
	"errors"
	"fmt"
	"time"
)

// How many bytes that belong to no message make a line unusable: fewer on one that has not brought a message yet, which
// may have the wrong speed or another shoe.
const (
	strangeLimit  = 64
	unusableLimit = 256
)

// link decides what the table is told about the line. It does no I/O, reads no clock and is not safe for concurrent
// use.
type link struct {
	language string
	// looksLike says what bytes that make no message look like, "" if that is not known.
	looksLike func() string
	guess     string // the last answer, while the link is down
	queue     queue
	stats     UnackedStats

	open   bool   // a port is open
	up     bool   // what the table was last told
	reason string // why it was told that the link is down

	known    bool   // a message arrived on this port
	messages uint64 // received by then
	dropped  uint64 // bytes that belonged to no message, when the last message arrived
}

// errAway is the reason for the gap after each time without a link.
var errAway = errors.New("this shoe keeps no card, and what left it while the link was down is not known")

// opened starts on a newly opened port. A quiet line means nothing: this shoe speaks only when something happens.
func (l *link) opened(now time.Time) {
	l.open, l.known = true, false
	l.stats.Ports++
	l.rise(now)
}

// closed reports why there is no port.
func (l *link) closed(now time.Time, err error) {
	l.open = false
	l.fall(now, err)
}

func (l *link) rise(now time.Time) {
	if l.up || !l.open {
		return
	}
	l.up, l.reason, l.guess = true, "", ""
	l.queue.push(Event{Kind: Up, At: now, Shoe: Identity{Maker: l.language}})
	l.stats.Gaps++
	l.queue.push(Event{Kind: Gap, At: now, Unsure: true, Err: errAway})
}

// fall tells the table once for each reason.
func (l *link) fall(now time.Time, err error) {
	if !l.up && l.reason == err.Error() {
		return
	}
	l.up, l.reason = false, err.Error()
	l.queue.push(Event{Kind: Down, At: now, Err: err})
}

// event takes an event from the decoder. On an unusable line only an intact message counts; the gap that follows covers
// the rest.
func (l *link) event(now time.Time, e Event) {
	if !l.up && e.Kind == Gap && e.Unsure {
		return
	}
	l.rise(now)
	e.At = now
	l.stats.count(&e)
	if !l.queue.push(e) {
		l.stats.Overflow++
	}
}

// judge decides whether the line brings messages, after the decoder has been fed. unprintable is how many bytes that
// occur in no text came since the last message: a decoder of text may take them for space between its messages.
func (l *link) judge(now time.Time, c DecoderCounts, unprintable uint64) {
	limit := uint64(strangeLimit)
	if l.known {
		limit = unusableLimit
	}
	switch {
	case c.Messages != l.messages:
		l.messages, l.dropped, l.known = c.Messages, c.Dropped, true
		l.rise(now)
	case max(c.Dropped-l.dropped, unprintable) >= limit:
		l.fall(now, l.garbage())
	}
}

// garbage is why bytes that make no message take the link down.
func (l *link) garbage() error {
	err := fmt.Errorf("what comes from the shoe is not a message of %s: check the kind of shoe, the baud rate and "+
		"the cable", l.language)
	l.guess = cmp.Or(l.looksLike(), l.guess)
	if l.guess != "" {
		err = fmt.Errorf("%w: %s", err, l.guess)
	}
	return err
}

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

// errBusy is the reason for the gap in place of events that found no room.
var errBusy = errors.New("the table took no events for too long, and this shoe does not wait")
