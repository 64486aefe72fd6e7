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

// loss is why and when a link was lost.
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
		l.up, l.loss = false, loss{e.At, e.Err}
	}
}

func (l *linkState) look() (up bool, last loss) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.up, l.loss
}
