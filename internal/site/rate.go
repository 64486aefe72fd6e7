package site

import (
	"sync"
	"time"
)

// Pace is how often something may happen: Burst at once, and then once Every so often.
type Pace struct {
	Every time.Duration
	Burst int
}

// Rate holds each key to one pace. It keeps one time for each key that is not rested, so an old key costs nothing: no
// timer, no goroutine. Its methods may be called from any goroutine.
//
// golang.org/x/time/rate has a bucket of tokens and would need the map, its bound and the forgetting around it, which
// is all that there is here: one time for each key says the same as a bucket (the virtual scheduling of GCRA).
type Rate[K comparable] struct {
	pace Pace
	most int

	mu sync.Mutex
	// rested is when each key will have its whole burst again: one that is due is forgotten.
	rested map[K]time.Time
	// others is the same for all keys for which there is no room.
	others time.Time
	swept  time.Time
}

// NewRate returns a Rate that tells most keys apart; all others share one pace.
func NewRate[K comparable](pace Pace, most int) *Rate[K] {
	if pace.Every <= 0 || pace.Burst < 1 || most < 1 {
		panic("site: a rate needs a time, a burst and room for a key")
	}
	return &Rate[K]{pace: pace, most: most, rested: map[K]time.Time{}}
}

// Take counts one of a key and returns 0; or it counts nothing, and returns after how long the next one is taken.
func (r *Rate[K]) Take(key K) (wait time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := time.Now()
	if wait = r.wait(key, now); wait > 0 {
		return wait
	}
	rested := r.at(key, now).Add(r.pace.Every)
	if _, known := r.rested[key]; known || r.room(now) {
		r.rested[key] = rested
	} else {
		r.others = rested
	}
	return 0
}

// Wait returns what Take would, and counts nothing.
func (r *Rate[K]) Wait(key K) time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.wait(key, time.Now())
}

func (r *Rate[K]) wait(key K, now time.Time) time.Duration {
	whole := time.Duration(r.pace.Burst) * r.pace.Every
	return max(0, r.at(key, now).Add(r.pace.Every).Sub(now)-whole)
}

// at is when a key will be rested: now, if it is.
func (r *Rate[K]) at(key K, now time.Time) time.Time {
	at, known := r.rested[key]
	if !known && !r.room(now) {
		at = r.others
	}
	if at.After(now) {
		return at
	}
	return now
}

// room says whether one more key can be told apart. It forgets those that are rested, no more often than all of them
// need to rest: so a flood of keys does not keep it looking.
func (r *Rate[K]) room(now time.Time) bool {
	if len(r.rested) < r.most {
		return true
	}
	if now.Sub(r.swept) < time.Duration(r.pace.Burst)*r.pace.Every {
		return false
	}
	r.swept = now
	for key, at := range r.rested {
		if !at.After(now) {
			delete(r.rested, key)
		}
	}
	return len(r.rested) < r.most
}
