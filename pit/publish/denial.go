package publish

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/pit/transport"
)

// notAuthorised is the return code of a CONNACK with which a broker refuses a table, or only
// its last will.
const notAuthorised = 5

// lastWill is the will of the next connection; nil for none.
func (p *Publisher) lastWill(now time.Time) *transport.Will {
	if !p.reach.will {
		return nil
	}
	return &transport.Will{Topic: p.topics.status, Payload: p.statusMessage(false, topic.ReasonLost, now)}
}

// judgeWill notes how an attempt to connect went. A broker that denies the status may refuse
// the connection because of the will, so that every second attempt goes without one.
func (p *Publisher) judgeWill(err error, now time.Time) {
	var refused transport.RefusedError
	switch {
	case err == nil && !p.reach.will:
		p.deny(p.topics.status, now)
	case errors.As(err, &refused) && refused.Code == notAuthorised:
		p.reach.will = !p.reach.will
	case err != nil:
		p.reach.will = true
	}
}

// errNoGoodbye ends the connection of a table that shuts down, so that its last will is sent.
var errNoGoodbye = errors.New("it does not let the table publish its status")

// errNewWill ends a connection without a last will, to try one with it.
var errNewWill = errors.New("the table connects again, to try whether the broker accepts its last will")

// deny leaves a topic out, and says so.
func (p *Publisher) deny(topic string, now time.Time) {
	p.note(deniedError(topic))
	defer p.showDenials()
	if !p.access.deny(topic, now) {
		p.config.Log.Warn("the MQTT broker still denies a topic: let the table publish there in the broker's "+
			"access list",
			"topic", topic)
		return
	}
	p.config.Log.Error("THE MQTT BROKER DENIES A TOPIC, which is left out: let the table publish there in the "+
		"broker's access list, and look at its limit for the size of messages; the table tries again from time to "+
		"time, and at a reload",
		"topic", topic, "without_it", p.without(topic))
}

// without says what the pit lacks while a topic is left out.
func (p *Publisher) without(topic string) string {
	switch topic {
	case p.topics.event:
		return "no event reaches the pit; all wait in the journal"
	case p.topics.answers:
		return "no pit hears what became of its commands"
	}
	if e := p.earOf(topic); e != nil {
		return e.without
	}
	if slices.ContainsFunc(p.config.Announce, func(a Announcement) bool { return a.Topic == topic }) {
		return "Home Assistant does not hear of the table; the pit lacks nothing"
	}
	if reader := p.readerOf(topic); reader != "" {
		return "the reader " + reader + " gets no records of the journal"
	}
	return "the pit does not have it, or an old one"
}

// deniedError says in the table's health that a topic is left out.
func deniedError(topic string) error {
	return fmt.Errorf("the broker closes the connection when the table publishes on %s, which is left out: let the "+
		"table do so in the broker's access list", topic)
}

// showDenials passes on which topics are denied.
func (p *Publisher) showDenials() {
	denied := p.access.denials()
	p.mu.Lock()
	changed := !slices.Equal(denied, p.stats.Denied)
	p.stats.Denied = denied
	p.mu.Unlock()
	if changed && p.config.Denied != nil {
		p.config.Denied(denied)
	}
}

// alertKey is the topic under which the permission for an alert is kept: that of all of them
// once they are denied together.
func (s *session) alertKey(alert string) string {
	if s.p.access.topics[s.p.topics.alerts] != nil {
		return s.p.topics.alerts
	}
	return alert
}

// proven notes that a topic may be published on.
func (s *session) proven(key string) {
	s.trials.over(key)
	if s.p.access.proven(key) {
		s.kept.stateDue, s.kept.alertsDue = true, true
		s.p.config.Log.Info("the MQTT broker lets the table publish on a topic again", "topic", key)
		s.p.showDenials()
	}
	s.release()
}

// release makes due what was held back, once another trial may begin.
func (s *session) release() {
	if s.trials.alone == "" {
		s.kept.release()
	}
}

// retry makes due what is denied and to be sent once more: all of it, or what has waited for long enough. A connection
// without a last will ends, so that the next one has it.
func (s *session) retry(all bool) error {
	if all {
		s.p.access.tryAll()
	} else {
		s.p.access.try(time.Now(), false)
	}
	s.p.forgetAnswers()
	s.kept.stateDue, s.kept.alertsDue, s.kept.announced = true, true, 0
	for _, h := range s.ears {
		h.due = h.due || s.p.access.suspected(h.topic)
	}
	if !s.p.reach.will && s.p.access.suspected(s.p.topics.status) {
		return errNewWill
	}
	return nil
}

// blame finds out on which topics the connection ended. An event that was acknowledged just
// before the end may have been dropped, and is sent again; so may an answer to a fetch.
func (s *session) blame(err error) {
	if !transport.HungUp(err) {
		return
	}
	now := time.Now()
	if last := s.trials.answer; last.late(now, s.p.config.ProbeAfter) {
		if last.event > 0 {
			s.p.setAcknowledged(last.event - 1)
		}
		s.p.fetches.reopen(s.p.readerOf(last.key))
	}
	if alone := s.trials.alone; alone != "" {
		if s.p.access.failed(alone) {
			s.denied(alone, now)
		}
		s.p.dialer.Works()
		return
	}
	ends := s.trials.ended(now)
	s.p.access.doubt(ends)
	s.p.reach.fresh = len(ends) == 0
}

// denied leaves the topic out on which the connection ended. Where a second alert is denied,
// all are left out.
func (s *session) denied(key string, now time.Time) {
	a, group := &s.p.access, s.p.topics.alerts
	isAlert := func(one string) bool {
		return one != group && strings.HasPrefix(one, strings.TrimSuffix(group, topic.Any))
	}
	if isAlert(key) {
		if slices.ContainsFunc(a.denials(), func(one string) bool { return one != key && isAlert(one) }) {
			a.widen(key, group, isAlert)
			key = group
		}
		a.alike(isAlert)
	}
	s.p.deny(key, now)
}
