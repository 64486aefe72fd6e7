package host

import (
	"sync"
	"time"

	"github.com/sabot-table/sabot/shoe"
)

// linkState says whether the link to the shoe was last reported up.
type linkState struct {
	mu   sync.Mutex
	up   bool
	loss loss // the last one
}

// loss is a lost link: since when, and the last reason for it, with its time.
type loss struct {
	since, at time.Time
	err       error
}

func (l *linkState) note(e shoe.Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch e.Kind {
	case shoe.Up:
		l.up = true
	case shoe.Down:
		if l.up || l.loss.err == nil {
			l.loss.since = e.At // later reasons are of the same loss
		}
		l.up, l.loss.at, l.loss.err = false, e.At, e.Err
	}
}

func (l *linkState) look() (up bool, last loss) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.up, l.loss
}
