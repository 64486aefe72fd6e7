package web

import (
	"net/netip"
	"sync"
	"time"

	"github.com/sabot-table/sabot/internal/site"
)

const (
	// mostWrong is how many wrong keys are heard of from one place in wrongFor.
	mostWrong = 5
	wrongFor  = time.Minute
	// mostPlaces is how many places are told apart; all others count as one.
	mostPlaces = 64
)

// tries counts wrong keys by the place they come from, so that nobody fills log and
// record with them. A right key is taken all the same: else whoever sends wrong ones
// could keep a screen out.
type tries struct {
	mu     sync.Mutex
	places map[netip.Prefix]*tally
}

type tally struct {
	wrong int
	until time.Time
}

// noteWrong counts a wrong key. told says whether it is to be told, and last that it is
// the last one for now; wait is how long no more are heard of.
func (t *tries) noteWrong(at time.Time, from string) (told, last bool, wait time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	one := t.of(at, site.PlaceOf(from))
	one.wrong++
	if one.wrong < mostWrong {
		return true, false, 0
	}
	return one.wrong == mostWrong, one.wrong == mostWrong, one.until.Sub(at)
}

// of returns a place's tally, a new one where its minute is over.
func (t *tries) of(at time.Time, place netip.Prefix) *tally {
	for name, one := range t.places {
		if !at.Before(one.until) {
			delete(t.places, name)
		}
	}
	one := t.places[place]
	if one == nil && len(t.places) >= mostPlaces {
		place = netip.Prefix{}
		one = t.places[place]
	}
	if one == nil {
		one = &tally{until: at.Add(wrongFor)}
		if t.places == nil {
			t.places = map[netip.Prefix]*tally{}
		}
		t.places[place] = one
	}
	return one
}
