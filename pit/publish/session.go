package publish

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/table/irregularity"
)

const (
	// noteEvery is how often a moving cursor is noted in the journal, in addition to each
	// window that the broker has acknowledged.
	noteEvery = time.Second
	// journalPause is how long to wait after an error of the journal.
	journalPause = time.Second
	// goodbyeTimeout is how long the goodbye may take after the FlushTimeout.
	goodbyeTimeout = 2 * time.Second
	// readAhead is how many events are read from the journal at once.
	readAhead = 256
)

// session is the work on one connection.
type session struct {
	p         *Publisher
	link      *link
	connected time.Time
	toCatchUp uint64 // events that waited when the connection was made
	works     bool   // the broker has proved that it takes messages

	underway              [lanes]int
	pending               map[string]int   // what the broker has not answered, by the key of its permission
	answer                answer           // its last answer to a message
	heed                  answer           // its last answer to a subscription
	trial                 string           // the suspected topic that was sent alone, "" for none
	proof                 <-chan time.Time // fires when the connection has held after the trial's answer
	began                 time.Time        // when the connection was there
	hold                  <-chan time.Time // fires when it has held for longer; nil while nothing waits for that
	stateHeld, alertsHeld bool             // they wait for the end of a trial
	silence               *time.Timer      // runs while something is under way

	next     uint64           // the last event that was sent
	read     []topic.Record   // events read from the journal and not sent
	note     <-chan time.Time // fires when the cursor must be noted; nil while it has not moved
	appended <-chan struct{}  // closed when the journal has more; nil while not waiting for that
	resume   <-chan time.Time // fires when a journal that failed may be read again

	statusDue, healthDue bool
	trouble              *topic.Trouble // as last reported by status and health

	stateDue, alertsDue bool

	announced int // how many announcements were sent

	alerts  map[string]string // what the broker has, by code; "" for none
	changed <-chan struct{}   // closed when there is a newer state; nil while one is due

	totalsDue bool
	counted   <-chan struct{} // closed when there are newer totals; nil while they are due, or nobody counts

	ears    []*hearing
	reading <-chan again // nil while nothing is read to be sent again
	again   []topic.Record
	pace    <-chan time.Time // fires when more may be sent again; nil for at once

	fetching <-chan fetched   // nil while no records are read
	turn     <-chan time.Time // fires when the next fetch may be answered; nil for at once

	ending  bool   // the context has ended
	last    uint64 // the last event to send before the goodbye
	flushed <-chan time.Time
	goodbye bool // the goodbye was sent
}

func newSession(p *Publisher, l *link, connected time.Time) *session {
	s := &session{
		p: p, link: l, connected: connected, began: time.Now(), toCatchUp: p.lag(),
		next: p.acknowledged(), stateDue: true, alertsDue: true, totalsDue: p.config.Totals != nil,
		alerts:  map[string]string{},
		pending: map[string]int{}, silence: time.NewTimer(p.config.AckTimeout),
	}
	for _, e := range p.ears {
		s.ears = append(s.ears, &hearing{ear: e, due: true, letters: make(chan []byte, mostLetters)})
	}
	s.silence.Stop()
	p.access.try(connected, p.fresh)
	p.forgetAnswers()
	p.fresh = false
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
	health := time.NewTicker(s.p.config.HealthEvery)
	defer health.Stop()
	defer s.silence.Stop()
	stop := ctx.Done()
	var end <-chan time.Time
	var recalled <-chan memory
	if s.p.config.Remembered != nil {
		recalled = s.link.recall(s.p.topics.health, s.p.config.AckTimeout)
	}
	s.report()
	s.noteLater()
	for {
		if s.fill() {
			return errNoGoodbye
		}
		select {
		case d := <-s.link.settled:
			if d.err != nil {
				return d.err
			}
			if s.settle(d) {
				return nil
			}
		case <-s.link.gone:
			s.drain()
			return s.link.why
		case <-s.silence.C:
			return silentError{s.p.config.AckTimeout, s.count()}
		case <-s.appended:
			s.appended = nil
		case <-s.changed:
			s.changed, s.stateDue, s.alertsDue = nil, true, true
		case <-s.counted:
			s.counted, s.totalsDue = nil, true
		case <-s.hold:
			s.hold = nil
			s.release()
		case <-s.proof:
			s.proven(s.trial)
		case <-s.tryAgain():
			s.p.access.try(time.Now(), false)
			if err := s.retried(); err != nil {
				return err
			}
		case <-s.p.retry:
			s.p.access.tryAll()
			if err := s.retried(); err != nil {
				return err
			}
		case answer := <-s.link.heeds:
			s.listens(answer)
		case <-s.link.mail:
			s.hear()
		case a := <-s.answerable():
			s.p.answering = &a
		case request := <-s.p.resends:
			s.p.repeats.request(time.Now(), request, s.p.acknowledged())
		case read := <-s.reading:
			s.readOn(read)
		case <-s.pace:
			s.pace = nil
		case read := <-s.fetching:
			s.sendRecords(read)
		case <-s.turn:
			s.turn = nil
		case <-s.resume:
			s.resume = nil
		case m := <-recalled:
			s.p.remember(m)
		case <-health.C:
			if !s.ending {
				s.report()
			}
		case <-s.note:
			s.note = nil
			s.p.cursor.note(s.p.acknowledged())
			s.noteLater()
		case <-stop:
			stop = nil
			end = time.After(s.p.config.FlushTimeout + goodbyeTimeout)
			s.beginEnd()
		case <-s.flushed:
			s.flushed, s.last = nil, s.next
			s.stateDue, s.alertsDue, s.statusDue, s.healthDue, s.totalsDue = false, false, false, false, false
		case <-end:
			return errors.New("the broker did not acknowledge the goodbye in time")
		}
	}
}

