package publish

import "github.com/sabot-table/sabot/pit/topic"

// stream is the journal's records as they become durable, in order, for everybody who keeps a copy: whoever has all up
// to the one before needs not ask for them. It is only fast. What a reader lacks, such as all of an earlier time, it
// fetches.
type stream struct {
	journal string          // "" where nothing is said by itself
	sent    uint64          // the last record that was sent
	changed <-chan struct{} // closed when there may be more; nil while there may be
	reading <-chan fetched  // nil while none are read
}

// newStream begins after the journal's last record.
func (p *Publisher) newStream() stream {
	var s stream
	if head := p.condition().Head; head != nil && p.config.Fetch != nil {
		s.journal, s.sent = head.ID, head.Record
	}
	return s
}

// streamOn reads the next records: many for one message where the broker is slow. Events come first.
func (s *session) streamOn() {
	m := &s.stream
	busy := m.reading != nil || m.changed != nil || s.flow.on(laneStream) > 0 || s.ending.goodbye
	if m.journal == "" || busy || s.p.access.suspected(s.p.topics.event) || !s.trials.open(s.p.topics.stream) {
		return
	}
	m.changed = s.p.journal.Changed() // before it is read
	m.reading = s.p.readRecords(wait{Fetch: topic.Fetch{Reader: topic.Stream, Journal: m.journal, After: m.sent}})
}

// sendStream sends what was read. A journal that cannot be read is told where its events are read; the next event is
// another attempt.
func (s *session) sendStream(read fetched) {
	m := &s.stream
	m.reading = nil
	switch {
	case read.err != nil:
		return
	case read.journal != m.journal:
		m.journal = "" // it is none that goes on from its head
		return
	case read.last <= m.sent || s.ending.goodbye:
		return
	}
	m.sent = read.last
	if read.more {
		m.changed = nil
	}
	s.send(delivery{lane: laneStream, topic: s.p.topics.stream, payload: read.payload})
}
