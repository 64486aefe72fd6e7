package sabot

import (
	"fmt"

	"github.com/sabot-table/sabot/firmware-protocol/wire"
	"github.com/sabot-table/sabot/shoe"
)

// identityOf is what a hello says of the shoe.
func identityOf(m *wire.Message) shoe.Identity {
	v := m.Firmware
	return shoe.Identity{Maker: Name, Serial: m.Text.String(), Firmware: fmt.Sprintf("%d.%d.%d", v[0], v[1], v[2])}
}

// readings is how sure the shoe was of the cards that it read last.
type readings struct {
	last [100]uint8
	n    int // of all, of which last holds the newest
}

// add takes a card that the shoe has read. Not every sensor measures its confidence.
func (r *readings) add(m *wire.Message) {
	if m.Confidence <= 100 && m.Rank != wire.RankUnread {
		r.last[r.n%len(r.last)] = m.Confidence
		r.n++
	}
}

// sum returns nil if no card was read.
func (r *readings) sum() *shoe.Confidence {
	c := shoe.Confidence{Cards: uint64(min(r.n, len(r.last))), Min: 100}
	if c.Cards == 0 {
		return nil
	}
	for _, one := range r.last[:c.Cards] {
		c.Min, c.Mean = min(c.Min, uint64(one)), c.Mean+uint64(one)
		if one < shoe.LowConfidence {
			c.Low++
		}
	}
	c.Mean /= c.Cards
	return &c
}

// Condition returns the length of the shoe's queue, and how sure it was of the last 100 cards that it read.
func (d *Driver) Condition() shoe.Condition {
	d.mu.Lock()
	defer d.mu.Unlock()
	c := shoe.Condition{Confidence: d.link.readings.sum()}
	if d.link.session {
		queued := uint64(d.link.queued)
		c.Queued = &queued
	}
	return c
}
