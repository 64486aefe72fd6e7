package site

import (
	"sync"
	"time"
)

// Burst is how often something happened again, and when first and last.
type Burst struct {
	Count       int
	First, Last time.Time
}

// Bursts lets the first of each kind be told at once, and tells those that follow as one, with their number. While a
// kind goes on it is told ever more rarely, from Window to Longest; after a quiet window its next one is a first again.
// Its methods may be called from any goroutine.
type Bursts[K comparable] struct {
	o BurstsOptions[K]

	mu    sync.Mutex
	kinds map[K]*kind
}

// BurstsOptions are what a Bursts needs to be told; all are required.
type BurstsOptions[K comparable] struct {
	Window, Longest time.Duration
	// Most is how many kinds are told apart; each further one counts as Other.
	Most  int
	Other K
	// Again is told how often a kind happened after its first, in a goroutine of its own.
	Again func(K, Burst)
}

// kind is one kind that has happened within the last window.
type kind struct {
	burst  Burst
	window time.Duration
	timer  *time.Timer
}

// NewBursts returns a Bursts.
func NewBursts[K comparable](o BurstsOptions[K]) *Bursts[K] {
	if o.Window <= 0 || o.Longest < o.Window || o.Most < 1 || o.Again == nil {
		panic("site: bursts need windows, room for a kind, and somebody to tell")
	}
	return &Bursts[K]{o: o, kinds: map[K]*kind{}}
}

// First counts one of a kind. It returns true for the first one, which the caller tells; any other is told by Again,
// and so is one that there was no room to tell apart.
func (b *Bursts[K]) First(of K) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	k := b.kinds[of]
	if k == nil && len(b.kinds) < b.o.Most {
		b.open(of)
		return true
	}
	if k == nil {
		of = b.o.Other
		if k = b.kinds[of]; k == nil {
			k = b.open(of)
		}
	}
	now := time.Now()
	if k.burst.Count == 0 {
		k.burst.First = now
	}
	k.burst.Count, k.burst.Last = k.burst.Count+1, now
	return false
}

func (b *Bursts[K]) open(of K) *kind {
	k := &kind{window: b.o.Window}
	k.timer = time.AfterFunc(k.window, func() { b.endBurst(of, k) })
	b.kinds[of] = k
	return k
}

// endBurst tells what a window came to, and begins a longer one; after a quiet one the kind is forgotten.
func (b *Bursts[K]) endBurst(of K, k *kind) {
	b.mu.Lock()
	if b.kinds[of] != k {
		b.mu.Unlock()
		return // Flush was before us
	}
	told := k.burst
	if told.Count == 0 {
		delete(b.kinds, of)
	} else {
		k.burst, k.window = Burst{}, min(2*k.window, b.o.Longest)
		k.timer.Reset(k.window)
	}
	b.mu.Unlock()
	if told.Count > 0 {
		b.o.Again(of, told)
	}
}

// Flush tells at once what the open windows came to, and forgets them.
func (b *Bursts[K]) Flush() {
	b.mu.Lock()
	kinds := b.kinds
	b.kinds = map[K]*kind{}
	b.mu.Unlock()
	for of, k := range kinds {
		k.timer.Stop()
		if k.burst.Count > 0 {
			b.o.Again(of, k.burst)
		}
	}
}
