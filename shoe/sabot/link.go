package sabot

import (
	"errors"
	"fmt"
	"time"

	"github.com/sabot-table/sabot/device"
	"github.com/sabot-table/sabot/firmware-protocol/wire"
	"github.com/sabot-table/sabot/shoe"
)

const (
	// greetSlowly is the time between host-hellos to a refused shoe.
	greetSlowly = 5 * time.Second
	// reopenAfter is the silence after which the port itself is doubted.
	reopenAfter = 5 * time.Second
	// stalledAfter is how long the oldest event may fail to arrive.
	stalledAfter = 3 * time.Second
	// pressWithin is how soon the press of a key comes if nothing goes wrong.
	pressWithin = time.Second
	// steady is the longest time between two ticks during which this side is not taken to have stood still.
	steady = 500 * time.Millisecond
)

// link is the host's side of the protocol: messages and time go in, events and
// frames come out. It does no I/O, reads no clock and is not safe for
// concurrent use. What its parts do not know is one state: what a message means
// depends on most of it.
type link struct {
	queue   queue
	remarks remarks
	counts  Stats

	// boots are known by their ids: of shoes that take turns at a table, each is recognized.
	boots boots
	// durableBoot is the boot of the last durable event, 0 for none: between a shoe's restart and its first stored
	// event, the boot before. met is that of the shoe which spoke last.
	durableBoot, met uint32

	open    bool // a port is open
	session bool // the shoe has answered
	refused bool // it has another protocol version or key; cleared when it answers
	garbage bool // bad frames came since the last good one, or more bytes than a frame has
	up      bool // what the table was last told
	reason  string
	shoe    shoe.Identity
	can     wire.Capabilities

	queued   uint32 // events in the shoe's own queue, as it last said
	readings readings
	loss     loss
	arrears  arrears
	times    times
	stranger stranger

	due  due
	lock setting[bool]
	lamp setting[wire.Light]

	// ended says that the table has gone, and wants nothing more.
	ended bool

	// watches says that this side stores nothing: what another host has acknowledged is not missing.
	watches bool

	security *security // nil without a key
}

// loss is one that waits to be told until the event of the number awaited is here; withheld are the loss and the events
// after it.
type loss struct {
	untold   bool
	awaited  uint32
	withheld []shoe.Event
}

// arrears are the events that the shoe has mentioned and that are not here.
type arrears struct {
	// announced is the highest number of this boot that the shoe has mentioned, and before the one that its hello has
	// mentioned; waits since when taken is lower, and late since when nothing moved although it is; stalled that this
	// was reported.
	announced, before uint32
	waits, late       time.Time
	stalled           bool
}

// times are when something happened last.
type times struct {
	heard   time.Time // the last good frame arrived
	alive   time.Time // the last good frame of a session arrived, or the port was opened
	greeted time.Time // the last host-hello was sent
	ticked  time.Time
	doubted time.Time // a hello arrived that knows less than we do
}

// stranger is what speaks on the line and is no shoe of ours.
type stranger struct {
	sample    shoe.Sample // what came since the last intact frame
	noted     uint64      // how much of it the log has heard of
	guess     string      // what it looked like
	looksLike func(*shoe.Sample) string
}

// due says which frames are to be sent. With a key, hello stands for the challenge
// and sealed for the hello that follows its answer.
type due struct{ zero, hello, sealed, acknowledge, lock, lamp bool }

// setting is a state of the shoe that the table wants; known once the table has asked for one.
type setting[T comparable] struct {
	wanted T
	known  bool
}

// newLink is the link of a table whose journal has these positions, the latest first.
func newLink(stored ...shoe.Position) *link {
	l := &link{boots: storedBoots(stored), stranger: stranger{looksLike: shoe.Options{}.LooksLike}}
	l.durableBoot = l.taken().Boot
	return l
}

// opened starts afresh on a newly opened port.
func (l *link) opened(now time.Time) {
	l.open, l.garbage, l.refused = true, l.stranger.noted > 0, false
	l.arrears.late, l.times.doubted = time.Time{}, time.Time{}
	l.times.heard, l.times.alive, l.times.ticked = now, now, now
	l.counts.Ports++
	l.due = due{zero: true}
	if l.security != nil {
		l.security.guard.Drop()
	}
	l.greet(now)
}

// closed reports why there is no port.
func (l *link) closed(now time.Time, err error) {
	l.open, l.session = false, false
	l.due = due{}
	if _, pulled := errors.AsType[*device.Error](err); pulled {
		l.stranger.guess = "" // it may be another shoe that comes back
		l.stranger.sample.Reset()
		l.stranger.noted = 0
	}
	l.down(now, err)
}

// greet asks the shoe, for the first time or again, where it is.
func (l *link) greet(now time.Time) {
	l.leave()
	if l.security != nil {
		l.ask(now)
		return
	}
	l.times.greeted = now
	l.due.hello = true
}

