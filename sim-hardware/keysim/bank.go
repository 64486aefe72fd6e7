package keysim

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"github.com/sabot-table/sabot/device/keys"
)

// ErrUnplugged is why contacts and outputs that were unplugged are missing.
var ErrUnplugged = errors.New("the simulated keys were unplugged")

// BankOptions say what a Bank has.
type BankOptions struct {
	// Contacts and Outputs are how many there are of each.
	Contacts, Outputs int
	// Bounce is the longest time that a contact bounces; 0 for none.
	Bounce time.Duration
	// Seed decides how contacts bounce.
	Seed uint64
}

// Bank is the keys, lamps, buzzer and lock of a table in software, in place of a
// board's lines. Its contacts bounce, stick and spark as real ones do, in real time.
// Every method may be called from any goroutine.
type Bank struct {
	began time.Time

	mu       sync.Mutex
	bounce   time.Duration
	rng      *rand.Rand
	contacts []contact
	outputs  []output
	coming   []keys.Edge // in the order of their times
	gone     error       // the bank was closed
	changed  chan struct{}
	watched  chan struct{}
	once     sync.Once
}

// contact is one simulated contact.
type contact struct {
	closed bool // as the last edge that was read left it
	goal   bool // as the last planned edge leaves it
	stuck  bool
	busy   time.Duration // when its last planned edge comes
	// lost: it is unplugged; unread: this was reported.
	lost, unread bool
}

// output is one simulated output.
type output struct {
	Output
	wanted, lost bool
}

// Output is one lamp, the buzzer or the lock.
type Output struct {
	On bool
	// Times counts how often it was switched on.
	Times int
}

// Contact is the state of a contact after its last movement.
type Contact struct {
	Closed bool
	// Stuck: it does not open.
	Stuck bool
}

// NewBank returns contacts that are all open, and outputs that are all off.
func NewBank(o BankOptions) *Bank {
	return &Bank{
		bounce: o.Bounce, began: time.Now(), rng: rand.New(rand.NewPCG(o.Seed, 0xB0)),
		contacts: make([]contact, o.Contacts), outputs: make([]output, o.Outputs),
		changed: make(chan struct{}), watched: make(chan struct{}),
	}
}

// Press closes a contact and opens it again after so long.
func (b *Bank) Press(key int, hold time.Duration) {
	b.do(func(now time.Duration) {
		b.move(key, now, true)
		b.move(key, b.contacts[key].busy+hold, false)
	})
}

// Hold closes a contact and leaves it closed.
func (b *Bank) Hold(key int) { b.do(func(now time.Duration) { b.move(key, now, true) }) }

// Release opens a contact, unless it sticks.
func (b *Bank) Release(key int) { b.ReleaseAfter(key, 0) }

// ReleaseAfter opens a contact once it has been closed for so long, unless it sticks.
func (b *Bank) ReleaseAfter(key int, hold time.Duration) {
	b.do(func(now time.Duration) { b.move(key, max(now, b.contacts[key].busy+hold), false) })
}

// Stick keeps a contact from opening once it is closed; Free lets it open again, which
// it does at once.
func (b *Bank) Stick(key int) { b.do(func(time.Duration) { b.contacts[key].stuck = true }) }

// Free ends Stick.
func (b *Bank) Free(key int) {
	b.do(func(now time.Duration) {
		b.contacts[key].stuck = false
		b.move(key, now, false)
	})
}

// Spark closes a contact for a moment too short for any press.
func (b *Bank) Spark(key int) {
	b.do(func(now time.Duration) {
		at := max(now, b.contacts[key].busy)
		b.edge(key, at, !b.contacts[key].goal)
		b.edge(key, at+time.Millisecond, !b.contacts[key].goal)
	})
}

// Chatter makes a contact change every few milliseconds for so long, like one with a loose wire. At the end it is as it
// was.
func (b *Bank) Chatter(key int, long time.Duration) {
	b.do(func(now time.Duration) {
		at := max(now, b.contacts[key].busy)
		for end := at + long; at < end; {
			for range 2 {
				b.edge(key, at, !b.contacts[key].goal)
				at += time.Duration(1+b.rng.IntN(5)) * time.Millisecond
			}
		}
	})
}

