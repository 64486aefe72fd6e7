package publish

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/pit/transport"
	"github.com/sabot-table/sabot/table/irregularity"
)

const (
	// noteEvery is how often a moving cursor is noted in the journal, in addition to each
	// window that the broker has acknowledged.
	noteEvery = time.Second
	// goodbyeTimeout is how long the goodbye may take after the FlushTimeout.
	goodbyeTimeout = 2 * time.Second
)

// session is the work on one connection. Each of its parts has one duty, and its own fields; the session waits for all
// of them in one place, since what is sent must not cross.
type session struct {
	p      *Publisher
	link   *link
	shows  shows
	flow   flow
	trials trials
	events events
	kept   kept
	ears   []*hearing
	replay replay
	hands  hands
	stream stream
	ending ending

	earlier  <-chan transport.Earlier // an earlier broker of the list answers again; nil at the first
	note     <-chan time.Time         // fires when the cursor must be noted; nil while it has not moved
	health   *time.Ticker
	recalled <-chan memory // what the broker remembers of the table; nil where nobody wants to know
}

// shows is what a connection has shown: it works once the broker has taken a message.
type shows struct {
	since     time.Time // when the connection was made
	toCatchUp uint64    // events that waited then
	works     bool
}

// kept is what the broker is to keep: the newest status, health, state, alerts and totals, and what others than the pit
// are told once.
type kept struct {
	statusDue, healthDue, stateDue, alertsDue, totalsDue bool
	stateHeld, alertsHeld                                bool // they wait for the end of a trial

	trouble   *topic.Trouble    // as last reported by status and health
	alerts    map[string]string // what the broker has, by code; "" for none
	announced int               // how many announcements were sent

	changed <-chan struct{} // closed when there is a newer state; nil while one is due
	counted <-chan struct{} // closed when there are newer totals; nil while they are due, or nobody counts
}

// looked makes the state due, which has changed, and counts the totals.
func (k *kept) looked() { k.changed, k.stateDue, k.alertsDue = nil, true, true }

func (k *kept) totaled() { k.counted, k.totalsDue = nil, true }

// release makes due what was held back.
func (k *kept) release() {
	k.stateDue, k.alertsDue = k.stateDue || k.stateHeld, k.alertsDue || k.alertsHeld
	k.stateHeld, k.alertsHeld = false, false
}

// enough leaves out what is due: there is no time for it any more.
func (k *kept) enough() {
	k.stateDue, k.alertsDue, k.statusDue, k.healthDue, k.totalsDue = false, false, false, false, false
}

// ending is the end of a publisher: what is there is sent, and then the goodbye.
type ending struct {
	begun   bool
	last    uint64 // the last event to send before the goodbye
	flushed <-chan time.Time
	goodbye bool // it was sent
	late    <-chan time.Time
}

func newSession(p *Publisher, l *link, connected time.Time) *session {
	s := &session{
		p: p, link: l, shows: shows{since: connected, toCatchUp: p.lag()}, flow: newFlow(p.config.AckTimeout),
		events: events{journal: p.journal, failed: p.journalFailed, log: p.config.Log, sent: p.acknowledged()},
		stream: p.newStream(),
		kept:   kept{stateDue: true, alertsDue: true, totalsDue: p.config.Totals != nil, alerts: map[string]string{}},
	}
	s.trials = trials{
		access: &p.access, patience: p.config.ProbeAfter, event: p.topics.event, began: time.Now(),
		pending: map[string]int{}, proven: s.proven,
	}
	for _, e := range p.ears {
		s.ears = append(s.ears, &hearing{ear: e, due: true, letters: make(chan []byte, mostLetters)})
	}
	p.access.try(connected, p.reach.fresh)
	p.forgetAnswers()
	p.reach.fresh = false
	return s
}

// run publishes until the connection fails, or until the goodbye after the context has
// ended, which is the only end without an error.
func (s *session) run(ctx context.Context) error {
	err := s.work(ctx)
	s.blame(err)
	return err
}

func (s *session) work(ctx context.Context) error {
	s.health = time.NewTicker(s.p.config.HealthEvery)
	defer s.health.Stop()
	defer s.flow.silence.Stop()
	if s.p.config.Remembered != nil {
		s.recalled = s.link.recall(s.p.topics.health, s.p.config.AckTimeout)
	}
	looking, giveUp := context.WithCancel(ctx)
	defer giveUp()
	s.earlier = s.p.dialer.Answers(looking)
	s.report()
	s.noteLater()
	for {
		if s.fill() {
			return errNoGoodbye
		}
		stop := ctx.Done()
		if s.ending.begun {
			stop = nil
		}
		if done, err := s.await(stop); done || err != nil {
			return err
		}
	}
}

