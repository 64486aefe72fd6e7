package replica

import (
	"bytes"
	"strconv"

	"github.com/sabot-table/sabot/pit/store"
	"github.com/sabot-table/sabot/pit/topic"
)

// events follows which events of a table are heard. They are hints, and may be lost: so each health says anew from
// where to count.
type events struct {
	journal string
	heard   uint64
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
	s.events[table] = events{id, max(t.Heard, t.Acknowledged), s.connection}
	waiting := s.told[table]
	if n := len(waiting); n > 0 && waiting[n-1].Boot == t.Boot && waiting[n-1].Head.ID == id {
		t.Watched, t.Heard = waiting[n-1].Watched, waiting[n-1].Heard // what matters is what was before its first word
		waiting = waiting[:n-1]
	}
	waiting = append(waiting, t)
	s.told[table] = waiting[max(0, len(waiting)-mostTold):]
}

// event takes an event of a table.
func (s *hearsay) event(table topic.Table, payload []byte) {
	seen := s.events[table]
	if number := sequenceOf(payload); seen.journal != "" && number == seen.heard+1 {
		seen.heard = number
		s.events[table] = seen
	}
}

// next takes what a table told first of what is not compared yet, nil for nothing.
func (s *hearsay) next() (*store.Told, topic.Table) {
	for table, waiting := range s.told {
		if s.told[table] = waiting[1:]; len(waiting) == 1 {
			delete(s.told, table)
		}
		return &waiting[0], table
	}
	return nil, topic.Table{}
}

var beginSequence = []byte(`"sequence":`)

// sequenceOf is the number of an event, 0 for none. A night has a hundred thousand of them: none is parsed as a
// whole.
func sequenceOf(payload []byte) uint64 {
	_, rest, found := bytes.Cut(payload, beginSequence)
	end := bytes.IndexFunc(rest, func(r rune) bool { return r < '0' || r > '9' })
	if !found || end < 1 {
		return 0
	}
	number, err := strconv.ParseUint(string(rest[:end]), 10, 63)
	if err != nil {
		return 0
	}
	return number
}
