package command

import (
	"crypto/ed25519"
	"crypto/rand"
	"encoding/hex"
	"slices"
	"time"

	"github.com/sabot-table/sabot/internal/alike"
	"github.com/sabot-table/sabot/pit/topic"
)

// The limits of what a table takes. They keep a sender without end from wearing out the
// table, its journal or its memory.
const (
	// checksMost signatures are compared at once, and one more every checkEvery.
	checksMost = 40
	checkEvery = 50 * time.Millisecond
	// commandsMost commands are taken at once, and one more every commandEvery.
	commandsMost = 60
	commandEvery = time.Second
	// Ahead is the longest that a command may be valid, by the session's clock.
	Ahead = 2 * time.Minute
	// remembered commands of a session are known by what became of them. By Ahead, and by the
	// number that is taken in it, a command is forgotten long after it has expired.
	remembered = 10_000
)

// Key is a key that may give commands to a table.
type Key struct {
	Name   string
	Public ed25519.PublicKey
	// Person is in whose name alone it may give them; "" is a pit's, which names its own people: all but those who have
	// a key of their own at this table, and whoever would be taken for them.
	Person string
	May    []What
}

// NewID makes an ID, or a session.
func NewID() string {
	var id [16]byte
	_, _ = rand.Read(id[:]) // never fails
	return hex.EncodeToString(id[:])
}

// Gate judges the commands that come to a table in one session. It is not safe for concurrent
// use. Times are of the session's clock, which never goes back.
type Gate struct {
	table   topic.Table
	session string
	keys    map[string]Key
	people  map[string]bool // who have a key of their own
	like    alike.Names     // and how their names look
	checks  bucket
	taken   bucket
	known   map[string]Became
	order   []string // the known, the oldest first
}

// NewGate makes the gate of a table's session.
func NewGate(table topic.Table, session string, keys []Key) *Gate {
	g := &Gate{
		table: table, session: session, keys: map[string]Key{}, people: map[string]bool{}, known: map[string]Became{},
		checks: bucket{most: checksMost, every: checkEvery}, taken: bucket{most: commandsMost, every: commandEvery},
	}
	for _, k := range keys {
		g.keys[k.Name] = k
		if k.Person != "" {
			g.people[k.Person] = true
			g.like.Add(k.Person)
		}
	}
	return g
}

// Session is the session that commands must name.
func (g *Gate) Session() string { return g.session }

// Verdict is what a gate says of a message.
type Verdict struct {
	// Refused is why it is not carried out, 0 if it must be.
	Refused Refusal
	// Command is what it says, and Key who has signed it. They are empty where nobody knows: what
	// stands here is proven.
	Command Command
	Key     string
	// Answers says that its sender is answered. A command that came before is not: it has the
	// answer of the first time, or gets it.
	Answers bool
}

// Judge judges a message. One that it does not refuse must be carried out at once, and it is
// refused ever after: the caller says with Settle what became of it.
func (g *Gate) Judge(now time.Duration, payload []byte) Verdict {
	if len(payload) > MaxPayload {
		return Verdict{Refused: TooLong}
	}
	s, err := Split(payload)
	if err != nil {
		return Verdict{Refused: Unsigned}
	}
	key, known := g.keys[s.Key]
	switch {
	case !known:
		return Verdict{Refused: UnknownKey}
	case !g.checks.takeToken(now):
		return Verdict{Refused: Unread}
	case !s.By(key.Public):
		return Verdict{Refused: Forged}
	}
	c, err := Parse(s.Text)
	if err != nil {
		return Verdict{Refused: Malformed, Key: s.Key}
	}
	v := Verdict{Command: c, Key: s.Key, Answers: true}
	switch v.Refused = g.refuses(now, &c, &key); v.Refused {
	case 0:
		g.learn(c.ID, Became{State: Underway})
	case Replayed:
		v.Answers = false
	}
	return v
}

// refuses says why a command is not carried out that its key has signed.
func (g *Gate) refuses(now time.Duration, c *Command, key *Key) Refusal {
	expires := time.Duration(c.Expires) * time.Millisecond
	_, seen := g.known[c.ID]
	switch {
	case c.Site != g.table.Site() || c.Table != g.table.Name():
		return Foreign
	case c.Session != g.session:
		return OtherSession
	case seen:
		return Replayed
	case c.Expires > mostClock || expires > now+Ahead:
		return TooFar
	case expires <= now:
		return Expired
	case !g.speaksFor(key, c.Person), c.What != Outcome && !slices.Contains(key.May, c.What):
		return Unauthorised
	case !g.taken.takeToken(now):
		return TooMany
	}
	return 0
}

// speaksFor reports whether a key may give commands in a person's name.
func (g *Gate) speaksFor(key *Key, person string) bool {
	if key.Person != "" {
		return key.Person == person
	}
	return !g.people[person] && g.like.Like(person) == ""
}

// mostClock is what a session's clock never comes to, in milliseconds: 285 years.
const mostClock = int64(1<<63-1) / int64(time.Millisecond) / 1024

// State is what became of a command.
type State uint8

// The states.
const (
	// NotDone: it was not carried out, and never will be.
	NotDone State = iota + 1
	// Underway: it is being carried out.
	Underway
	// Done: it was carried out.
	Done
)

var stateNames = [...]string{NotDone: "not-done", Underway: "underway", Done: "done"}

// String returns the state's name.
func (s State) String() string {
	if int(s) < len(stateNames) {
		return stateNames[s]
	}
	return ""
}

// ParseState reads a state's name.
func ParseState(name string) (State, bool) {
	at := slices.Index(stateNames[1:], name)
	return State(at + 1), at >= 0
}

// Became is what became of a command.
type Became struct {
	State State
	// Record is the journal's that has it, 0 for none.
	Record uint64
	// Reason is why it was not done.
	Reason string
}

// Settle notes what became of a command that was taken.
func (g *Gate) Settle(id string, b Became) {
	if _, known := g.known[id]; known {
		g.known[id] = b
	}
}

// Became says what became of the command of that ID. One that the gate has not taken is
// refused from now on, so that NotDone stays true.
func (g *Gate) Became(id string) Became {
	b, known := g.known[id]
	if !known {
		b = Became{State: NotDone}
		g.learn(id, b)
	}
	return b
}

func (g *Gate) learn(id string, b Became) {
	g.known[id] = b
	if g.order = append(g.order, id); len(g.order) > remembered {
		delete(g.known, g.order[0])
		g.order = g.order[1:]
	}
}

// bucket lets most through at once, and one more every so often.
type bucket struct {
	most  int
	every time.Duration
	used  int
	since time.Duration // when used was last reduced
}

func (b *bucket) takeToken(now time.Duration) bool {
	if back := int((now - b.since) / b.every); back > 0 {
		b.used, b.since = max(0, b.used-back), b.since+time.Duration(back)*b.every
	}
	if b.used == b.most {
		return false
	}
	b.used++
	return true
}
