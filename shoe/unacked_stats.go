package shoe

import (
	"errors"

	"github.com/sabot-table/sabot/shoe/card"
)

// errBusy is the reason for the gap in place of events that found no room.
var errBusy = errors.New("the table took no events for too long, and this shoe does not wait")

// DecoderCounts are what a Decoder received.
type DecoderCounts struct {
	Messages uint64 // intact messages, including those without a meaning
	Repeated uint64 // of these, those that came again
	// PassedOver counts those that were not taken although nothing of the kind had come on this port: they are equal to
	// one before it was opened, or came after their loss was reported.
	PassedOver uint64
	Unknown    uint64 // of these, those without a known meaning
	Damaged    uint64 // messages, or pieces of one, that could not be read
	Dropped    uint64 // bytes that belong to no message
}

// Heard is what a Decoder counts and notes, for it to embed.
type Heard struct {
	Count DecoderCounts
	Log   Remarks
}

// Counts returns what was received so far.
func (h *Heard) Counts() DecoderCounts { return h.Count }

// Remarks returns what is to be logged.
func (h *Heard) Remarks() *Remarks { return &h.Log }

// UnackedStats counts what a driver has seen since it started.
type UnackedStats struct {
	DecoderCounts
	Ports    uint64 // ports opened; one more than the reconnections
	Events   uint64 // events passed on, except gaps
	Unread   uint64 // of these, cards without identity
	Gaps     uint64 // losses reported, certain or not
	Overflow uint64 // events lost because the table was busy
}

func (s *UnackedStats) count(e *Event) {
	if e.Kind == Gap {
		s.Gaps++
		return
	}
	s.Events++
	if e.Kind == Drawn && e.Card == card.Unread {
		s.Unread++
	}
}

// Counters returns the counts, by the same names as other shoes' where they mean the same.
func (d *Unacked) Counters() map[string]uint64 {
	s := d.Stats()
	counters := map[string]uint64{
		"ports": s.Ports, "frames": s.Messages, "bad_frames": s.Damaged, "skipped": s.Unknown,
		"dropped_bytes": s.Dropped, "events": s.Events, "unread": s.Unread, "duplicates": s.Repeated,
		"overflow": s.Overflow, "gaps": s.Gaps, "passed_over": s.PassedOver,
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.meter.AddTo(counters)
	return counters
}