// Bounce sets the longest time that a contact bounces from now on; 0 for none.
func (b *Bank) Bounce(most time.Duration) { b.do(func(time.Duration) { b.bounce = most }) }

// Unplug takes all contacts and outputs away, as a chip that vanishes does.
func (b *Bank) Unplug() { b.UnplugSome(places(len(b.contacts)), places(len(b.outputs))) }

// Plug brings back everything that was unplugged.
func (b *Bank) Plug() {
	b.do(func(now time.Duration) {
		for key := range b.contacts {
			if c := &b.contacts[key]; c.lost {
				c.lost = false
				b.plan(keys.Edge{Key: key, Back: true, At: now})
			}
		}
		for i := range b.outputs {
			o := &b.outputs[i]
			o.lost = false
			o.set(o.wanted)
		}
	})
}

// UnplugSome takes some contacts and outputs away.
func (b *Bank) UnplugSome(contacts, outputs []int) {
	b.do(func(now time.Duration) {
		for _, key := range contacts {
			if c := &b.contacts[key]; !c.lost {
				c.lost = true
				b.plan(keys.Edge{Key: key, Gone: true, At: now})
			}
		}
		for _, i := range outputs {
			b.outputs[i].lost, b.outputs[i].On = true, false
		}
	})
}

func places(n int) (all []int) {
	for i := range n {
		all = append(all, i)
	}
	return all
}

// Missing returns what is unplugged, and a channel that is closed once anything in the Bank has changed.
func (b *Bank) Missing() ([]keys.Missing, <-chan struct{}) {
	b.mu.Lock()
	defer b.mu.Unlock()
	m := keys.Missing{Err: ErrUnplugged}
	for key, c := range b.contacts {
		if c.lost {
			m.Contacts = append(m.Contacts, key)
		}
	}
	for i, o := range b.outputs {
		if o.lost {
			m.Outputs = append(m.Outputs, i)
		}
	}
	if len(m.Contacts)+len(m.Outputs) == 0 {
		return nil, b.changed
	}
	return []keys.Missing{m}, b.changed
}

// do changes something now, and wakes the waiters.
func (b *Bank) do(change func(now time.Duration)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	change(b.now())
	close(b.changed)
	b.changed = make(chan struct{})
}

// move closes or opens a contact, with bounces.
func (b *Bank) move(key int, at time.Duration, closed bool) {
	c := &b.contacts[key]
	if c.goal == closed || !closed && c.stuck {
		return
	}
	at = max(at, c.busy)
	if b.bounce > 0 {
		for left := b.bounce; ; {
			step := time.Duration(1 + b.rng.Int64N(max(1, int64(b.bounce/2))))
			if left -= 2 * step; left < 0 || b.rng.IntN(4) == 0 {
				break
			}
			b.edge(key, at, closed)
			b.edge(key, at+step, !closed)
			at += 2 * step
		}
	}
	b.edge(key, at, closed)
}

// edge plans an edge.
func (b *Bank) edge(key int, at time.Duration, closed bool) {
	b.plan(keys.Edge{Key: key, Closed: closed, At: at})
	b.contacts[key].goal, b.contacts[key].busy = closed, at
}

// plan puts an edge among those to come.
func (b *Bank) plan(e keys.Edge) {
	after := func(x keys.Edge, at time.Duration) int {
		if x.At <= at {
			return -1
		}
		return 1
	}
	i, _ := slices.BinarySearchFunc(b.coming, e.At, after)
	b.coming = slices.Insert(b.coming, i, e)
}

func (b *Bank) now() time.Duration { return time.Since(b.began) }