// await does what comes next. It reports whether that was the end.
func (s *session) await(stop <-chan struct{}) (done bool, err error) {
	select {
	case d := <-s.link.settled:
		return d.err == nil && s.settle(d), d.err
	case <-s.link.gone:
		s.drain()
		return false, s.link.why
	case <-s.flow.silence.C:
		return false, silentError{s.p.config.AckTimeout, s.flow.count()}
	case <-s.ending.late:
		return false, errors.New("the broker did not acknowledge the goodbye in time")
	case <-s.tryAgain():
		return false, s.retry(false)
	case <-s.p.retry:
		return false, s.retry(true)
	case <-stop:
		s.beginEnd()
	case <-s.ending.flushed:
		s.ending.flushed, s.ending.last = nil, s.events.sent
		s.kept.enough()
	case <-s.events.appended:
		s.events.appended = nil
	case <-s.events.resume:
		s.events.resume = nil
	case <-s.note:
		s.noted()
	case <-s.kept.changed:
		s.kept.looked()
	case <-s.kept.counted:
		s.kept.totaled()
	case <-s.health.C:
		s.reportAgain()
	case earlier := <-s.earlier:
		if !s.ending.begun {
			return false, earlier
		}
	case m := <-s.recalled:
		s.p.remember(m)
	case <-s.trials.hold:
		s.trials.hold = nil
		s.release()
	case <-s.trials.proof:
		s.proven(s.trials.alone)
	case answer := <-s.link.heeds:
		s.listens(answer)
	case <-s.link.mail:
		s.hear()
	case a := <-s.answerable():
		s.p.replies.underWay = &a
	case request := <-s.p.replies.resends:
		s.p.repeats.request(time.Now(), request, s.p.acknowledged())
	case read := <-s.replay.reading:
		s.readOn(read)
	case <-s.replay.pace:
		s.replay.pace = nil
	case read := <-s.hands.fetching:
		s.sendRecords(read)
	case <-s.hands.turn:
		s.hands.turn = nil
	case <-s.stream.changed:
		s.stream.changed = nil
	case read := <-s.stream.reading:
		s.sendStream(read)
	}
	return false, nil
}

// fill sends what is due and has room. It reports whether all is done, without a goodbye.
func (s *session) fill() (done bool) {
	if s.ending.goodbye {
		return false
	}
	if s.p.access.anySuspected() {
		s.sendEvents() // the trial of what matters most comes first
		s.trials.holdOn()
	} else {
		s.listen()
	}
	s.sendDue()
	s.sendEvents()
	s.listen()
	s.streamOn()
	s.repeat()
	s.handOut()
	s.answerCommand()
	if !s.ending.begun || s.wantsEvents() || s.due() || s.flow.on(laneStatus, laneAlert, laneHealth, laneTotals) > 0 {
		return false
	}
	if s.ending.goodbye = s.trials.open(s.p.topics.status); s.ending.goodbye {
		s.sendStatus(false, topic.ReasonShutDown, time.Now())
	}
	return !s.ending.goodbye && s.flow.count() == 0
}

// sendEvents sends the events that have room.
func (s *session) sendEvents() {
	for s.flow.on(laneEvent) < s.p.config.Window && s.wantsEvents() && s.trials.open(s.p.topics.event) {
		r, ok := s.events.next()
		if !ok {
			break
		}
		s.send(delivery{
			lane: laneEvent, topic: s.p.topics.event, payload: s.p.eventMessage(r), sequence: r.Number,
			card: s.p.cardAt(r),
		})
	}
}

// due reports whether a retained message is still to be sent. The last health has the head
// that the pit keeps as a witness.
func (s *session) due() bool {
	return s.kept.stateDue || s.kept.alertsDue || s.kept.statusDue && !s.p.access.leftOut(s.p.topics.status) ||
		s.kept.healthDue && !s.p.access.leftOut(s.p.topics.health) || s.kept.totalsDue &&
		!s.p.access.leftOut(s.p.topics.totals)
}

