package floor

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/pit/topic"
)

func decode[T any](payload []byte) (*T, error) {
	message := new(T)
	if err := json.Unmarshal(payload, message); err != nil {
		return nil, fmt.Errorf("the table's message cannot be read: %w", err)
	}
	return message, nil
}

func (f *Floor) hearStatus(p *place, payload []byte, at time.Time) (bool, error) {
	s, err := decode[topic.Status](payload)
	if err != nil {
		return false, err
	}
	if s.Boot < p.boot || p.status != nil && p.status.Boot == s.Boot && s.Connection < p.status.Connection {
		return false, nil // a late last will
	}
	p.boot, p.status, p.said = s.Boot, s, at
	return true, nil
}

func (f *Floor) hearHealth(p *place, payload []byte, at time.Time) (bool, error) {
	h, err := decode[topic.Health](payload)
	if err != nil {
		return false, err
	}
	lives := p.pulse.beat(h.Time, at)
	if lives {
		f.house(p.table.Site()).beat = at
	}
	if h.Boot < p.boot {
		if !lives {
			return false, nil
		}
		p.anew()
	}
	p.boot, p.health = h.Boot, h
	if t := h.Journal.Trouble; t != nil && p.view.Known() {
		f.alerts.all(p, p.shown().Alerts, at) // before anything can be recorded of it
	}
	return true, nil
}

// anew: the table counts its starts from 1 again, so that what was heard before says nothing about the order.
func (p *place) anew() {
	p.status, p.totals = nil, nil
	p.pace = pace{}
}

// Dealt is a table as its records have it.
type Dealt struct {
	// View is what its dealer sees, the zero View where Unread says that this program does not understand its records.
	View   display.View
	Unread bool
	// Behind says that the table has further records: what stands here is not news.
	Behind bool
	// Seen are the alerts that were acknowledged at the table, in their order.
	Seen []Seen
	// Totals are what the table has come to, nil where that is not counted, or as it was.
	Totals *topic.Totals
}

// Seen is an alert that somebody has acknowledged at the table.
type Seen struct {
	Code, By string
	At       time.Time
}

// Deal takes a table as its records have it.
func (f *Floor) Deal(table topic.Table, d *Dealt, at time.Time) (err error) {
	f.change(at, func() bool {
		var p *place
		if p, err = f.place(table, at); err == nil {
			if err = drawable(&d.View); err != nil {
				d.Unread = true
			}
			f.dealt(p, d, at)
			f.settle(p)
		}
		return true
	})
	return err
}

func (f *Floor) dealt(p *place, d *Dealt, at time.Time) {
	if d.Totals != nil {
		p.totals = d.Totals
	}
	for _, s := range d.Seen {
		f.alerts.seenAtTable(p.table, s)
	}
	if p.unreadable = d.Unread; d.Unread || d.Behind && p.view.Known() {
		return
	}
	if p.view = d.View; d.Behind {
		return
	}
	p.pace.note(d.View.Round, at)
	p.pace.staked(d.View.Staked())
	f.alerts.all(p, p.shown().Alerts, at)
}
