package keys

import "time"

// unsteadyFactor is how many debounce times a contact may take to settle. The worst buttons bounce for one or two.
const unsteadyFactor = 50

// stage is how far a button's press has progressed.
type stage uint8

const (
	released stage = iota
	// pending: held, and not yet known whether the press is short or long.
	pending
	// spent: held, and reported, or never to be reported.
	spent
)

// state is what a Filter knows about one contact.
type state struct {
	closed bool // as it last settled
	level  bool // as its last edge left it
	moving bool
	// first and last are the movement's edges.
	first, last time.Duration
	stage       stage
	// since is when a closed contact closed.
	since time.Duration
	// pressed is when the button last closed, if it ever did.
	pressed time.Duration
	once    bool
	trouble Kind // Held, Stuck or Unsteady, 0 for none
	gone    bool
}

// reset forgets everything about a contact but its last press: one that follows too soon is still none.
func (c *state) reset(gone bool) { *c = state{pressed: c.pressed, once: c.once, gone: gone} }

// lose handles a contact that can no longer be read. Nobody can say how long it stayed as it was.
func (f *Filter) lose(key int) {
	f.states[key].reset(true)
	f.emit(Event{Kind: Gone, Key: key, At: f.now})
}

// find handles a contact that can be read again. What happened to it meanwhile is not known, and is no press.
func (f *Filter) find(key int, closed bool) {
	if c := &f.states[key]; c.closed || c.moving || c.trouble != 0 {
		f.lose(key) // the bank did not say so
	}
	f.states[key].reset(false)
	switch {
	case closed:
		f.found(key)
	case f.s.Contacts[key].Switch:
		f.emit(Event{Kind: Off, Key: key, At: f.now})
	}
}

// deadline is when something happens to a contact without a further edge.
func (f *Filter) deadline(key int) (at time.Duration, ok bool) {
	c := &f.states[key]
	switch {
	case c.moving && c.trouble == 0:
		return min(c.last+f.debounce(key), c.first+unsteadyFactor*f.debounce(key)), true
	case c.moving:
		return c.last + f.debounce(key), true
	case !c.closed || f.s.Contacts[key].Switch:
		return 0, false
	case c.stage == pending:
		return c.since + f.s.Long, true
	case c.trouble == 0:
		return c.since + f.s.Stuck, true
	}
	return 0, false
}

// fire performs what is due for a contact now.
func (f *Filter) fire(key int) {
	c := &f.states[key]
	switch {
	case c.moving && f.now >= c.last+f.debounce(key):
		f.settle(key)
	case c.moving:
		f.trouble(key, Unsteady)
	case c.stage == pending:
		c.stage = spent
		f.give(Long, key, f.now)
	default:
		f.trouble(key, Stuck)
	}
}

// settle handles a contact that has settled.
func (f *Filter) settle(key int) {
	c := &f.states[key]
	changed := c.closed != c.level
	c.moving, c.closed = false, c.level
	unsteady := c.trouble == Unsteady
	if unsteady {
		f.clear(key)
	}
	switch {
	case f.s.Contacts[key].Switch:
		f.switched(key, changed)
	case unsteady:
		// Nobody meant what such a contact does; it counts again once it is open.
		c.since, c.stage = c.last, spent
		if !c.closed {
			c.stage = released
		}
	case changed && c.closed:
		f.close(key)
	case changed:
		f.open(key)
	case !c.closed:
		f.emit(Event{Kind: Brief, Key: key, At: c.first})
	}
}

func (f *Filter) switched(key int, changed bool) {
	c := &f.states[key]
	switch {
	case changed && c.closed:
		f.emit(Event{Kind: On, Key: key, At: c.first})
	case changed:
		f.emit(Event{Kind: Off, Key: key, At: c.first})
	}
}

// close starts a press.
func (f *Filter) close(key int) {
	c, use := &f.states[key], &f.s.Contacts[key]
	again := c.once && c.first-c.pressed < f.s.Window
	c.since, c.pressed, c.once = c.first, c.first, true
	c.stage = spent
	switch {
	case again:
		f.emit(Event{Kind: Again, Key: key, At: c.since})
	case use.Call && f.contradicts(key):
	case use.Long:
		c.stage = pending
	default:
		f.give(Short, key, c.since)
	}
}

// open ends a press.
func (f *Filter) open(key int) {
	c := &f.states[key]
	if c.stage == pending {
		f.give(Short, key, c.first)
	}
	c.stage = released
	if c.trouble != 0 {
		f.clear(key)
	}
}

// trouble reports what is wrong with a contact. It discards a press in progress: nobody can say what it was meant to
// be.
func (f *Filter) trouble(key int, kind Kind) {
	c := &f.states[key]
	c.trouble = kind
	if c.stage == pending {
		c.stage = spent
	}
	f.emit(Event{Kind: kind, Key: key, At: f.now})
}

func (f *Filter) clear(key int) {
	c := &f.states[key]
	c.trouble = 0
	f.emit(Event{Kind: Cleared, Key: key, At: f.now})
}
