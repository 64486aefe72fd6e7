package oneway

import (
	"errors"

	"github.com/sabot-table/sabot/shoe"
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/shoe/remark"
)

// errBusy is the reason for the gap after events that found no place.
var errBusy = errors.New("the table took no events for too long, and this shoe does not wait")

// Counts are what a Decoder heard.
type Counts struct {
	Messages uint64 // intact messages, also those without a meaning
	Repeated uint64 // of these, that came again
	Unknown  uint64 // of these, without a meaning that is known
	Damaged  uint64 // messages, or pieces of one, that could not be read
	Dropped  uint64 // bytes that belong to no message
}

// Heard is what a Decoder counts and remarks, for it to embed.
type Heard struct {
	Count Counts
	Log   remark.Book
}

// Counts returns what was heard so far.
func (h *Heard) Counts() Counts { return h.Count }

// Remarks returns what is to be logged.
func (h *Heard) Remarks() *remark.Book { return &h.Log }

// Stats counts what a driver saw since it began.
type Stats struct {
	Counts
	Ports    uint64 // ports opened; one more than the reconnections
	Events   uint64 // events handed on, gaps apart
	Unread   uint64 // cards without identity among them
	Gaps     uint64 // losses reported, sure ones and others
	Overflow uint64 // events lost as the table was busy
}

func (s *Stats) count(e *shoe.Event) {
	if e.Kind == shoe.Gap {
		s.Gaps++
		return
	}
	s.Events++
	if e.Kind == shoe.Drawn && e.Card == card.Unread {
		s.Unread++
	}
}

// Counters are the counts by the names that those of other shoes have too, as far as they
// are the same.
func (d *Driver) Counters() map[string]uint64 {
	s := d.Stats()
	return map[string]uint64{
		"ports": s.Ports, "frames": s.Messages, "bad_frames": s.Damaged, "skipped": s.Unknown,
		"dropped_bytes": s.Dropped, "events": s.Events, "unread": s.Unread, "duplicates": s.Repeated,
		"overflow": s.Overflow, "gaps": s.Gaps,
	}
}