// fill sends what is due and has room. It reports whether all is done, without a goodbye.
func (s *session) fill() (done bool) {
	if s.goodbye {
		return false
	}
	if s.p.access.anySuspected() {
		s.sendEvents() // the trial of what matters most comes first
		if s.hold == nil {
			s.hold = time.After(s.p.config.ProbeAfter)
		}
	} else {
		s.listen()
	}
	s.sendDue()
	s.sendEvents()
	s.listen()
	s.repeat()
	s.handOut()
	s.answerCommand()
	if !s.ending || s.wantsEvents() || s.due() ||
		s.underway[laneStatus]+s.underway[laneAlert]+s.underway[laneHealth]+s.underway[laneTotals] > 0 {
		return false
	}
	if s.goodbye = s.open(s.p.topics.status); s.goodbye {
		s.sendStatus(false, topic.ReasonShutDown, time.Now())
	}
	return !s.goodbye && s.count() == 0
}

// sendEvents sends the events that have room.
func (s *session) sendEvents() {
	for s.underway[laneEvent] < s.p.config.Window && s.wantsEvents() && s.open(s.p.topics.event) {
		r, ok := s.nextEvent()
		if !ok {
			break
		}
		s.next = r.Number
		s.send(delivery{
			lane: laneEvent, topic: s.p.topics.event, payload: s.p.eventMessage(r), sequence: r.Number,
			card: s.p.cardAt(r),
		})
	}
}

// due reports whether a retained message is still to be sent. The last health has the head
// that the pit keeps as a witness.
func (s *session) due() bool {
	return s.stateDue || s.alertsDue || s.statusDue && !s.p.access.leftOut(s.p.topics.status) ||
		s.healthDue && !s.p.access.leftOut(s.p.topics.health) || s.totalsDue && !s.p.access.leftOut(s.p.topics.totals)
}

// sendDue sends the retained messages that are due, each as soon as the previous one of its
// kind is acknowledged.
func (s *session) sendDue() {
	state := (s.stateDue || s.alertsDue) && s.underway[laneState]+s.underway[laneAlert] == 0
	if state {
		s.look()
	}
	if s.statusDue && s.underway[laneStatus] == 0 && s.open(s.p.topics.status) {
		s.statusDue = false
		s.sendStatus(true, topic.ReasonConnected, s.connected)
	}
	if s.healthDue && s.underway[laneHealth] == 0 && s.open(s.p.topics.health) {
		s.healthDue = false
		payload, heard := s.p.healthMessage()
		s.send(delivery{lane: laneHealth, topic: s.p.topics.health, payload: payload, retained: true, heard: heard})
	}
	if state {
		s.sendState()
	}
	if s.totalsDue && s.underway[laneTotals] == 0 && s.open(s.p.topics.totals) {
		s.sendTotals()
	}
	s.sendAnnouncement()
}

// sendAnnouncement sends the next announcement that may be sent; one that is left out is passed over.
func (s *session) sendAnnouncement() {
	all := s.p.config.Announce
	for !s.ending && s.announced < len(all) && s.underway[laneAnnounce] == 0 {
		next := all[s.announced]
		if !s.open(next.Topic) && !s.p.access.leftOut(next.Topic) {
			return
		}
		s.announced++
		if s.open(next.Topic) {
			s.send(delivery{
				lane: laneAnnounce, topic: next.Topic, payload: next.Payload, retained: true,
				announces: next,
			})
		}
	}
}

// sendTotals sends the newest totals, and waits for newer ones.
func (s *session) sendTotals() {
	s.totalsDue = false
	if !s.ending {
		s.counted = s.p.config.Totals.Changed()
	}
	if payload, ok := s.p.totalsMessage(); ok {
		s.send(delivery{lane: laneTotals, topic: s.p.topics.totals, payload: payload, retained: true})
	}
}

// look starts to wait for the next change of the state, before the state is read, and
// reports trouble at once.
func (s *session) look() {
	if !s.ending {
		s.changed = s.p.state.Changed()
	}
	if s.p.state.Trouble() != s.trouble {
		s.report()
	}
}

// wantsEvents reports whether more events must be sent.
func (s *session) wantsEvents() bool {
	return !s.ending || s.next < s.last && !s.p.access.leftOut(s.p.topics.event)
}