// sendDue sends the retained messages that are due, each as soon as the previous one of its
// kind is acknowledged.
func (s *session) sendDue() {
	state := (s.kept.stateDue || s.kept.alertsDue) && s.flow.on(laneState, laneAlert) == 0
	if state {
		s.look()
	}
	if s.kept.statusDue && s.flow.on(laneStatus) == 0 && s.trials.open(s.p.topics.status) {
		s.kept.statusDue = false
		s.sendStatus(true, topic.ReasonConnected, s.shows.since)
	}
	if s.kept.healthDue && s.flow.on(laneHealth) == 0 && s.trials.open(s.p.topics.health) {
		s.kept.healthDue = false
		payload, heard := s.p.healthMessage()
		s.send(delivery{lane: laneHealth, topic: s.p.topics.health, payload: payload, retained: true, heard: heard})
	}
	if state {
		s.sendState()
	}
	if s.kept.totalsDue && s.flow.on(laneTotals) == 0 && s.trials.open(s.p.topics.totals) {
		s.sendTotals()
	}
	s.sendAnnouncement()
}

// sendAnnouncement sends the next announcement that may be sent; one that is left out is passed over.
func (s *session) sendAnnouncement() {
	all := s.p.config.Announce
	for !s.ending.begun && s.kept.announced < len(all) && s.flow.on(laneAnnounce) == 0 {
		next := all[s.kept.announced]
		if !s.trials.open(next.Topic) && !s.p.access.leftOut(next.Topic) {
			return
		}
		s.kept.announced++
		if s.trials.open(next.Topic) {
			s.send(delivery{
				lane: laneAnnounce, topic: next.Topic, payload: next.Payload, retained: true,
				announces: next,
			})
		}
	}
}

// sendTotals sends the newest totals, and waits for newer ones.
func (s *session) sendTotals() {
	s.kept.totalsDue = false
	if !s.ending.begun {
		s.kept.counted = s.p.config.Totals.Changed()
	}
	if payload, ok := s.p.totalsMessage(); ok {
		s.send(delivery{lane: laneTotals, topic: s.p.topics.totals, payload: payload, retained: true})
	}
}

// look starts to wait for the next change of the state, before the state is read, and
// reports trouble at once.
func (s *session) look() {
	if !s.ending.begun {
		s.kept.changed = s.p.state.Changed()
	}
	if s.p.state.Trouble() != s.kept.trouble {
		s.report()
	}
}

// wantsEvents reports whether more events must be sent.
func (s *session) wantsEvents() bool {
	return !s.ending.begun || s.events.sent < s.ending.last && !s.p.access.leftOut(s.p.topics.event)
}

// sendState sends the newest view and its alerts, as far as they may be sent now.
func (s *session) sendState() {
	alerts := s.kept.alertsDue
	state := s.kept.stateDue && s.trials.open(s.p.topics.state)
	s.kept.stateHeld = s.kept.stateHeld || s.kept.stateDue && s.p.access.suspected(s.p.topics.state) && !state
	s.kept.stateDue, s.kept.alertsDue = false, false
	snapshot, ok := s.p.state.Latest()
	if !ok {
		return
	}
	if state {
		s.sendView(snapshot)
	}
	if alerts {
		s.sendAlerts(snapshot)
	}
}

func (s *session) sendView(snapshot topic.Snapshot) {
	payload, err := topic.AppendState(nil, s.p.config.Table, s.p.config.Boot, snapshot)
	if err != nil {
		s.p.note(err)
		s.p.config.Log.Error("the table's state was not sent to the pit: the pit shows the one before; report this",
			"error", err, "sequence", snapshot.Sequence)
		return
	}
	s.send(delivery{lane: laneState, topic: s.p.topics.state, payload: payload, retained: true})
}

// sendAlerts sends the alerts that differ from what the broker has. What it has from earlier
// connections is unknown: all are sent once, and an empty message removes those that do not
// exist.
func (s *session) sendAlerts(snapshot topic.Snapshot) {
	for code := range irregularity.EveryCode {
		name := code.String()
		now := string(snapshot.Alerts[name])
		if was, sent := s.kept.alerts[name]; sent && was == now {
			continue
		}
		d := delivery{lane: laneAlert, topic: s.p.config.Table.Alert(name), retained: true}
		if d.key = s.alertKey(d.topic); !s.trials.open(d.key) {
			s.kept.alertsHeld = s.kept.alertsHeld || s.p.access.suspected(d.key)
			continue
		}
		s.kept.alerts[name] = now
		if now != "" {
			payload, err := topic.AppendAlert(nil, s.p.config.Table, s.p.config.Boot, name, snapshot)
			if err != nil {
				s.p.note(err)
				s.p.config.Log.Error("an alert was not sent to the pit: it stands at the table; report this",
					"error", err, "sequence", snapshot.Sequence)
				continue
			}
			d.payload = payload
		}
		s.send(d)
	}
}

