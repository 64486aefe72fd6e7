package floor

import (
	"slices"
	"time"
)

const (
	// paceWindow is how far back rounds are counted.
	paceWindow = 20 * time.Minute
	// paceLeast is how long they are counted before there is a pace.
	paceLeast = time.Minute
	// paceMost is the most rounds that are remembered; at a faster table the window is shorter.
	paceMost = 64
)

// pace counts a table's rounds per hour.
type pace struct{ began []mark }

type mark struct {
	at    time.Time
	round uint64
	boxes int // the boxes that were staked on
}

// note takes the number of the round that is played.
func (p *pace) note(round uint64, at time.Time) {
	n := len(p.began)
	switch {
	case n > 0 && round == p.began[n-1].round:
		return
	case n > 0 && round < p.began[n-1].round: // another journal
		p.began = nil
	case n == paceMost:
		p.began = slices.Delete(p.began, 0, 1)
	}
	p.began = append(p.began, mark{at: at, round: round})
}

// perHour is the pace now, 0 while it is not known.
func (p *pace) perHour(now time.Time) int {
	for len(p.began) > 1 && now.Sub(p.began[0].at) > paceWindow {
		p.began = slices.Delete(p.began, 0, 1)
	}
	if len(p.began) < 2 {
		return 0
	}
	first, last := p.began[0], p.began[len(p.began)-1]
	took := now.Sub(first.at)
	if took < paceLeast {
		return 0
	}
	return int((float64(last.round-first.round)*float64(time.Hour) + float64(took)/2) / float64(took))
}
