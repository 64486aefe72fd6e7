package sabot

import (
	"time"

	"github.com/sabot-table/sabot/firmware-protocol/wire"
	"github.com/sabot-table/sabot/shoe"
)

// compare finds what was lost, from a hello that answers ours, and sets where to continue.
//
// Within one boot the numbers tell exactly: what lies between the last event taken and the oldest one queued was
// acknowledged by another host, and never comes.
//
// With another boot the old queue is gone, and nothing can show that it held no card: one may have been drawn after the
// last heartbeat, on a line that lost it, or while the shoe had no power to see it. So a restart is always a loss of
// unknown size, which the dealer resolves by looking at the table. Only the very first meeting, with a shoe whose first
// event is still queued, is not a loss.
//
// It returns false if the hello is not to be trusted yet.
func (l *link) compare(now time.Time, m *wire.Message) bool {
	if l.doubtful(now, m) {
		return false
	}
	known := l.taken
	before := shoe.Position{Boot: m.Boot, Seq: m.First - 1} // nothing up to here will come
	switch {
	case m.Boot == known.Boot && m.Last >= known.Seq:
		if before.Seq > known.Seq {
			l.lose(now, before, before.Seq-known.Seq)
		}
	case m.Boot == known.Boot:
		l.reused(now, before)
	case known.Boot == 0 && (before.Seq == 0 || l.watches):
		// Nothing is owed for a boot without events, or by a side that only watches: as good as stored.
		l.taken, l.stored = before, before
	case known.Boot == 0:
		l.lose(now, before, before.Seq)
	default:
		l.restarted(now, before, m.Last)
	}
	return true
}

// doubtful says whether to ask again first for a hello that knows less of its boot than this side does: it may be an
// old one that the line repeated, and following it would bring cards twice.
func (l *link) doubtful(now time.Time, m *wire.Message) bool {
	if m.Boot != l.taken.Boot || m.Last >= l.taken.Seq {
		l.doubted = time.Time{}
		return false
	}
	if l.doubted.IsZero() {
		l.doubted = now
		l.greet(now)
	}
	return now.Sub(l.doubted) < wire.HelloEvery
}

// restarted continues with another boot; if that boot took turns with this one, after the last event taken from it.
func (l *link) restarted(now time.Time, before shoe.Position, last uint32) {
	if l.former.Boot == before.Boot && l.former.Seq <= last {
		before.Seq = max(before.Seq, l.former.Seq)
	}
	l.former, l.announced = l.taken, 0
	l.lose(now, before, 0)
}

// reused continues with a shoe that restarted under the boot id it had before, against the protocol. What was stored
// for that id means nothing now.
func (l *link) reused(now time.Time, before shoe.Position) {
	if l.stored.Boot == before.Boot {
		l.stored = shoe.Position{}
	}
	l.announced, l.doubted = 0, time.Time{}
	l.lose(now, before, 0)
}

// lose reports that the events after the last one taken, up to and including the one at p, will never come; missing is
// 0 if their number is unknown.
func (l *link) lose(now time.Time, p shoe.Position, missing uint32) {
	l.taken = p
	l.late = time.Time{}
	l.counts.Gaps++
	l.queue.push(shoe.Event{Kind: shoe.Gap, At: now, Position: p, Missing: missing})
}