// report makes status and health due. The status is repeated because the last will of an
// earlier connection may arrive late and overwrite it.
func (s *session) report() {
	s.kept.statusDue, s.kept.healthDue = true, true
	s.kept.trouble = s.p.state.Trouble()
}

// reportAgain does so from time to time, until the end.
func (s *session) reportAgain() {
	if !s.ending.begun {
		s.report()
	}
}

func (s *session) sendStatus(online bool, reason string, at time.Time) {
	s.send(delivery{
		lane: laneStatus, topic: s.p.topics.status, payload: s.p.statusMessage(online, reason, at), retained: true,
	})
}

func (s *session) send(d delivery) {
	if d.key == "" {
		d.key = d.topic
	}
	s.trials.begin(d.key)
	s.flow.sent(d.lane)
	s.link.send(d)
}

// settle notes an acknowledgement, and reports whether it was the goodbye's.
func (s *session) settle(d *delivery) bool {
	s.flow.settled(d.lane)
	s.trials.answered(d)
	switch d.lane {
	case laneEvent:
		s.p.setAcknowledged(d.sequence)
		if d.card != 0 {
			s.p.config.CardHeard(time.Since(time.Unix(0, d.card)))
		}
		s.keepWindow(d.sequence)
		s.noteLater()
	case laneHealth:
		s.p.hear(d.heard)
	case laneAnnounce:
		if s.p.config.Announced != nil {
			s.p.config.Announced(d.announces)
		}
	case laneRepeat:
		if s.p.repeats.sent(d.sequence) {
			s.replay.again = nil
		}
	case laneAnswer:
		s.p.replies.underWay = nil
	case laneRecords:
		s.p.fetches.answered(d.answers)
	}
	s.prove(d.lane)
	return d.lane == laneStatus && s.ending.goodbye
}

// noteLater schedules a note of the cursor, if it has moved.
func (s *session) noteLater() {
	if s.note == nil && s.p.cursor.noted != s.p.acknowledged() {
		s.note = time.After(noteEvery)
	}
}

// noted notes the cursor.
func (s *session) noted() {
	s.note = nil
	s.p.cursor.note(s.p.acknowledged())
	s.noteLater()
}

// keepWindow makes the cursor durable once a whole window has been acknowledged since the
// last time, so that a daemon that is killed sends no more than that again.
func (s *session) keepWindow(acknowledged uint64) {
	if acknowledged-s.p.cursor.tried >= uint64(s.p.config.Window) {
		s.p.cursor.keep(acknowledged)
	}
}

// prove ends the outage once the connection has shown that it works: by an event or, if
// none waited, by any message. A broker that accepts connections and then hangs up again
// and again must not reset the pauses each time.
func (s *session) prove(by lane) {
	if !s.shows.works && (by == laneEvent || s.shows.toCatchUp == 0 || s.p.access.leftOut(s.p.topics.event)) {
		s.shows.works = true
		s.p.reach.outage.Over(time.Now(), s.p.dialer.Broker(), "to_catch_up", s.shows.toCatchUp)
	}
	if by == laneEvent {
		s.p.dialer.Works()
	}
	s.p.dialer.Lasted(s.shows.since)
}

// drain notes what the broker acknowledged before the connection was lost.
func (s *session) drain() {
	late := time.NewTimer(drainPatience)
	defer late.Stop()
	for s.flow.count() > 0 {
		select {
		case d := <-s.link.settled:
			if d.err != nil {
				return
			}
			s.settle(d)
		case <-late.C:
			return
		}
	}
}

// beginEnd makes the current events, state and totals the last to be sent.
func (s *session) beginEnd() {
	s.ending.begun, s.kept.healthDue = true, true
	s.kept.looked()
	s.ending.flushed, s.ending.late = time.After(s.p.config.FlushTimeout),
		time.After(s.p.config.FlushTimeout+goodbyeTimeout)
	select {
	case <-s.kept.counted:
		s.kept.totaled()
	default:
	}
	last, _, err := s.p.journal.Last()
	if err != nil {
		s.p.journalFailed(fmt.Errorf("read the journal's last event: %w", err))
	}
	s.ending.last = last
}

// tryAgain fires when a denied topic should be tried again.
func (s *session) tryAgain() <-chan time.Time {
	at := s.p.access.due()
	if at.IsZero() {
		return nil
	}
	return time.After(time.Until(at))
}
