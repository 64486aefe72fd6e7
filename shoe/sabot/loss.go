package sabot

import (
	"fmt"
	"time"

	"github.com/sabot-table/sabot/firmware-protocol/wire"
	"github.com/sabot-table/sabot/shoe"
)

// compare finds what was lost, from a hello that answers ours, and sets where to continue.
//
// Within one boot the numbers tell exactly: what lies between the last event taken and the oldest one queued was
// acknowledged by another host, and never comes.
//
// With another boot the queue of the one before is gone, and nothing can show that it held no card: one may have been
// drawn after the last heartbeat, on a line that lost it, or while the shoe had no power to see it. So a restart, and
// an exchange of shoes, is always a loss of unknown size, which the dealer resolves by looking at the table. Only the
// very first meeting, with a shoe whose first event is still queued, is not a loss.
//
// A boot that was here before continues after the last event taken from it, however many others were here since.
//
// It returns false if the hello is not to be trusted yet.
func (l *link) compare(now time.Time, m *wire.Message) bool {
	if l.doubtful(now, m) {
		return false
	}
	known := l.boots.find(m.Boot)
	gone := m.First - 1 // nothing up to here will come
	switch {
	case known != nil && m.Last < known.taken:
		l.reused(now, boot{id: m.Boot, taken: gone}, m)
	case known != nil && known == &l.boots[0]:
		switch {
		case gone <= known.taken:
		case l.watches: // another host has acknowledged it, after an older hello that the line still had
			l.boots.enter(boot{known.id, gone, gone})
		default:
			l.lose(now, boot{known.id, gone, known.stored}, gone-known.taken, m)
		}
	case len(l.boots) == 0 && (gone == 0 || l.watches):
		// Nothing is owed for a boot without events, or by a side that only watches: as good as stored.
		l.boots.enter(boot{id: m.Boot, taken: gone, stored: gone})
		l.durableBoot = m.Boot
	case len(l.boots) == 0:
		l.lose(now, boot{id: m.Boot, taken: gone}, gone, m)
	case known != nil:
		l.exchanged(now, boot{known.id, max(gone, known.taken), known.stored}, m)
	default:
		l.exchanged(now, boot{id: m.Boot, taken: gone}, m)
	}
	return true
}

// doubtful says whether to ask again first for a hello that knows less of its boot than this side does: it may be an
// old one that the line repeated, and following it would bring cards twice.
func (l *link) doubtful(now time.Time, m *wire.Message) bool {
	known := l.boots.find(m.Boot)
	if known == nil || m.Last >= known.taken {
		l.times.doubted = time.Time{}
		return false
	}
	if l.times.doubted.IsZero() {
		l.times.doubted = now
		l.greet(now)
	}
	return now.Sub(l.times.doubted) < wire.HelloEvery
}

// exchanged continues with another boot, whose hello this is.
func (l *link) exchanged(now time.Time, b boot, hello *wire.Message) {
	l.arrears.announced = 0
	l.lose(now, b, 0, hello)
}

// reused continues with a shoe that restarted under a boot id that it had before, against the protocol. What was stored
// for that id means nothing now, which is put on record: the numbers come a second time.
func (l *link) reused(now time.Time, b boot, hello *wire.Message) {
	if l.durableBoot == b.id {
		l.durableBoot = 0
	}
	l.times.doubted = time.Time{}
	l.tell(shoe.Event{Kind: shoe.Reused, At: now, Code: fmt.Sprintf("%08x", b.id)})
	l.exchanged(now, b, hello)
}

// lose reports that the events up to the last one taken of a boot, which becomes the present one, will never come,
// except for those that have come; missing is 0 if their number is unknown. hello is the boot's.
func (l *link) lose(now time.Time, b boot, missing uint32, hello *wire.Message) {
	l.release()
	l.boots.enter(b)
	l.arrears.late = time.Time{}
	l.counts.Gaps++
	l.loss.awaited = min(hello.Last, hello.First-1+wire.Window)
	l.loss.untold = l.loss.awaited > b.taken
	l.tell(shoe.Event{Kind: shoe.Gap, At: now, Position: l.taken(), Missing: missing})
}

// tell passes an event to the table. A loss waits for the events that the shoe still has, as many as come before one of
// them is stored: the table asks people which cards are missing, and a card that is only late is not. A bad line would
// otherwise bring it after somebody had named it, and it would be dealt twice. Until then the link is not up.
func (l *link) tell(e shoe.Event) {
	if !l.loss.untold {
		l.queue.push(e)
		return
	}
	l.loss.withheld = append(l.loss.withheld, e)
	if l.boots[0].taken >= l.loss.awaited {
		l.release()
		l.rise(e.At)
	}
}

// release passes on what was withheld.
func (l *link) release() {
	for _, e := range l.loss.withheld {
		l.queue.push(e)
	}
	l.loss.untold, l.loss.withheld = false, nil
}
