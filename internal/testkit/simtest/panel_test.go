package simtest

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/sim-hardware/keysim"
	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/vocab"
)

// Keys are the contacts of the panel, in their order, as the configuration names them.
var Keys = []string{"card", "rest", "double", "split", "bets", "paid", "undo", SupervisorKey}

const (
	// SupervisorKey is the contact of the supervisor's key switch.
	SupervisorKey = "supervisor"
	// LongKey is the contact whose long press is LongDoes.
	LongKey, LongDoes = "rest", "undo"
	// Lamps is how many outputs the panel has.
	Lamps = 5
)

const (
	// bounces is the longest time that a contact bounces.
	bounces = 5 * time.Millisecond
	// pressed is how long the dealer holds a key: longer than a contact needs to settle.
	pressed = 40 * time.Millisecond
	// apart is the way to the next key: calls closer together contradict each other.
	apart = 200 * time.Millisecond
	// seen is how long the dealer waits for a press to show.
	seen = 2 * time.Second
	// settles is within what time the table has noticed a loss.
	settles = time.Second
)

// panel is the keys of the table. Its contacts outlive the process that reads them.
type panel struct {
	world *World

	mu      sync.Mutex
	dice    *rand.Rand
	bank    *keysim.Bank // of this life
	held    map[int]bool
	lost    []int
	lostAt  time.Time
	losing  bool            // a loss is going on
	chatter map[int]stretch // the last one of each contact
	presses []touch
	sureAt  time.Time // from when on every press must be on record; zero for not yet
}

// stretch is a time from one moment to another.
type stretch struct{ from, to time.Time }

// touch is what a hand did to a contact: what the table may put in for it happened in this time, and is on record once.
type touch struct {
	key  int
	does []string
	stretch
	sure, used bool
}

func newPanel(w *World) *panel {
	return &panel{
		world: w, dice: rand.New(rand.NewPCG(w.script.Seed, 0x6E15)), held: map[int]bool{},
		chatter: map[int]stretch{},
	}
}

// board is the panel as the next life finds it.
func (p *panel) board() *keysim.Bank {
	p.mu.Lock()
	defer p.mu.Unlock()
	b := keysim.NewBank(keysim.BankOptions{Contacts: len(Keys), Outputs: Lamps, Seed: p.dice.Uint64()})
	for key := range p.held {
		b.Hold(key)
	}
	b.UnplugSome(p.lost, nil)
	b.Bounce(bounces)
	p.bank, p.chatter = b, map[int]stretch{}
	return b
}

// paidOne is the payment of one box, which the key Card makes where no card comes.
const paidOne = "paid one"

// does are the inputs that each key puts in.
var does = map[string][]string{
	"card": {"call card", paidOne}, "rest": {"call rest"}, "double": {"call double"}, "split": {"call split"},
	"bets": {"open", "close", "call " + vocab.CallInsuranceClosed.String()}, "paid": {"paid", paidOne},
	"undo": {"undo"},
}

// keyFor is the contact that says what the dealer wants, -1 if none does.
func keyFor(in vocab.Input) int {
	if in.Bettors != nil || in.Box != 0 {
		return -1
	}
	what := said(in)
	return slices.IndexFunc(Keys, func(name string) bool { return slices.Contains(does[name], what) })
}

// said is what an input is, as a key puts it in.
func said(in vocab.Input) string {
	switch {
	case in.Kind == vocab.InCall:
		return in.Kind.String() + " " + in.Call.String()
	case in.Kind == vocab.InPaid && in.Box != 0:
		return paidOne
	}
	return in.Kind.String()
}

// reach says whether the dealer takes the key for this input, and not the screen.
func (p *panel) reach(in vocab.Input) (key int, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	key = keyFor(in)
	return key, key >= 0 && !slices.Contains(p.lost, key) && !p.held[key] && p.dice.IntN(2) == 0
}

// press presses a key, and waits until the display shows that something follows.
func (p *panel) press(ctx context.Context, table Table, key int) (vocab.Reason, error) {
	before, err := sight(ctx, table)
	if err != nil {
		return 0, err
	}
	p.mu.Lock()
	from := time.Now()
	p.bank.Press(key, pressed)
	to := from.Add(max(0, -p.bank.Rest()))
	sure := !p.sureAt.IsZero() && from.After(p.sureAt)
	if c := p.chatter[key]; !from.After(c.to.Add(apart)) {
		from = c.from // one movement, to whoever reads it
	}
	p.presses = append(p.presses, touch{key: key, does: does[Keys[key]], stretch: stretch{from, to}, sure: sure})
	p.mu.Unlock()
	patience, stop := context.WithTimeout(ctx, seen)
	defer stop()
	v, err := table.Await(patience, func(v display.View) bool { return v.Seq > before.Seq })
	pause(ctx, apart)
	if err != nil || v.Rejected != 0 {
		return 0, keysim.ErrLookAgain
	}
	p.world.progress()
	return 0, nil
}

