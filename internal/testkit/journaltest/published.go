package journaltest

import (
	"time"

	"github.com/sabot-table/sabot/pit/publish"
	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/table/journal"
)

// Published is a journal as a publisher reads it.
type Published struct{ *journal.Journal }

// Events are those after one.
func (s Published) Events(after uint64, limit int) ([]topic.Record, error) {
	events, err := s.Journal.Events(after, limit)
	return publish.Records(events), err
}

// Last is the last event.
func (s Published) Last() (uint64, time.Time, error) {
	_, next := s.Next()
	return next - 1, time.Time{}, nil
}

// NoView is a table without a view.
type NoView struct{}

// Latest is none.
func (NoView) Latest() (topic.Snapshot, bool) { return topic.Snapshot{}, false }

// Trouble is none.
func (NoView) Trouble() *topic.Trouble { return nil }

// Changed never closes.
func (NoView) Changed() <-chan struct{} { return nil }
