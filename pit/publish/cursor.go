package publish

import (
	"fmt"
	"time"
)

// cursorPatience is how long the publisher waits for the journal to accept its cursor. A
// disk that hangs must not keep the pit from learning of it.
const cursorPatience = time.Second

// cursor notes in the journal how far the broker has acknowledged. A publisher that is
// killed leaves the durable note, from which the next one sends again.
type cursor struct {
	journal Journal
	failed  func(error)

	noted   uint64 // in the journal, durable with its next record at the latest
	durable uint64
	tried   uint64          // the last that was to be made durable
	writing <-chan keptNote // nil while no write is under way
}

// keptNote is the result of a write.
type keptNote struct {
	event   uint64
	durable bool
	err     error
}

// note notes an event; a later record of the journal makes it durable.
func (c *cursor) note(event uint64) {
	if event != c.noted && c.free() {
		c.write(event, false)
	}
}

// keep makes an event durable.
func (c *cursor) keep(event uint64) {
	if event != c.durable && c.free() {
		c.tried = event
		c.write(event, true)
	}
}

// write waits until the journal has accepted the note, but not forever.
func (c *cursor) write(event uint64, durable bool) {
	done := make(chan keptNote, 1)
	c.writing = done
	go func() { done <- keptNote{event, durable, c.putEvent(event, durable)} }()
	patience := time.NewTimer(cursorPatience)
	defer patience.Stop()
	select {
	case kept := <-done:
		c.took(kept)
	case <-patience.C:
	}
}

// free reports whether no write is under way.
func (c *cursor) free() bool {
	select {
	case kept := <-c.writing:
		c.took(kept)
	default:
	}
	return c.writing == nil
}

func (c *cursor) took(kept keptNote) {
	c.writing = nil
	if kept.err != nil {
		c.failed(fmt.Errorf("note in the journal how far the broker has acknowledged: %w", kept.err))
		return
	}
	c.noted = kept.event
	if kept.durable {
		c.durable = kept.event
	}
}

func (c *cursor) putEvent(event uint64, durable bool) error {
	if err := c.journal.SetCursor(CursorName, event); err != nil || !durable {
		return err
	}
	return c.journal.FlushCursors()
}
