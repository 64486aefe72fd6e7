package journal

import "fmt"

const setCursor = `INSERT INTO cursor (name, event) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET event = excluded.event`

// SetCursor stores how far the named publisher has come: event is the number of
// the last event that it need not send again. It does not wait for the disk, so
// a power cut may take back the last calls; a later Append makes them durable.
// Events are then sent again, and never skipped. A cursor may be set back, which
// sends events again too, but not beyond the last event.
func (j *Journal) SetCursor(name string, event uint64) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	err := j.moveCursor(name, event)
	return fault("set the cursor "+name, j.path, err)
}

func (j *Journal) moveCursor(name string, event uint64) error {
	if j.shut {
		return ErrClosed
	}
	if event > j.tail.event {
		return fmt.Errorf("event %d is not in the journal, the last is %d", event, j.tail.event)
	}
	_, err := j.setter.Exec(name, int64(event))
	return err
}
