package runner

import (
	"log/slog"
	"sync"
	"time"
)

// slowAfter is how long a write to the journal may take before it counts as trouble.
const slowAfter = time.Second

// Trouble is what currently keeps the table from recording: the journal cannot be written,
// or a write to it is taking too long.
type Trouble struct {
	// Since is when the write that has not succeeded began.
	Since time.Time
	// Err is why the journal cannot be written; nil while a write is only slow.
	Err error
}

// storage watches the writes to the journal. The runner's goroutine cannot report a write
// that hangs, since it waits for it.
type storage struct {
	report func(*Trouble)
	now    func() time.Time
	log    *slog.Logger

	mu      sync.Mutex
	trouble *Trouble // nil while all is well
}

// watch is called when a write begins, and done when it ends. A write that takes too long
// is reported while it is under way.
func (s *storage) watch() (done func()) {
	began, finished := s.now(), false
	timer := time.AfterFunc(slowAfter, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if finished || s.trouble != nil {
			return
		}
		s.log.Warn("a write to the journal is slow: the table stands still until it finishes; look at the "+
			"computer's disk", "since", began)
		s.change(&Trouble{Since: began})
	})
	return func() {
		timer.Stop()
		s.mu.Lock()
		defer s.mu.Unlock()
		finished = true
	}
}

// fails records a write that failed.
func (s *storage) fails(began time.Time, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if was := s.trouble; was != nil {
		if was.Err != nil && was.Err.Error() == err.Error() {
			return
		}
		began = was.Since
	}
	s.change(&Trouble{Since: began, Err: err})
}

// over ends the trouble, if there is any.
func (s *storage) over() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.trouble == nil {
		return
	}
	if s.trouble.Err == nil {
		s.log.Warn("the slow write to the journal has finished: the table continues", "took",
			s.now().Sub(s.trouble.Since).Round(time.Millisecond).String())
	}
	s.change(nil)
}

func (s *storage) change(to *Trouble) {
	s.trouble = to
	s.report(to)
}
