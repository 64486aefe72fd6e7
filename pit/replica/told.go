package replica

import (
	"encoding/json"

	"github.com/sabot-table/sabot/pit/store"
	"github.com/sabot-table/sabot/pit/topic"
)

// events follows up to which event a table's records are heard. What it says by itself may be lost: so each health says
// anew from where to count.
type events struct {
	journal       string
	record, heard uint64
	// connection is the one over which a health was heard last.
	connection uint64
}

// hearsay is what tables tell of their journals, until it is compared with what is kept of them.
type hearsay struct {
	told   map[topic.Table][]store.Told
	events map[topic.Table]events
	// connection counts the connections to the broker.
	connection uint64
	// several says that the broker consists of several nodes, whose lines to each other may lose what a table says, and
	// nobody is told.
	several bool
}

// mostTold is how many starts of a table wait to be kept, each with what it said last.
const mostTold = 8

// health takes a health, which is of a table that has a place.
func (s *hearsay) health(table topic.Table, h *topic.Health) {
	seen := s.events[table]
	id := h.Journal.Head.ID
	t := store.Told{
		Head: *h.Journal.Head, Boot: h.Boot, Acknowledged: h.Journal.Acknowledged(), Away: h.Journal.Away,
		Began: h.Journal.Began,
		At:    h.Time, Watched: seen.journal == id && seen.connection == s.connection && !s.several,
	}
	if seen.journal == id {
		t.Heard = seen.heard
	}
	s.events[table] = events{id, h.Journal.Head.Record, max(t.Heard, t.Acknowledged), s.connection}
	waiting := s.told[table]
	if n := len(waiting); n > 0 && waiting[n-1].Boot == t.Boot && waiting[n-1].Head.ID == id {
		t.Watched, t.Heard = waiting[n-1].Watched, waiting[n-1].Heard // what matters is what was before its first word
		waiting = waiting[:n-1]
	}
	waiting = append(waiting, t)
	s.told[table] = waiting[max(0, len(waiting)-mostTold):]
}

// stream takes records that a table says by itself, from one position to another.
func (s *hearsay) stream(table topic.Table, after, last Position, records []json.RawMessage) {
	seen := s.events[table]
	if seen.journal != after.Journal || seen.record < after.Record || seen.record >= last.Record {
		return
	}
	seen.record = last.Record
	seen.heard = max(seen.heard, lastEventOf(records[len(records)-1]))
	s.events[table] = seen
}

// next takes what a table told first of what is not compared yet, nil for nothing.
func (s *hearsay) next(table topic.Table) *store.Told {
	waiting := s.told[table]
	if len(waiting) == 0 {
		return nil
	}
	if s.told[table] = waiting[1:]; len(waiting) == 1 {
		delete(s.told, table)
	}
	return &waiting[0]
}

// lastEventOf is the number of a record's last event, or of the last one before it; 0 for what is no record, and for a
// number that no event has.
func lastEventOf(record json.RawMessage) uint64 {
	var lines []json.RawMessage
	var closing struct{ Event uint64 }
	if json.Unmarshal(record, &lines) != nil || len(lines) < 2 ||
		json.Unmarshal(lines[len(lines)-1], &closing) != nil || closing.Event == 0 ||
		closing.Event > topic.MostNumber {
		return 0
	}
	return closing.Event + uint64(len(lines)) - 3 // of the others one is the input
}