// nextEvent returns the event after the last one that was sent; false if there is none yet.
func (s *session) nextEvent() (topic.Record, bool) {
	if len(s.read) == 0 && !s.readJournal() {
		return topic.Record{}, false
	}
	r := s.read[0]
	s.read = s.read[1:]
	if r.Number > s.next+1 && r.Above {
		s.p.config.Log.Warn("the journal has no events between these: they were lost from it before, and the pit "+
			"sees a gap",
			"after", s.next, "next", r.Number)
	}
	if r.Number != s.next+1 && !(r.Above && r.Number > s.next) {
		s.pause(fmt.Errorf("the journal returned event %d after event %d: nothing more is published until that is "+
			"put right; verify the journal",
			r.Number, s.next))
		return topic.Record{}, false
	}
	return r, true
}

// readJournal reads ahead, and reports whether there was anything.
func (s *session) readJournal() bool {
	if s.appended != nil || s.resume != nil {
		return false
	}
	appended := s.p.journal.Changed()
	records, err := s.p.journal.Events(s.next, readAhead)
	if err != nil {
		s.pause(fmt.Errorf("read the journal after event %d: %w", s.next, err))
		return false
	}
	if len(records) == 0 {
		s.appended = appended
		return false
	}
	s.read = records
	return true
}

// pause stops reading the journal for a time after an error.
func (s *session) pause(err error) {
	s.p.journalFailed(err)
	s.read = nil
	s.resume = time.After(journalPause)
}

// sendState sends the newest view and its alerts, as far as they may be sent now.
func (s *session) sendState() {
	alerts := s.alertsDue
	state := s.stateDue && s.open(s.p.topics.state)
	s.stateHeld = s.stateHeld || s.stateDue && s.p.access.suspected(s.p.topics.state) && !state
	s.stateDue, s.alertsDue = false, false
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
		if was, sent := s.alerts[name]; sent && was == now {
			continue
		}
		d := delivery{lane: laneAlert, topic: s.p.config.Table.Alert(name), retained: true}
		if d.key = s.alertKey(d.topic); !s.open(d.key) {
			s.alertsHeld = s.alertsHeld || s.p.access.suspected(d.key)
			continue
		}
		s.alerts[name] = now
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
	s.statusDue, s.healthDue = true, true
	s.trouble = s.p.state.Trouble()
}

func (s *session) sendStatus(online bool, reason string, at time.Time) {
	s.send(delivery{
		lane: laneStatus, topic: s.p.topics.status, payload: s.p.statusMessage(online, reason, at), retained: true,
	})
}

func (s *session) send(d delivery) {
	if s.count() == 0 {
		s.silence.Reset(s.p.config.AckTimeout)
	}
	if d.key == "" {
		d.key = d.topic
	}
	s.begin(d.key)
	s.underway[d.lane]++
	s.link.send(d)
}

// count is how many messages are under way.
func (s *session) count() int {
	count := 0
	for _, n := range s.underway {
		count += n
	}
	return count
}

// settle notes an acknowledgement, and reports whether it was the goodbye's.
func (s *session) settle(d delivery) bool {
	s.underway[d.lane]--
	if s.count() == 0 {
		s.silence.Stop()
	} else {
		s.silence.Reset(s.p.config.AckTimeout)
	}
	s.answered(d.key, d)
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
			s.again = nil
		}
	case laneAnswer:
		s.p.answering = nil
	case laneRecords:
		s.p.fetches.answered(d.answers)
	}
	s.prove(d.lane)
	return d.lane == laneStatus && s.goodbye
}

// noteLater schedules a note of the cursor, if it has moved.
func (s *session) noteLater() {
	if s.note == nil && s.p.cursor.noted != s.p.acknowledged() {
		s.note = time.After(noteEvery)
	}
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
	if !s.works && (by == laneEvent || s.toCatchUp == 0 || s.p.access.leftOut(s.p.topics.event)) {
		s.works = true
		s.p.outage.Over(time.Now(), "to_catch_up", s.toCatchUp)
	}
	if by == laneEvent || time.Since(s.connected) > s.p.config.BackoffMax {
		s.p.backoff.Reset()
	}
}

// drain notes what the broker acknowledged before the connection was lost.
func (s *session) drain() {
	late := time.NewTimer(drainPatience)
	defer late.Stop()
	for s.count() > 0 {
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
	s.ending, s.stateDue, s.alertsDue, s.healthDue, s.changed = true, true, true, true, nil
	s.flushed = time.After(s.p.config.FlushTimeout)
	select {
	case <-s.counted:
		s.counted, s.totalsDue = nil, true
	default:
	}
	last, _, err := s.p.journal.Last()
	if err != nil {
		s.p.journalFailed(fmt.Errorf("read the journal's last event: %w", err))
	}
	s.last = last
}

// tryAgain fires when a denied topic should be tried again.
func (s *session) tryAgain() <-chan time.Time {
	at := s.p.access.due()
	if at.IsZero() {
		return nil
	}
	return time.After(time.Until(at))
}
