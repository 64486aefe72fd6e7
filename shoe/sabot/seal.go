package sabot

import (
	"errors"
	"time"

	"github.com/sabot-table/sabot/device"
	"github.com/sabot-table/sabot/firmware-protocol/wire"
	"github.com/sabot-table/sabot/shoe"
)

// tamperingEvery is the least time between two alarms of one kind about the line.
const tamperingEvery = 10 * time.Second

// security is what the link needs for a shoe that shares a key.
type security struct {
	guard *wire.Guard
	nonce func() wire.Nonce // never the same twice

	missing uint64    // frames known to be missing in this session
	damaged bool      // something damaged came since the last opened frame
	lossy   time.Time // when bytes last came in a run of reads in which the port reported a loss; zero without one
	other   time.Time // when something of another session came last
	alarmed [len(tamperings)]time.Time
}

// secure has the link take and send only what is sealed under the key.
func (l *link) secure(k wire.Secret, nonce func() wire.Nonce) {
	l.security = &security{guard: wire.HostGuard(k), nonce: nonce}
}

// admit says whether what came is passed on to the protocol itself: without a key everything, and with one what was
// sealed in this session. Some of the rest prepares a session; anything else that is intact is an attack on the current
// one.
func (l *link) admit(now time.Time, m *wire.Message, err error) bool {
	switch {
	case l.security == nil:
		return true
	case m.Counter != 0:
		l.followCounters(now)
		return true
	case wire.Damaged(err):
		l.security.damaged = true
		return true
	}
	t, known := wire.TypeOf(m, err)
	switch {
	case !known && !l.session: // another version
		return true
	case known && t.FromHost():
		l.echo()
	default:
		l.good(now)
		l.unsealed(now, m, err)
	}
	return false
}

// unsealed processes an intact frame that belongs to no session.
func (l *link) unsealed(now time.Time, m *wire.Message, err error) {
	var seal *wire.SealError
	switch {
	case errors.As(err, &seal):
		l.unopened(now, seal)
	case err == nil && m.Type == wire.Answer:
		l.answered(now, m)
	case err == nil && m.Type == wire.Hello && l.asksForSession(m):
		l.met = m.Boot // whoever says so: what a host-hello names is stored
		l.ask(now)
	case l.session:
		l.tampered(now, wire.Forged)
	case err == nil && m.Type == wire.Hello:
		l.counts.Strays++
		l.refuse(now, ErrUnsecured)
	default:
		l.counts.Strays++
	}
}

// asksForSession says whether a hello without a seal is that of a shoe with a key. Anybody may have sent it, so it only
// makes this side ask.
func (l *link) asksForSession(m *wire.Message) bool {
	return !m.InSession && m.Capabilities&wire.Sealed != 0
}

// ask asks the shoe for a session. The current one continues until the shoe's sealed hello opens the next.
func (l *link) ask(now time.Time) {
	l.times.greeted = now
	l.due.hello = true
	if s := l.security; !s.guard.Asking() {
		s.guard.Ask(s.nonce())
	}
}

// answered processes the shoe's answer to the challenge.
func (l *link) answered(now time.Time, m *wire.Message) {
	fresh, err := l.security.guard.Answered(m)
	switch {
	case err == nil:
		l.due.sealed = l.due.sealed || fresh
	case errors.Is(err, wire.ErrProof) && !l.session:
		l.counts.Strays++
		l.refuse(now, ErrWrongKey)
	case errors.Is(err, wire.ErrProof):
		l.tampered(now, wire.Forged)
	default:
		l.stray(now, wire.Replayed)
	}
}

// unopened handles a seal that could not be opened.
func (l *link) unopened(now time.Time, seal *wire.SealError) {
	switch seal.Fault {
	case wire.Early:
		// The hello before it was lost, and comes again.
		l.counts.Strays++
	case wire.OldCounter:
		l.stray(now, wire.Replayed)
	default:
		l.stray(now, wire.Forged)
	}
}

// stray handles what belongs to another session. While we have none it may be what the shoe sent before it heard from
// us.
func (l *link) stray(now time.Time, what wire.Tampering) {
	if l.session {
		l.tampered(now, what)
		return
	}
	l.counts.Strays++
	l.security.other = now
}

// settled is the pause after which the kernel has handed over everything that arrived before it.
const settled = 100 * time.Millisecond

// arrived notes that bytes came, before they are read, and what the port's receiver has lost since it was last asked.
//
// For a hole in the counters lost bytes are damage, like bytes that came damaged. Where in the stream they are missing
// is not known: in what is being read, in what the kernel still has, or directly after that. So they excuse each hole
// until nothing has come for a pause, and the next one.
//
// An attacker who provokes such reports gains no more than by sending noise: the alarm stays out, but a frame that was
// taken from the line is missing all the same. A card comes again until it is acknowledged, and its number shows if it
// does not.
func (l *link) arrived(now time.Time, p []byte, lost device.Losses) {
	l.stranger.sample.Add(p, lost)
	if lost != (device.Losses{}) {
		l.remarks.note(lostBytes, errors.New(lost.String()))
	}
	s := l.security
	switch {
	case s == nil:
	case lost != (device.Losses{}):
		s.lossy = now
	case s.lossy.IsZero():
	case now.Sub(s.lossy) < settled:
		s.lossy = now
	default:
		s.lossy, s.damaged = time.Time{}, true
	}
}

// followCounters notices frames that vanished without a trace. A damaged one in
// their place is noise.
func (l *link) followCounters(now time.Time) {
	s := l.security
	if missing := s.guard.Missing(); missing != s.missing {
		if missing > s.missing {
			l.counts.Missing += missing - s.missing
			if !s.damaged && s.lossy.IsZero() {
				l.tampered(now, wire.Vanished)
			}
		}
		s.missing = missing
	}
	s.damaged = false
}

// tampered counts an attack on the line, and tells the table.
func (l *link) tampered(now time.Time, what wire.Tampering) {
	l.counts.Tampered[what]++
	s := l.security
	if last := s.alarmed[what]; !last.IsZero() && now.Sub(last) < tamperingEvery {
		l.remarks.note(attacked, tamperings[what])
		return
	}
	s.alarmed[what] = now
	l.queue.push(shoe.Event{Kind: shoe.AlarmRaised, At: now, Code: tamperingCode(what), Err: tamperings[what]})
}

// tamperingPrefix begins the name of an alarm about the line.
const tamperingPrefix = "tampering-"

// tamperingCode names the alarm of an attack, whichever side noticed it.
func tamperingCode(what wire.Tampering) string { return tamperingPrefix + what.String() }

// echo notes our own messages, from a looped line: no shoe sent them.
func (l *link) echo() {
	l.counts.Skipped++
	l.remarks.note(skipped, errEcho)
}

// leave ends the session; its keys open nothing more.
func (l *link) leave() {
	l.session = false
	if l.security != nil {
		l.security.guard.Leave()
	}
}

// exhausted says that the session has no counters left.
func (l *link) exhausted() bool { return l.security != nil && l.security.guard.Exhausted() }

// append appends a message as the shoe takes it in a session.
func (l *link) append(dst []byte, m wire.Message) []byte {
	if l.security == nil {
		return wire.AppendFrame(dst, m)
	}
	return l.security.guard.Append(dst, m)
}