// hold closes a contact, or lets it go.
func (p *panel) hold(key int, closed bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if closed {
		p.held[key] = true
		p.bank.Hold(key)
		return
	}
	delete(p.held, key)
	p.bank.Release(key)
}

// prove turns the supervisor's key. It returns how to turn it back.
func (p *panel) prove(ctx context.Context) (back func()) {
	key := slices.Index(Keys, SupervisorKey)
	p.hold(key, true)
	pause(ctx, apart)
	return func() { p.hold(key, false) }
}

// unproven says that the line of the supervisor's key is away: nobody can be proven.
func (p *panel) unproven() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Contains(p.lost, slices.Index(Keys, SupervisorKey))
}

// away takes lines of the panel away.
func (p *panel) away(lost []int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.lost, p.lostAt = lost, time.Now()
	p.bank.UnplugSome(lost, nil)
}

// loses begins a loss, unless one is going on.
func (p *panel) loses() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	was := p.losing
	p.losing = true
	return !was
}

func (p *panel) lossOver() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.losing = false
}

// back brings all lines back, after a look whether the table still believes a key switch that it cannot see.
func (p *panel) back() {
	p.checkSwitch()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.lost = nil
	p.bank.Plug()
}

// checkSwitch: the supervisor's key is never on while its line is away.
func (p *panel) checkSwitch() {
	w := p.world
	w.mu.Lock()
	l := w.life
	w.mu.Unlock()
	p.mu.Lock()
	since := p.lostAt
	p.mu.Unlock()
	if !p.unproven() || time.Since(since) < settles || l.killed() {
		return
	}
	v, err := w.look(context.Background())
	if err == nil && v.Supervisor != nil && v.Supervisor.Key {
		w.find("keys", "the supervisor's key counts as turned, and its line has been away since %v", since.UTC())
	}
}

// calm brings the panel in order.
func (p *panel) calm() {
	p.back()
	for key := range Keys {
		p.hold(key, false)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.sureAt = time.Now().Add(max(0, -p.bank.Rest()) + 3*settles)
}

// checkPress finds the press of a key that explains a record which nobody put in by the screen.
func (p *panel) checkPress(rec journal.Record, what string, shifts []time.Duration) (why string, ok bool) {
	why = "nobody pressed its key then"
	for i := range p.presses {
		one := &p.presses[i]
		if !slices.Contains(one.does, what) || !slices.ContainsFunc(shifts, func(s time.Duration) bool {
			at := time.Unix(0, rec.At).Add(-s)
			return !at.Before(one.from) && !at.After(one.to)
		}) {
			continue
		}
		if !one.used {
			one.used = true
			return "", true
		}
		why = "its key was pressed once, and the press is on record already"
	}
	return why, false
}

// checkKeys: no press is invented, doubled or kept across a loss; and when all is well, none is forgotten.
func (w *World) checkKeys(j *journal.Reader) {
	if w.panel == nil {
		return
	}
	byScreen := map[uint64]bool{}
	for _, a := range w.answers {
		byScreen[a.seq] = true
	}
	for rec, err := range j.Records(1) {
		what := putIn(rec.Input)
		if err != nil || byScreen[rec.Seq] || !slices.ContainsFunc(Keys, func(name string) bool {
			return slices.Contains(does[name], what)
		}) {
			continue
		}
		why, ok := w.panel.checkPress(rec, what, w.shifts)
		if i := slices.Index(w.unanswered, what); !ok && i >= 0 {
			w.unanswered, ok = slices.Delete(w.unanswered, i, i+1), true
		}
		if !ok {
			w.find("keys", "record %d, %q at %v: %s", rec.Seq, what, time.Unix(0, rec.At).UTC(), why)
		}
	}
	for _, one := range w.panel.presses {
		if one.sure && !one.used {
			w.find("keys", "the key %s was pressed at %v, with all well, and that is not on record", Keys[one.key],
				one.from.UTC())
		}
	}
}

// putIn is what a record's input is, as a key puts it in.
func putIn(line []byte) string {
	var in struct {
		In, Call string
		Box      int
	}
	switch {
	case json.Unmarshal(line, &in) != nil:
		return ""
	case in.In == vocab.InCall.String():
		return in.In + " " + in.Call
	case in.In == vocab.InPaid.String() && in.Box != 0:
		return paidOne
	}
	return in.In
}
