package publish

import (
	"fmt"
	"log/slog"
	"time"

	"github.com/sabot-table/sabot/pit/topic"
)

const (
	// journalPause is how long to wait after an error of the journal.
	journalPause = time.Second
	// readAhead is how many events are read from the journal at once.
	readAhead = 256
)

// events are those of the journal, each once and in order, after the last one that was sent.
type events struct {
	journal Journal
	failed  func(error)
	log     *slog.Logger

	sent     uint64           // the last event that was sent
	read     []topic.Record   // and not sent
	appended <-chan struct{}  // closed when the journal has more; nil while not waiting for that
	resume   <-chan time.Time // fires when a journal that failed may be read again
}

// next returns the event after the last one that was sent, which it is from now on; false if there is none yet.
func (e *events) next() (topic.Record, bool) {
	if len(e.read) == 0 && !e.readOn() {
		return topic.Record{}, false
	}
	r := e.read[0]
	e.read = e.read[1:]
	if r.Number > e.sent+1 && r.Above {
		e.log.Warn("the journal has no events between these: they were lost from it before, and the pit sees a gap",
			"after", e.sent, "next", r.Number)
	}
	if r.Number != e.sent+1 && !(r.Above && r.Number > e.sent) {
		e.pause(fmt.Errorf("the journal returned event %d after event %d: nothing more is published until that is "+
			"put right; verify the journal",
			r.Number, e.sent))
		return topic.Record{}, false
	}
	e.sent = r.Number
	return r, true
}

// readOn reads ahead, and reports whether there was anything.
func (e *events) readOn() bool {
	if e.appended != nil || e.resume != nil {
		return false
	}
	appended := e.journal.Changed()
	records, err := e.journal.Events(e.sent, readAhead)
	if err != nil {
		e.pause(fmt.Errorf("read the journal after event %d: %w", e.sent, err))
		return false
	}
	if len(records) == 0 {
		e.appended = appended
		return false
	}
	e.read = records
	return true
}

// pause stops reading the journal for a time after an error.
func (e *events) pause(err error) {
	e.failed(err)
	e.read = nil
	e.resume = time.After(journalPause)
}
