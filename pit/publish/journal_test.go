package publish_test

import (
	"fmt"
	"sync"
	"time"

	"github.com/sabot-table/sabot/pit/topic"
)

// memoryJournal is a journal for tests, in memory.
type memoryJournal struct {
	mu      sync.Mutex
	records []topic.Record
	changed chan struct{}
	cursor  uint64
	durable uint64 // the cursor that a killed daemon leaves

	// broken is the error that reading gives while it is not nil.
	broken error
	// noted is called with each cursor that is set.
	noted func(uint64)
	// flushing, if not nil, is called before a cursor is made durable.
	flushing func()
}

func newJournal(events int) *memoryJournal {
	j := &memoryJournal{changed: make(chan struct{})}
	j.add(events)
	return j
}

// add appends events.
func (j *memoryJournal) add(events int) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for range events {
		n := uint64(len(j.records)) + 1
		line := fmt.Sprintf(`{"out":"settled","box":3,"bettor":"a","wager":"main","stake":%d}`, n)
		j.records = append(j.records, topic.Record{
			Number: n, Boot: 7, At: int64(n) * 1e9, Round: n / 10,
			Line: []byte(line),
		})
		j.durable = j.cursor
	}
	j.wake()
}

// put appends a record as it is.
func (j *memoryJournal) put(r topic.Record) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.records = append(j.records, r)
	j.wake()
}

func (j *memoryJournal) wake() {
	close(j.changed)
	j.changed = make(chan struct{})
}

// breakWith makes reading fail, or work again with nil.
func (j *memoryJournal) breakWith(err error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.broken = err
}

func (j *memoryJournal) Events(after uint64, limit int) ([]topic.Record, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.broken != nil {
		return nil, j.broken
	}
	rest := j.records[min(after, uint64(len(j.records))):]
	return rest[:min(limit, len(rest))], nil
}

func (j *memoryJournal) Last() (uint64, time.Time, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if len(j.records) == 0 {
		return 0, time.Time{}, nil
	}
	last := j.records[len(j.records)-1]
	return last.Number, time.Unix(0, last.At), nil
}

func (j *memoryJournal) Changed() <-chan struct{} {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.changed
}

func (j *memoryJournal) Cursor(string) (uint64, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.cursor, nil
}

func (j *memoryJournal) SetCursor(_ string, event uint64) error {
	if j.noted != nil {
		j.noted(event)
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.cursor = event
	return nil
}

func (j *memoryJournal) FlushCursors() error {
	if j.flushing != nil {
		j.flushing()
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.durable = j.cursor
	return nil
}

// kept is the cursor that a daemon which is killed now leaves.
func (j *memoryJournal) kept() uint64 {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.durable
}

// memoryState is a table's view for tests.
type memoryState struct {
	mu      sync.Mutex
	latest  topic.Snapshot
	trouble *topic.Trouble
	changed chan struct{}
}

func newState() *memoryState { return &memoryState{changed: make(chan struct{})} }

// set makes a newer view.
func (s *memoryState) set(sequence uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	view := fmt.Appendf(nil, `{"seq":%d}`, sequence)
	s.latest = topic.Snapshot{Sequence: sequence, Time: time.Unix(0, int64(sequence)), View: view}
	close(s.changed)
	s.changed = make(chan struct{})
}

// fail has the table fail to record, or do so again with nil.
func (s *memoryState) fail(trouble *topic.Trouble) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.trouble = trouble
	close(s.changed)
	s.changed = make(chan struct{})
}

func (s *memoryState) Trouble() *topic.Trouble {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.trouble
}

func (s *memoryState) Latest() (topic.Snapshot, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.latest, s.latest.View != nil
}

func (s *memoryState) Changed() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.changed
}
