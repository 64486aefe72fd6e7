package shoesim

import (
	"math"
	"time"

	"github.com/sabot-table/sabot/firmware-protocol/wire"
)

// record is an event as a microcontroller would keep it: boot and number follow
// from its place.
type record struct {
	micros uint64
	kind   wire.Type
	data   [3]byte
}

// queue holds the events that the host has not acknowledged, oldest first.
type queue struct {
	ring []record
	head int    // place of the oldest
	size int    // how many
	last uint32 // number of the newest event ever queued
}

// lockAt is the filling at which the exit is locked, unlockAt that at which it is unlocked.
func (q *queue) lockAt() int   { return len(q.ring) - (wire.QueueSize - wire.LockAt) }
func (q *queue) unlockAt() int { return len(q.ring) * wire.UnlockAt / wire.QueueSize }

// first is the number of the oldest event, or of the next one if none waits.
func (q *queue) first() uint32 { return q.last - uint32(q.size) + 1 }

// usedUp says that there is no number for another event.
func (q *queue) usedUp() bool { return q.last == math.MaxUint32 }

// push numbers an event and keeps it; it returns false if there is no place, or no number.
func (q *queue) push(now time.Duration, m wire.Message) bool {
	if q.size == len(q.ring) || q.usedUp() {
		return false
	}
	q.ring[(q.head+q.size)%len(q.ring)] = record{uint64(now.Microseconds()), m.Type, pack(m)}
	q.size++
	q.last++
	return true
}

// dropThrough removes the events up to number seq, which is one of them, and returns how many there were.
func (q *queue) dropThrough(seq uint32) int {
	n := int(seq - q.first() + 1)
	q.head = (q.head + n) % len(q.ring)
	q.size -= n
	return n
}

// message returns the event at place i, counted from the oldest.
func (q *queue) message(i int, boot uint32) wire.Message {
	r := q.ring[(q.head+i)%len(q.ring)]
	m := wire.Message{Type: r.kind, Boot: boot, Seq: q.first() + uint32(i), Micros: r.micros}
	unpack(&m, r.data)
	return m
}

func pack(m wire.Message) (d [3]byte) {
	switch m.Type {
	case wire.Card:
		d = [3]byte{byte(m.Rank), byte(m.Suit), m.Confidence}
	case wire.Key:
		d[0] = m.KeyNumber
		if m.Down {
			d[1] = 1
		}
	case wire.AlarmRaised, wire.AlarmCleared:
		d = [3]byte{byte(m.Alarm), byte(m.Detail), byte(m.Detail >> 8)}
	case wire.LockState:
		d[0] = byte(m.Locks)
	}
	return d
}

func unpack(m *wire.Message, d [3]byte) {
	switch m.Type {
	case wire.Card:
		m.Rank, m.Suit, m.Confidence = wire.Rank(d[0]), wire.Suit(d[1]), d[2]
	case wire.Key:
		m.KeyNumber, m.Down = d[0], d[1] == 1
	case wire.AlarmRaised, wire.AlarmCleared:
		m.Alarm, m.Detail = wire.AlarmCode(d[0]), uint16(d[1])|uint16(d[2])<<8
	case wire.LockState:
		m.Locks = wire.LockBits(d[0])
	}
}
