package shoesim

import (
	"time"

	"github.com/sabot-table/sabot/firmware-protocol/wire"
)

// Card: a card left the shoe. The code is sent as it is, even a wrong one.
func (c *Core) Card(now time.Duration, r wire.Rank, s wire.Suit, confidence uint8) {
	c.putMessage(now, wire.Message{Type: wire.Card, Rank: r, Suit: s, Confidence: confidence})
}

// CutCard: the cut card reached the exit.
func (c *Core) CutCard(now time.Duration) { c.putMessage(now, wire.Message{Type: wire.CutCard}) }

// Key: a key from 1 to wire.MaxKey was pressed or released. While the queue is full keys make no events; what changed
// meanwhile is reported afterwards.
func (c *Core) Key(now time.Duration, number uint8, down bool) {
	if bit := keyBit(number); down {
		c.keysDown |= bit
	} else {
		c.keysDown &^= bit
	}
	if !c.queueFull {
		c.tellKeys(now)
	}
}

// RaiseAlarm: a fault of the shoe began.
func (c *Core) RaiseAlarm(now time.Duration, a wire.AlarmCode, detail uint16) {
	c.putMessage(now, wire.Message{Type: wire.AlarmRaised, Alarm: a, Detail: detail})
}

// ClearAlarm is the end of an alarm.
func (c *Core) ClearAlarm(now time.Duration, a wire.AlarmCode, detail uint16) {
	c.putMessage(now, wire.Message{Type: wire.AlarmCleared, Alarm: a, Detail: detail})
}

// Log sends a log text with the next Step. It is not kept.
func (c *Core) Log(level wire.Level, text string) {
	c.send(wire.Message{Type: wire.Log, Level: level, Text: wire.TextOf(text)})
}

// Locks says why the card exit is locked; 0 if it is free.
func (c *Core) Locks() wire.LockBits { return c.locks }

// Light is what the lamp shows.
func (c *Core) Light() wire.Light { return c.light }

// InSession says whether a host has sent its hello and is still there.
func (c *Core) InSession() bool { return c.session }

// Queued is how many events wait for acknowledgement.
func (c *Core) Queued() int { return c.queue.size }

// Last is the number of the newest event, 0 if there is none.
func (c *Core) Last() uint32 { return c.queue.last }

// Counts returns what was done since boot.
func (c *Core) Counts() Counts { return c.counts }

// putMessage queues what happened, and stops the game before the queue overflows.
func (c *Core) putMessage(now time.Duration, m wire.Message) {
	c.tellLost(now)
	if !c.queue.push(now, m) {
		c.lost++
		c.counts.Lost++
		return
	}
	if c.queue.size < c.queue.lockAt() || c.queueFull {
		return
	}
	c.queueFull = true
	waiting := uint16(c.queue.size)
	if c.has(wire.CanLock) {
		c.setLock(now, wire.LockedByQueue, true)
	}
	c.RaiseAlarm(now, wire.AlarmQueueFull, waiting)
}

// relieve handles an acknowledgement that makes room again.
func (c *Core) relieve(now time.Duration) {
	c.tellLost(now)
	if !c.queueFull || c.queue.size > c.queue.unlockAt() {
		return
	}
	c.queueFull = false
	c.ClearAlarm(now, wire.AlarmQueueFull, 0)
	c.setLock(now, wire.LockedByQueue, false)
	c.tellKeys(now)
}

// tellLost queues the count of the events that had no place, once there is a place.
func (c *Core) tellLost(now time.Duration) {
	if c.lost == 0 {
		return
	}
	if c.queue.push(now, wire.Message{
		Type: wire.AlarmRaised, Alarm: wire.AlarmEventsLost,
		Detail: lostDetail(c.lost),
	}) {
		c.lost = 0
	}
}

func (c *Core) setLock(now time.Duration, why wire.LockBits, locked bool) {
	locks := c.locks &^ why
	if locked {
		locks |= why
	}
	if locks != c.locks {
		c.locks = locks
		c.putMessage(now, wire.Message{Type: wire.LockState, Locks: locks})
	}
}

// tellKeys queues an event for each key whose position has not been reported yet.
func (c *Core) tellKeys(now time.Duration) {
	for n := uint8(1); n <= wire.MaxKey; n++ {
		bit := keyBit(n)
		if (c.keysDown^c.keysTold)&bit == 0 {
			continue
		}
		c.keysTold ^= bit
		c.putMessage(now, wire.Message{Type: wire.Key, KeyNumber: n, Down: c.keysDown&bit != 0})
	}
}

// keyBit is a key's bit in a byte of keys, 0 for a number that is not a key's.
func keyBit(number uint8) uint8 {
	if number == 0 || number > wire.MaxKey {
		return 0
	}
	return 1 << (number - 1)
}
