package keys

import "time"

// Never is later than every deadline.
const Never = time.Duration(1<<63 - 1)

// Filter is one row of contacts. What its methods return is valid until the next
// call. A Filter is not safe for concurrent use.
type Filter struct {
	s      Settings
	states []state
	now    time.Duration
	called call
	out    []Event
}

// call is the last call that was reported, or that contradicted another.
type call struct {
	key   int
	at    time.Duration
	given bool
	once  bool // there has been one
}

// New returns the filter of contacts that are all open.
func New(s Settings) *Filter {
	return &Filter{s: s, states: make([]state, len(s.Contacts))}
}

// Start says which contacts are closed at the beginning.
func (f *Filter) Start(at time.Duration, closed []bool) []Event {
	f.out, f.now = f.out[:0], at
	for key, is := range closed {
		if is {
			f.found(key)
		}
	}
	return f.out
}

// found takes a contact that is closed without having been seen to close.
func (f *Filter) found(key int) {
	c := &f.states[key]
	c.closed, c.level, c.since = true, true, f.now
	if f.s.Contacts[key].Switch {
		f.emit(Event{Kind: On, Key: key, At: f.now})
		return
	}
	c.stage = spent
	f.trouble(key, Held)
}

// Edge takes one edge, and what has become due before it. Edges come in the order of their times; one from before what
// was already reported counts as coming now.
func (f *Filter) Edge(e Edge) []Event {
	f.out = f.out[:0]
	at := max(e.At, f.now)
	f.advance(at)
	switch c := &f.states[e.Key]; {
	case e.Gone:
		f.lose(e.Key)
	case e.Back:
		f.find(e.Key, e.Closed)
	case !c.gone:
		f.move(e, at)
	}
	return f.out
}

// move takes an edge of a contact that works.
func (f *Filter) move(e Edge, at time.Duration) {
	c := &f.states[e.Key]
	if !c.moving {
		c.moving, c.first = true, at
	}
	c.level, c.last = e.Closed, at
	if e.Lost && c.trouble == 0 {
		f.trouble(e.Key, Unsteady)
	}
}

// Advance says that the time is now, and that every earlier edge has been passed in.
func (f *Filter) Advance(now time.Duration) []Event {
	f.out = f.out[:0]
	f.advance(now)
	return f.out
}

// Next is when Advance will have something to do if no edge comes first; Never if nothing.
func (f *Filter) Next() time.Duration {
	at, _ := f.earliest()
	return at
}

// advance performs everything due by then, each at its own time: how often it is called changes nothing.
func (f *Filter) advance(now time.Duration) {
	for {
		at, key := f.earliest()
		if at > now || at == Never {
			break
		}
		f.now = max(f.now, at)
		f.fire(key)
	}
	f.now = max(f.now, now)
}

func (f *Filter) earliest() (at time.Duration, key int) {
	at = Never
	for k := range f.states {
		if when, ok := f.deadline(k); ok && when < at {
			at, key = when, k
		}
	}
	return at, key
}

// give reports a press.
func (f *Filter) give(kind Kind, key int, at time.Duration) {
	f.emit(Event{Kind: kind, Key: key, At: at})
	if f.s.Contacts[key].Call {
		f.called = call{key: key, at: at, given: true, once: true}
	}
}

// contradicts says whether a call that begins now contradicts one in progress, or made too shortly before. None of them
// counts.
func (f *Filter) contradicts(key int) bool {
	if f.s.Window == 0 {
		return false
	}
	at, found := f.states[key].since, false
	for other := range f.states {
		if c := &f.states[other]; c.stage == pending && f.s.Contacts[other].Call {
			c.stage, found = spent, true
			f.emit(Event{Kind: Contradiction, Key: key, Other: other, At: at})
		}
	}
	if was := f.called; !found && was.once && was.key != key && at-was.at < f.s.Window {
		found = true
		f.emit(Event{Kind: Contradiction, Key: key, Other: was.key, Given: was.given, At: max(at, was.at)})
	}
	if found {
		f.called = call{key: key, at: at, once: true}
	}
	return found
}

func (f *Filter) emit(e Event) { f.out = append(f.out, e) }

func (f *Filter) debounce(key int) time.Duration {
	if own := f.s.Contacts[key].Debounce; own != 0 {
		return own
	}
	return f.s.Debounce
}
