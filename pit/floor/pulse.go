package floor

import (
	"time"

	"github.com/sabot-table/sabot/pit/topic"
)

// silence is how long nothing may be heard before a table counts as offline.
const silence = 3*topic.HealthEvery + 5*time.Second

// pulse tells a table's living heartbeat from one that the broker has kept. A kept one comes again with each
// connection; it is known by its time, which is the table's own. That clock may be wrong, so what counts is
// how late heartbeats are in comparison with one another.
type pulse struct {
	said time.Time     // the time in the last heartbeat
	lag  time.Duration // how much later than it says a living heartbeat comes; set with said
	last time.Time     // when a living one was heard last, zero for never
}

// beat takes a heartbeat, and says whether it lives.
func (p *pulse) beat(said, at time.Time) bool {
	if said.Equal(p.said) {
		return false // a copy
	}
	lag, usual := at.Sub(said), p.lag
	if p.said.IsZero() {
		usual = 0
	}
	lives := lag <= usual+silence && (!p.said.IsZero() || lag >= -silence)
	p.said = said
	if !lives {
		p.lag = lag // the next one shows whether the clock was set back
		return false
	}
	if p.last.IsZero() || lag < p.lag {
		p.lag = lag
	}
	p.last = at
	return true
}

// silent says whether nothing was heard for too long; since is since when the pit could have heard it.
func (p *pulse) silent(now, since time.Time) bool {
	heard := p.last
	if since.After(heard) {
		heard = since
	}
	return now.Sub(heard) > silence
}