// tick lets time pass. Call it a few times a second while a port is open; an error means that the port should be
// reopened.
func (l *link) tick(now time.Time) error {
	l.forgiveStandstill(now)
	if !l.refused && now.Sub(l.times.alive) >= wire.LinkLostAfter {
		l.down(now, l.silence(now))
		l.leave()
		l.arrears.late = time.Time{}
	}
	if l.session && !l.arrears.stalled && !l.arrears.late.IsZero() && now.Sub(l.arrears.late) >= stalledAfter {
		l.arrears.stalled = true
		l.down(now, ErrStalled)
	}
	if !l.session && now.Sub(l.times.greeted) >= l.greetEvery() || l.exhausted() {
		l.greet(now)
	}
	if now.Sub(l.times.heard) >= reopenAfter {
		return l.silence(now)
	}
	return nil
}

// patience is the time until the next tick has something to do, at most half of what counts as a standstill.
func (l *link) patience(now time.Time) time.Duration {
	wait := steady / 2
	for _, at := range [...]time.Time{
		l.times.alive.Add(wire.LinkLostAfter), l.arrears.late.Add(stalledAfter), l.times.greeted.Add(l.greetEvery()),
		l.times.heard.Add(reopenAfter),
	} {
		if until := at.Sub(now); until > 0 {
			wait = min(wait, until)
		}
	}
	return wait
}

// greetEvery is the time between two host-hellos.
func (l *link) greetEvery() time.Duration {
	if l.refused {
		return greetSlowly
	}
	return wire.HelloEvery
}

// forgiveStandstill does not count time in which this side itself stood still
// as silence of the shoe, since frames may wait unread.
func (l *link) forgiveStandstill(now time.Time) {
	if stood := now.Sub(l.times.ticked) - steady; stood > 0 {
		for _, t := range []*time.Time{&l.times.heard, &l.times.alive, &l.arrears.late} {
			if !t.IsZero() {
				*t = t.Add(stood)
			}
		}
	}
	l.times.ticked = now
}

// silence returns the reason why there is no session.
func (l *link) silence(now time.Time) error {
	switch {
	case l.security != nil && now.Sub(l.security.other) < wire.LinkLostAfter:
		return ErrOtherSession
	case now.Sub(l.times.heard) < wire.LinkLostAfter:
		return ErrNotHeard
	case l.stranger.guess != "":
		return fmt.Errorf("%w: %s", ErrGarbage, l.stranger.guess)
	case l.garbage:
		return ErrGarbage
	default:
		return ErrSilent
	}
}

// down tells the table once for each reason.
func (l *link) down(now time.Time, err error) {
	if !l.up && l.reason == err.Error() {
		return
	}
	l.up, l.reason = false, err.Error()
	l.queue.push(shoe.Event{Kind: shoe.Down, At: now, Err: err})
}

// receive takes what the codec found.
func (l *link) receive(now time.Time, m wire.Message, err error) {
	if !wire.Damaged(err) {
		l.stranger.sample.Reset()
		l.stranger.noted = 0
	}
	if !l.admit(now, &m, err) || !l.intact(now, &m, err) {
		return
	}
	l.good(now)
	if l.session {
		l.times.alive = now
	}
	switch {
	case m.Type == wire.Hello:
		l.hello(now, &m)
	case m.Type == wire.Log:
		l.remarks.line(now, logLine{m.Level, m.Text})
	case !l.session:
		// Until the shoe answers, its numbers are unknown. What it sent comes again.
	case m.Type == wire.Heartbeat:
		l.heartbeat(now, &m)
	case m.Numbered():
		l.event(now, &m, err)
	}
}

// good notes a frame that only a shoe of this make can have sent.
func (l *link) good(now time.Time) {
	l.times.heard, l.garbage, l.stranger.guess = now, false, ""
}

// unframed notes bytes in which no frame was found, and what they look like.
func (l *link) unframed() {
	if l.stranger.sample.Received < l.stranger.noted+wire.MaxFrame {
		return
	}
	l.stranger.noted = l.stranger.sample.Received
	l.garbage = true
	l.remarks.note(strangeBytes, l.stranger.sample.Last())
	if guess := l.stranger.looksLike(&l.stranger.sample); guess != "" {
		l.stranger.guess = guess
	}
}

// intact counts what is wrong, and says whether it shows that the shoe is there.
func (l *link) intact(now time.Time, m *wire.Message, err error) bool {
	switch {
	case err != nil:
		return l.faulty(now, m, err)
	case m.Type.FromHost():
		l.echo()
		return false
	default:
		return true
	}
}

