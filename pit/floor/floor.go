package floor

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/pit/topic"
)

// Options say how a floor is watched. Zero values are the defaults given with the fields.
type Options struct {
	// Tables are those of the room, which are shown before anything was heard of them. Others join as they
	// are heard.
	Tables []topic.Table
	// Most limits how many tables there may be. Default 1000.
	Most int
	// Patience is how long an open table may be offline, or the broker away, before an alert is raised: what is
	// restarted is not an alarm. Default 15 s.
	Patience time.Duration
	// Escalation says who is called when nobody has seen an alert, or come, for so long. Default: the manager
	// after 5 minutes.
	Escalation []Escalation
	// Thresholds are what the house wants to hear of.
	Thresholds []Threshold
	// Answers says for which tables this pit answers, of several that watch the floor; nil for one that is alone.
	Answers func(topic.Table) bool
}

// Escalation calls another role for an alert that stands and that nobody has seen for so long. A person who
// is coming has the same time again.
type Escalation struct {
	After time.Duration
	Calls Role
}

// Floor is the live model of all tables. Its methods may be called from several goroutines.
type Floor struct {
	options Options

	mu      sync.Mutex
	now     time.Time // the latest time that was heard of
	up      bool      // the broker is reached
	upSince time.Time // since when it is, or is not
	why     string    // it is not
	places  map[topic.Table]*place
	houses  map[string]*house // those of a group, at its hub
	alerts  ledger
	watched []watched
	changed chan struct{}
}

// New makes a floor of which nothing was heard yet.
func New(o Options) *Floor {
	if o.Most == 0 {
		o.Most = 1000
	}
	if o.Patience == 0 {
		o.Patience = 15 * time.Second
	}
	if o.Escalation == nil {
		o.Escalation = []Escalation{{5 * time.Minute, Manager}}
	}
	f := &Floor{
		options: o, places: map[topic.Table]*place{}, houses: map[string]*house{},
		alerts: newLedger(o.Escalation, o.Answers), changed: make(chan struct{}),
	}
	f.watched = watchedOf(o.Thresholds)
	for _, t := range o.Tables {
		f.places[t] = &place{table: t}
	}
	return f
}

// Changed returns a channel that is closed with the next change. Get it before you read what may have changed.
func (f *Floor) Changed() <-chan struct{} {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.changed
}

// change does something at a time, and tells those who wait if it made a difference.
func (f *Floor) change(at time.Time, what func() bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if at.After(f.now) {
		f.now = at
	}
	if what() {
		close(f.changed)
		f.changed = make(chan struct{})
	}
}

// Link says whether the pit reaches the broker. While it does not, nothing is known of any table.
func (f *Floor) Link(up bool, why string, at time.Time) {
	f.change(at, func() bool {
		if up == f.up && !f.upSince.IsZero() {
			return false
		}
		f.up, f.upSince, f.why = up, at, why
		if up {
			f.alerts.clear(topic.Table{}, BrokerLost, at)
		}
		for _, p := range f.places {
			f.settle(p)
		}
		return true
	})
}

// Hear takes a message of a table. What is not for the model is ignored; an error says what cannot be read.
func (f *Floor) Hear(name string, payload []byte, at time.Time) error {
	table, kind, err := topic.Parse(name)
	if err != nil {
		return err
	}
	hear := hearers[kind]
	if hear == nil {
		return nil
	}
	f.change(at, func() bool {
		var p *place
		if p, err = f.place(table, at); err != nil {
			return false
		}
		var changed bool
		if changed, err = hear(f, p, payload, at); err != nil {
			err = fmt.Errorf("%s: %w", name, err)
		}
		return f.settle(p) || changed
	})
	return err
}

// hearers take a message, by its kind, and say whether it has changed anything.
var hearers = map[topic.Kind]func(*Floor, *place, []byte, time.Time) (bool, error){
	topic.KindStatus: (*Floor).hearStatus,
	topic.KindHealth: (*Floor).hearHealth,
}

func (f *Floor) place(table topic.Table, at time.Time) (*place, error) {
	p := f.places[table]
	if p == nil {
		if len(f.places) >= f.options.Most {
			return nil,
				fmt.Errorf("there are %d tables already, and %s is one more: check who writes to the broker, or "+
					"raise the limit of tables", len(f.places), table)
		}
		p = &place{table: table}
		f.places[table] = p
	}
	if p.first.IsZero() {
		p.first = at
	}
	if f.upSince.IsZero() { // nobody has said so, but something is heard
		f.up, f.upSince = true, at
	}
	return p, nil
}

