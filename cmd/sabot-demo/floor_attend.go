//go:build !onetable

package main

import (
	"context"
	"math/rand/v2"
	"time"

	pits "github.com/sabot-table/sabot/pit/floor"
)

// escalates is after how long the pit calls a manager for an alert that stands and that nobody has seen.
const escalates = 2 * time.Minute

// What the simulated people of the pit do about an alert, in movements of a dealer's hand.
const (
	notices = 12 // until somebody looks at the page
	looks   = 30 // until they have looked
)

// overlooks is how many alerts there are to one that nobody looks at until a manager is called for it, or the table has
// put it right.
const overlooks = 5

// simulated is what the name of each of them ends with: it is on the pages.
const simulated = " (simulated)"

// remarks are what they note.
var remarks = []string{
	"Looked at it with the dealer.", "Explained to the guests, all agree.", "Watched the next round too.",
	"Second time today, will watch this table.", "Camera looked at: nothing unusual.", "",
}

// attendants are simulated people at the pit's page, who take up alerts as a person would. What a person has taken up
// they leave to them.
type attendants struct {
	names  []string // supervisors
	span   func(movements int) time.Duration
	chance *rand.Rand
	plans  map[call]*plan
}

// call is an alert, as it was raised once.
type call struct {
	id     string
	raised time.Time
}

// plan is what is done about an alert.
type plan struct {
	by          string
	comes, sees time.Time
	overlooked  bool
}

// taking is what can be done about alerts.
type taking interface {
	Alerts() []pits.Alert
	Acknowledge(id, by, note string) error
	Coming(id, by string) error
}

// attend has them look at the floor until ctx ends.
func (f *floor) attend(ctx context.Context, at taking) error {
	a := &attendants{
		names: f.plan.Staff.Supervisors, span: f.span, chance: rand.New(rand.NewPCG(f.o.seed, 1<<32)),
		plans: map[call]*plan{},
	}
	for {
		if err := wait(ctx, time.Second/2); err != nil {
			return err
		}
		a.look(at, time.Now())
	}
}

// look does what it is time for. Somebody may be quicker, at the page or at the table: then there is nothing left to
// do.
func (a *attendants) look(at taking, now time.Time) {
	open := map[call]*plan{}
	for _, alert := range at.Alerts() {
		this := call{alert.ID, alert.Raised}
		p := a.plans[this]
		if p == nil {
			p = a.plan(a.names[a.chance.IntN(len(a.names))], now)
			p.overlooked = a.chance.IntN(overlooks) == 0
		}
		switch {
		case !p.overlooked:
		case alert.Calls == pits.Manager:
			p = a.plan("manager", now)
		case alert.Standing == 0:
			p = a.plan(a.names[0], now)
		}
		open[this] = p
		a.takeUp(at, &alert, p, now)
	}
	a.plans = open
}

// takeUp takes an alert up when the plan says so.
func (a *attendants) takeUp(at taking, alert *pits.Alert, p *plan, now time.Time) {
	if p.overlooked || alert.Seen() || alert.Comes != "" && alert.Comes != p.by {
		return
	}
	if alert.Standing > 0 && alert.Comes == "" && !now.Before(p.comes) {
		_ = at.Coming(alert.ID, p.by)
	}
	if !now.Before(p.sees) {
		_ = at.Acknowledge(alert.ID, p.by, remarks[a.chance.IntN(len(remarks))])
	}
}

func (a *attendants) plan(by string, now time.Time) *plan {
	p := &plan{by: by + simulated, comes: now.Add(a.sometime(notices))}
	p.sees = p.comes.Add(a.sometime(looks))
	return p
}

// sometime is about as long as so many movements take.
func (a *attendants) sometime(movements int) time.Duration {
	usual := a.span(movements)
	return usual/2 + time.Duration(a.chance.Int64N(int64(usual)))
}
