package host

import (
	"sync"
	"time"

	"github.com/sabot-table/sabot/display"
)

// screen is what every display of the table shows: the table as the runner last drew it,
// who is at it, whether the pit is connected, which lines of the panel are missing, and
// whether the table can record. Each of these changes independently.
type screen struct {
	show func(display.View)

	mu   sync.Mutex
	view display.View
	// unrecorded says that the table cannot record now.
	unrecorded bool
	// pitUp says that the pit is connected, and pitDenied that its broker denies topics.
	pitUp, pitDenied bool
}

// showPit sets what the view says of the pit.
func (s *screen) showPit() {
	switch {
	case !s.pitUp:
		s.view.Pit = display.PitDown
	case s.pitDenied:
		s.view.Pit = display.PitDenied
	default:
		s.view.Pit = display.PitUp
	}
}

// draw replaces the table, and keeps who is at it.
func (s *screen) draw(v display.View) {
	s.change(func() {
		v.Supervisor, v.Dealers, v.Pit, v.Missing, v.Away = s.view.Supervisor, s.view.Dealers, s.view.Pit,
			s.view.Missing, s.view.Away
		s.view = v
	})
}

// change changes the view and shows it, unless the table was never drawn.
func (s *screen) change(what func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	what()
	if s.view.Table == "" {
		return
	}
	v := s.view
	if s.unrecorded {
		v.Unrecorded(false, time.Time{})
	}
	s.show(v)
}
