package keys

import "time"

// unsteadyFactor is how many debounce times a contact may take to come to rest. The
// worst buttons bounce for one or two.
const unsteadyFactor = 50

// stage is how far a button's press has come.
type stage uint8

const (
	released stage = iota
	// pending: held, and not yet known whether the press is short or long.
	pending
	// spent: held, and told, or never to be told.
	spent
)

// state is what a Filter knows of one contact.
type state struct {
	closed bool // as it rested last
	level  bool // as its last edge left it
	moving bool
	// first and last are the movement's edges.
	first, last time.Duration
	stage       stage
	// since is when the contact closed that is closed now.
	since time.Duration
	// pressed is when the button closed last, once it has.
	pressed time.Duration
	once    bool
	trouble Kind // Held, Stuck or Unsteady, 0 for none
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

// fire lets happen what is due to a contact now.
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

// settle takes a contact as it has come to rest.
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
		// What such a contact does is nobody's wish; it counts again once it is open.
		c.since, c.stage = c.last, spent
		if !c.closed {
			c.stage = released
		}
	case changed && c.closed:
		f.close(key)
	case changed:
		f.open(key)
	case !c.closed:
		f.tell(Event{Kind: Brief, Key: key, At: c.first})
	}
}

func (f *Filter) switched(key int, changed bool) {
	c := &f.states[key]
	switch {
	case changed && c.closed:
		f.tell(Event{Kind: On, Key: key, At: c.first})
	case changed:
		f.tell(Event{Kind: Off, Key: key, At: c.first})
	}
}

// close begins a press.
func (f *Filter) close(key int) {
	c, use := &f.states[key], &f.s.Contacts[key]
	again := c.once && c.first-c.pressed < f.s.Window
	c.since, c.pressed, c.once = c.first, c.first, true
	c.stage = spent
	switch {
	case again:
		f.tell(Event{Kind: Again, Key: key, At: c.since})
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

// trouble raises what is wrong with a contact. A press that is under way is none any
// more, nobody can say what it was to be.
func (f *Filter) trouble(key int, kind Kind) {
	c := &f.states[key]
	c.trouble = kind
	if c.stage == pending {
		c.stage = spent
	}
	f.tell(Event{Kind: kind, Key: key, At: f.now})
}

func (f *Filter) clear(key int) {
	c := &f.states[key]
	c.trouble = 0
	f.tell(Event{Kind: Cleared, Key: key, At: f.now})
}
