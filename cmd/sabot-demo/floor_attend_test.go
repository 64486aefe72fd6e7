//go:build !onetable

package main

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	pits "github.com/sabot-table/sabot/pit/floor"
)

// pitPage is the pit's page with one alert.
type pitPage struct {
	alert pits.Alert
	now   time.Time
}

func (p *pitPage) Alerts() []pits.Alert { return []pits.Alert{p.alert} }

func (p *pitPage) Acknowledge(_, by, _ string) error {
	p.alert.Acknowledged, p.alert.AcknowledgedBy = p.now, by
	return nil
}

func (p *pitPage) Coming(_, by string) error {
	p.alert.Comes = by
	return nil
}

// TestAttendants: each alert is seen by somebody whose name says that they are simulated; one that is overlooked once a
// manager is called. What a person has taken up is left to them.
func TestAttendants(t *testing.T) {
	t.Parallel()
	began := time.Date(2026, 3, 27, 20, 0, 0, 0, time.UTC)
	a := &attendants{
		names: []string{"frey", "graf"}, chance: rand.New(rand.NewPCG(1, 2)), plans: map[call]*plan{},
		span: func(movements int) time.Duration { return time.Duration(movements) * floorPace },
	}
	const person = "anna"
	called := 0
	for n := range 100 {
		p := &pitPage{now: began.Add(time.Duration(n) * time.Hour)}
		p.alert = pits.Alert{ID: "one", Raised: p.now, Standing: 1}
		taken := n%10 == 0
		if taken {
			p.alert.Comes = person
		}
		for range 10 * 60 {
			p.now = p.now.Add(time.Second / 2)
			if p.now.Sub(p.alert.Raised) >= escalates && !p.alert.Seen() {
				p.alert.Calls = pits.Manager
			}
			a.look(p, p.now)
		}
		by := p.alert.AcknowledgedBy
		switch {
		case taken && (by != "" || p.alert.Comes != person):
			t.Errorf("alert %d of %s was taken up by %s", n, person, by)
		case !taken && !strings.HasSuffix(by, simulated):
			t.Errorf("alert %d was seen by %q", n, by)
		case by == "manager"+simulated:
			called++
		}
	}
	if called < 90/overlooks/2 || called > 90/overlooks*2 {
		t.Errorf("a manager was called for %d alerts of 90", called)
	}
}
