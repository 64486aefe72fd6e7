package daemon

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

// loss is since when a link is lost, and the last reason for it.
type loss struct {
	at  time.Time
	err error
}

func (l *linkState) note(e shoe.Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch e.Kind {
	case shoe.Up:
		l.up = true
	case shoe.Down:
		if l.up || l.loss.err == nil {
			l.loss.at = e.At // later reasons are of the same loss
		}
		l.up, l.loss.err = false, e.Err
	}
}

func (l *linkState) look() (up bool, last loss) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.up, l.loss
}
