package host

import (
	"sync"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/table/runner"
)

// storageState is what keeps the table from recording, as last reported by the runner.
type storageState struct {
	mu    sync.Mutex
	now   *topic.Trouble // nil for nothing
	fault *topic.Fault   // the last trouble, even if it is over
}

// note keeps the trouble, and returns it as the pit is told.
func (s *storageState) note(t *runner.Trouble) *topic.Trouble {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.now = troubleOf(t); s.now != nil {
		s.fault = &topic.Fault{Time: s.now.Since, Text: s.now.Text}
	}
	return s.now
}

func (s *storageState) look() (now *topic.Trouble, last *topic.Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.now, s.fault
}

// troubleOf puts the runner's report into words.
func troubleOf(t *runner.Trouble) *topic.Trouble {
	switch {
	case t == nil:
		return nil
	case t.Err == nil:
		return &topic.Trouble{
			Code: topic.TroubleSlow, Since: t.Since,
			Text: "a write to the journal takes over a second: the table stands still until it finishes; look at " +
				"the computer's disk",
		}
	}
	return &topic.Trouble{
		Code: topic.TroubleFailing, Since: t.Since,
		Text: t.Err.Error() +
			"; the table stands still and tries again: see that the journal's disk is there, writable and not full",
	}
}

// troubled shows at once what keeps the table from recording. The pit is told of its end
// with the durable view that follows, so that it never sees one without the other.
func (d *Daemon) troubled(t *runner.Trouble) {
	now := d.kept.storage.note(t)
	if now != nil {
		d.pit.troubled(now)
	}
	d.shows.screen.change(func() { d.shows.screen.unrecorded = now != nil })
}

// tellPit passes on the view, whose events are all durable, and what keeps the table from
// recording more.
func (d *Daemon) tellPit() {
	trouble, _ := d.kept.storage.look()
	d.pit.changed(d.shows.drawn, trouble)
}

// withTrouble returns a view as the pit has it while the table cannot record.
func withTrouble(v display.View, trouble *topic.Trouble) display.View {
	v.Unrecorded(trouble.Code == topic.TroubleFailing, trouble.Since)
	return v
}
