package runner

import (
	"log/slog"
	"sync"
	"time"
)

// slowAfter is how long a write to the journal may take before it counts as trouble.
const slowAfter = time.Second

// Trouble is what keeps the table from recording while it does: the journal cannot be
// written, or a write to it has been under way for too long.
type Trouble struct {
	// Since is when the write began that did not come through.
	Since time.Time
	// Err is why the journal cannot be written; nil while a write is only slow.
	Err error
}

// storage watches the writes to the journal. The runner's goroutine cannot tell of a
// write that hangs, since it waits for it.
type storage struct {
	tell func(*Trouble)
	now  func() time.Time
	log  *slog.Logger

	mu      sync.Mutex
	trouble *Trouble // nil while all is well
}

// watch begins with a write, which ends with done. One that takes too long is told of
// while it is under way.
func (s *storage) watch() (done func()) {
	began, through := s.now(), false
	timer := time.AfterFunc(slowAfter, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if through || s.trouble != nil {
			return
		}
		s.log.Warn("a write to the journal is slow: the table stands still until it is through; look at the computer's disk", "since", began)
		s.change(&Trouble{Since: began})
	})
	return func() {
		timer.Stop()
		s.mu.Lock()
		defer s.mu.Unlock()
		through = true
	}
}

// fails takes note of a write that failed.
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
		s.log.Warn("the slow write to the journal is through: the table goes on", "took", s.now().Sub(s.trouble.Since).Round(time.Millisecond).String())
	}
	s.change(nil)
}

func (s *storage) change(to *Trouble) {
	s.trouble = to
	s.tell(to)
}
