package floor

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/vocab"
)

func decode[T any](payload []byte) (*T, error) {
	message := new(T)
	if err := json.Unmarshal(payload, message); err != nil {
		return nil, fmt.Errorf("the table's message cannot be read: %w", err)
	}
	return message, nil
}

func (f *Floor) hearStatus(p *place, _ string, payload []byte, at time.Time) (bool, error) {
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

func (f *Floor) hearHealth(p *place, _ string, payload []byte, at time.Time) (bool, error) {
	h, err := decode[topic.Health](payload)
	if err != nil {
		return false, err
	}
	lives := p.pulse.beat(h.Time, at)
	if h.Boot < p.boot {
		if !lives {
			return false, nil
		}
		p.anew()
	}
	p.boot, p.health = h.Boot, h
	return true, nil
}

// anew: the table counts its starts from 1 again, so that what was heard before says nothing about the order.
func (p *place) anew() {
	p.status, p.viewed, p.totals = nil, order{}, nil
	p.pace = pace{}
}

func (f *Floor) hearState(p *place, _ string, payload []byte, at time.Time) (bool, error) {
	s, err := decode[topic.State](payload)
	if err != nil {
		return false, err
	}
	when := order{s.Boot, s.Sequence}
	if s.Boot < p.boot || when.before(p.viewed) {
		return false, nil
	}
	var v display.View
	if err := json.Unmarshal(s.View, &v); err != nil {
		p.unreadable = true
		return true, fmt.Errorf("the table's view cannot be read; does the table run a newer version? %w", err)
	}
	if err := drawable(&v); err != nil {
		p.unreadable = true
		return true, err
	}
	p.boot, p.viewed, p.view, p.unreadable = s.Boot, when, v, false
	p.pace.note(v.Round, at)
	p.pace.staked(v.Staked())
	f.alerts.all(p, v.Alerts, at)
	return true, nil
}

func (f *Floor) hearTotals(p *place, _ string, payload []byte, _ time.Time) (bool, error) {
	t, err := decode[topic.Totals](payload)
	if err != nil {
		return false, err
	}
	if t.Boot < p.boot || p.totals != nil && (order{t.Boot, t.Sequence}).before(order{
		p.totals.Boot,
		p.totals.Sequence,
	}) {
		return false, nil
	}
	p.totals = t
	return true, nil
}

// hearAlert: the state has all alerts too, in its own order. An alert's own message counts where it is later.
func (f *Floor) hearAlert(p *place, name string, payload []byte, at time.Time) (bool, error) {
	if len(payload) == 0 {
		code := name[len(p.table.Topic(topic.KindAlert))+1:]
		if !p.views(code) {
			f.alerts.gone(p, code, at)
		}
		return true, nil
	}
	m, err := decode[topic.Alert](payload)
	if err != nil {
		return false, err
	}
	said, err := decode[said](m.Alert)
	if err != nil {
		return false, err
	}
	if err := f.alerts.mayRaise(p.table, name, said.Code); err != nil {
		return false, err
	}
	if m.Boot < p.boot || (order{m.Boot, m.Sequence}).before(p.viewed) {
		return false, nil
	}
	f.alerts.heard(p, *said, at)
	return true, nil
}

// views says whether the table's view has an alert.
func (p *place) views(code string) bool {
	for _, a := range p.view.Alerts {
		if a.Code.String() == code {
			return true
		}
	}
	return false
}

// seenEvent is in every event that says who has seen an alert, and in few others.
var seenEvent = []byte(vocab.Acknowledged.String())

// hearEvent: an alert that is over is taken off the broker at once, so that only the event says who saw it.
func (f *Floor) hearEvent(p *place, _ string, payload []byte, _ time.Time) (bool, error) {
	if !bytes.Contains(payload, seenEvent) {
		return false, nil
	}
	e, err := decode[topic.Event](payload)
	if err != nil || e.Type != vocab.Acknowledged.String() {
		return false, err
	}
	a, err := decode[struct {
		Code irregularity.Code `json:"code"`
		By   string            `json:"by"`
	}](e.Data)
	if err != nil {
		return false, err
	}
	return f.alerts.seenAtTable(p.table, a.Code.String(), a.By, e.Time), nil
}