func (l *link) faulty(now time.Time, m *wire.Message, err error) (heard bool) {
	var version *wire.VersionError
	var seal *wire.SealError
	var unknown *wire.UnknownTypeError
	switch {
	case errors.As(err, &version):
		l.refuse(now, versionError(version))
		return false
	case errors.As(err, &seal):
		l.refuse(now, ErrNeedsKey)
		return false
	case errors.As(err, &unknown):
		l.remarks.note(skipped, err)
		return true
	case wire.Damaged(err):
		l.garbage = true
		l.remarks.note(damaged, err)
		return false
	default:
		l.remarks.note(misused, err)
		return m.Numbered()
	}
}

var errEcho = errors.New("our own messages come back: is the line looped?")

// refuse gives up a shoe of another version or key, but still asks it now and then.
func (l *link) refuse(now time.Time, err error) {
	l.times.heard, l.refused = now, true
	l.arrears.late = time.Time{}
	l.leave()
	l.down(now, err)
}

func (l *link) hello(now time.Time, m *wire.Message) {
	l.met = m.Boot
	switch {
	case m.InSession:
	case l.security == nil && m.Capabilities&wire.Sealed != 0:
		l.refuse(now, ErrNeedsKey)
		return
	default:
		l.greet(now)
		return
	}
	if !l.compare(now, m) {
		return
	}
	l.counts.Sessions++
	l.session, l.refused = true, false
	l.times.alive, l.can, l.queued = now, m.Capabilities, m.Last-m.First+1
	l.identify(identityOf(m))
	l.due.hello, l.due.sealed = false, false
	l.needLock(true)
	l.needLamp(true)
	l.behind(now, m.Last)
	l.arrears.before = m.Last
	l.rise(now)
}

// identify notes which shoe answers. The table must hear of another one, even if it did not miss the first.
func (l *link) identify(now shoe.Identity) {
	if now != l.shoe {
		l.shoe, l.up, l.readings = now, false, readings{}
	}
}

// rise tells the table that the link is up, and with which shoe.
func (l *link) rise(now time.Time) {
	if l.up || l.arrears.stalled || !l.session || l.loss.untold {
		return
	}
	l.up, l.reason = true, ""
	l.queue.push(shoe.Event{Kind: shoe.Up, At: now, Shoe: l.shoe})
}

func (l *link) heartbeat(now time.Time, m *wire.Message) {
	oldest := uint64(m.Last) + 1 - uint64(m.Queued)
	l.met = m.Boot
	if taken := l.taken(); m.Boot != taken.Boot || oldest > uint64(taken.Seq)+1 {
		l.greet(now)
		return
	}
	l.due.acknowledge, l.queued = true, uint32(m.Queued)
	l.needLock(l.lock.wanted != (m.Locks&wire.LockedByHost != 0))
	l.needLamp(l.lamp.wanted != m.Light)
	l.behind(now, m.Last)
}

// event takes the next event in order, and no other.
func (l *link) event(now time.Time, m *wire.Message, misread error) {
	l.met = m.Boot
	taken := l.taken()
	switch {
	case m.Boot != taken.Boot:
		l.greet(now)
		return
	case m.Seq <= taken.Seq:
		l.counts.Duplicates++
		l.due.acknowledge = true
		return
	case m.Seq != taken.Seq+1:
		l.counts.Early++
	case !l.queue.room():
		l.counts.Deferred++
	default:
		l.takeMessage(now, m, misread)
	}
	l.behind(now, m.Seq)
}

func (l *link) takeMessage(now time.Time, m *wire.Message, misread error) {
	e := eventOf(m, misread)
	e.At = now
	e.Late = e.Kind == shoe.Key && l.waited(now, m.Seq)
	l.boots[0].taken = e.Position.Seq
	l.counts.Events++
	if e.Kind == shoe.Gap {
		l.counts.Gaps++
	}
	switch {
	case m.Type != wire.Card:
	case misread != nil:
		l.counts.Unread++
	default:
		l.readings.add(m)
	}
	l.moved(now)
	l.tell(e)
}

// waited says that an event of this number, which comes now, happened before the session, or may have happened
// pressWithin ago.
func (l *link) waited(now time.Time, seq uint32) bool {
	return seq <= l.arrears.before || seq <= l.arrears.announced && now.Sub(l.arrears.waits) >= pressWithin
}

// behind records how far the shoe has got, and since when the line has failed to bring its events. While we owe it an
// acknowledgement it may have to wait for us, which is not a failure of the line.
func (l *link) behind(now time.Time, announced uint32) {
	l.arrears.announced = max(l.arrears.announced, announced)
	if l.arrears.announced <= l.taken().Seq {
		l.arrears.waits = time.Time{}
		l.moved(now)
		return
	}
	if l.arrears.waits.IsZero() {
		l.arrears.waits = now
	}
	switch {
	case l.owes() && !l.loss.untold:
		l.arrears.late = time.Time{}
	case l.arrears.late.IsZero():
		l.arrears.late = now
	}
}

// moved ends a stall.
func (l *link) moved(now time.Time) {
	l.arrears.late, l.arrears.stalled = time.Time{}, false
	l.rise(now)
}