// Tick lets time pass: heartbeats expire, and alerts that nobody has seen call the next role.
func (f *Floor) Tick(now time.Time) {
	f.change(now, func() bool {
		changed := f.alerts.escalate(f.now)
		if !f.up && !f.upSince.IsZero() && f.now.Sub(f.upSince) >= f.options.Patience {
			changed = f.alerts.raise(topic.Table{}, BrokerLost, f.why, f.now) || changed
		}
		for _, p := range f.places {
			changed = f.settle(p) || changed
		}
		return f.watchLines() || changed
	})
}

// settle works out again how a table stands, and raises or clears the alert of one that is offline. It says
// whether something has changed.
func (f *Floor) settle(p *place) bool {
	standing := p.standing(f)
	changed := standing != p.stands
	if changed || p.since.IsZero() {
		p.stands, p.since = standing, p.sinceWhen(f, standing)
	}
	if pace := p.pace.perHour(f.now); pace != p.perHour {
		p.perHour, changed = pace, true
	}
	p.openedAt(f.now)
	changed = f.watch(p) || changed
	switch {
	case standing != Offline:
		p.lost = time.Time{}
		if standing != Unknown {
			changed = f.alerts.clear(p.table, TableOffline, f.now) || changed
		}
	case p.lost.IsZero():
		p.lost = f.now
	case f.now.Sub(p.lost) >= f.options.Patience && p.missed():
		changed = f.alerts.raise(p.table, TableOffline, "", f.now) || changed
	}
	return changed
}

// View is what the table's dealer sees, by the last of its records; false if none is known.
func (f *Floor) View(table topic.Table) (display.View, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if p := f.places[table]; p != nil && p.view.Known() {
		return p.shown(), true
	}
	return display.View{}, false
}

// Health is what the table said of its computer last; false if it said nothing.
func (f *Floor) Health(table topic.Table) (topic.Health, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if p := f.places[table]; p != nil && p.health != nil {
		return *p.health, true
	}
	return topic.Health{}, false
}

// Totals is what the table has come to in its gaming day, and in the present dealer's shift; false until it is counted.
func (f *Floor) Totals(table topic.Table) (topic.Totals, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if p := f.places[table]; p != nil && p.totals != nil {
		return *p.totals, true
	}
	return topic.Totals{}, false
}

// Alerts are those that are not put right, or that nobody has seen: those that stand before others, then the
// gravest, then the newest.
func (f *Floor) Alerts() []Alert {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.alerts.list()
}

// History are alerts that are over, the latest first: those that are remembered.
func (f *Floor) History() []Alert {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.alerts.history()
}

// Acknowledge notes who has seen an alert, and what they say about it. The time is that of the last tick.
func (f *Floor) Acknowledge(id, by, note string) error {
	return f.person(by, func() error { return f.alerts.acknowledge(id, by, note, f.now) })
}

// Coming notes who is on the way.
func (f *Floor) Coming(id, by string) error {
	return f.person(by, func() error { return f.alerts.coming(id, by, f.now) })
}

func (f *Floor) person(by string, does func() error) (err error) {
	if by == "" {
		return errors.New("an alert is acknowledged by a person: say who")
	}
	f.change(time.Time{}, func() bool {
		err = does()
		return err == nil
	})
	return err
}

// Raise raises one of the pit's own alerts, at a table or, with the zero Table, at the pit. text says what is
// wrong, where, and what to do; while the alert stands, another text replaces it.
func (f *Floor) Raise(table topic.Table, code, text string, at time.Time) {
	f.change(at, func() bool { return f.alerts.raise(table, code, text, at) })
}

// Clear says that one of the pit's own alerts is put right.
func (f *Floor) Clear(table topic.Table, code string, at time.Time) {
	f.change(at, func() bool { return f.alerts.clear(table, code, at) })
}

// Stands says whether one of the pit's own alerts stands.
func (f *Floor) Stands(table topic.Table, code string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	a := f.alerts.open[key{table, code}]
	return a != nil && a.Standing > 0
}

// Unkept returns the alerts that have changed since the last call, each as it is now, for whoever keeps them.
func (f *Floor) Unkept() []Alert {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.alerts.unkept()
}

// Restore takes back alerts that were kept, at the start: those that are open, and the last of those that are
// over, so that they are not raised again.
func (f *Floor) Restore(kept []Alert) {
	f.change(time.Time{}, func() bool {
		f.alerts.restore(kept)
		return true
	})
}