// takeEdges removes the edges that have happened by then.
func (b *Bank) takeEdges(now time.Duration) []keys.Edge {
	var taken []keys.Edge
	n := 0
	for n < len(b.coming) && b.coming[n].At <= now {
		if e := b.coming[n]; b.contacts[e.Key].happens(&e) {
			taken = append(taken, e)
		}
		n++
	}
	b.coming = slices.Delete(b.coming, 0, n)
	return taken
}

// happens is what an edge does to its contact; it returns false if nobody can see it.
func (c *contact) happens(e *keys.Edge) (seen bool) {
	switch {
	case e.Gone:
		c.unread = true
	case e.Back:
		c.unread, e.Closed = false, c.closed
	default:
		c.closed = e.Closed
		return !c.unread
	}
	return true
}

// Watched is closed once the contacts are being read: a key held by then counts as held since the start.
func (b *Bank) Watched() <-chan struct{} { return b.watched }

// Closed says which contacts are closed now.
func (b *Bank) Closed() (closed []bool, now time.Duration, err error) {
	defer b.once.Do(func() { close(b.watched) })
	b.mu.Lock()
	defer b.mu.Unlock()
	now = b.now()
	b.takeEdges(now)
	for _, c := range b.contacts {
		closed = append(closed, c.closed && !c.unread)
	}
	return closed, now, b.gone
}

// Wait returns the edges that occurred, as keys.Bank specifies.
func (b *Bank) Wait(ctx context.Context, until time.Duration) (edges []keys.Edge, now time.Duration, err error) {
	for {
		b.mu.Lock()
		now, err = b.now(), b.gone
		edges = b.takeEdges(now)
		next, changed := until, b.changed
		if len(b.coming) > 0 {
			next = min(next, b.coming[0].At)
		}
		b.mu.Unlock()
		if err != nil || len(edges) > 0 || now >= until || ctx.Err() != nil {
			return edges, now, err
		}
		sleep(ctx, next-now, changed)
	}
}

// sleep waits that long, until something changes, or until ctx ends.
func sleep(ctx context.Context, long time.Duration, changed <-chan struct{}) {
	timer := time.NewTimer(long)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-changed:
	case <-ctx.Done():
	}
}

// Set switches an output. One that is unplugged is switched when it is back.
func (b *Bank) Set(output int, on bool) error {
	err := error(nil)
	b.do(func(time.Duration) {
		o := &b.outputs[output]
		if err = b.gone; err != nil {
			return
		}
		if o.wanted = on; !o.lost {
			o.set(on)
		}
	})
	return err
}

func (o *output) set(on bool) {
	if on && !o.On {
		o.Times++
	}
	o.On = on
}

// Close switches all outputs off. The contacts can no longer be read.
func (b *Bank) Close() error {
	b.do(func(time.Duration) {
		for i := range b.outputs {
			b.outputs[i].On = false
		}
		b.gone = errors.New("the simulated keys are closed")
	})
	return nil
}

// Look returns the outputs, and a channel that is closed once anything in the Bank has changed.
func (b *Bank) Look() ([]Output, <-chan struct{}) {
	b.mu.Lock()
	defer b.mu.Unlock()
	outputs := make([]Output, len(b.outputs))
	for i, o := range b.outputs {
		outputs[i] = o.Output
	}
	return outputs, b.changed
}

// Contacts returns the contacts, without bounces.
func (b *Bank) Contacts() []Contact {
	b.mu.Lock()
	defer b.mu.Unlock()
	all := make([]Contact, len(b.contacts))
	for i, c := range b.contacts {
		all[i] = Contact{Closed: c.goal, Stuck: c.stuck}
	}
	return all
}

// Rest is how long no contact has moved; it is negative while edges are to come.
func (b *Bank) Rest() time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	last := time.Duration(0)
	for _, c := range b.contacts {
		last = max(last, c.busy)
	}
	return b.now() - last
}

// Await returns the outputs as soon as they are as wanted.
func (b *Bank) Await(ctx context.Context, wanted func([]Output) bool) ([]Output, error) {
	for {
		outputs, changed := b.Look()
		if wanted(outputs) {
			return outputs, nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return outputs, ctx.Err()
		}
	}
}
