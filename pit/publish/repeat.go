package publish

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/sabot-table/sabot/pit/topic"
)

// The limits of what the pit may have sent again. They keep a reader that requests without
// end from wearing out the table or the broker.
const (
	// mostRequests is how many requests are taken in a minute.
	mostRequests = 60
	// mostRepeated is how many events one request brings; a reader requests the rest later.
	mostRepeated = 10_000
	// mostSpans is how many requests wait.
	mostSpans = 16
	// repeatBatch events are sent every repeatEvery, and only while no new event waits.
	repeatBatch = 20
	repeatEvery = 100 * time.Millisecond
	// maxRequest limits a request, in bytes.
	maxRequest = 1 << 10
)

// span is a range of events, both ends included.
type span struct{ first, last uint64 }

// repeats is what the pit has requested again and does not have yet.
type repeats struct {
	log    *slog.Logger
	waits  []span
	minute time.Time // when the present minute of requests began
	taken  int       // requests in it
	warned bool      // in it, that something is wrong with requests
}

// request takes a request for events, of which the broker has acknowledged those up to last.
func (r *repeats) request(now time.Time, payload []byte, last uint64) {
	if now.Sub(r.minute) >= time.Minute {
		r.minute, r.taken, r.warned = now, 0, false
	}
	wanted, err := readRequest(payload, last)
	if err != nil {
		r.refuse(err)
		return
	}
	if wanted = r.without(wanted); wanted.first > wanted.last {
		return
	}
	if r.taken++; r.taken > mostRequests {
		r.refuse(fmt.Errorf("there are more than %d in a minute", mostRequests))
		return
	}
	if len(r.waits) == mostSpans {
		r.refuse(fmt.Errorf("%d others wait", mostSpans))
		return
	}
	r.log.Info("the pit requests events again", "from", wanted.first, "to", wanted.last)
	r.waits = append(r.waits, wanted)
}

// refuse logs what is wrong with a request, once a minute.
func (r *repeats) refuse(err error) {
	if !r.warned {
		r.warned = true
		r.log.Warn("a request from the pit for events is refused; look at who may write to the table's request",
			"error", err)
	}
}

// without takes from a request what waits already, at its beginning and its end: several
// readers lack the same events.
func (r *repeats) without(wanted span) span {
	for _, s := range r.waits {
		if s.first <= wanted.first && wanted.first <= s.last {
			wanted.first = s.last + 1
		}
		if s.first <= wanted.last && wanted.last <= s.last {
			wanted.last = s.first - 1
		}
	}
	return wanted
}

// sent notes that the broker has the event, and all before it that were requested with it. It
// reports whether that was the last.
func (r *repeats) sent(event uint64) (done bool) {
	r.waits[0].first = event + 1
	if event < r.waits[0].last {
		return false
	}
	r.log.Info("the events that the pit requested were sent again", "to", event)
	r.waits = r.waits[1:]
	return true
}

// drop gives up the oldest request.
func (r *repeats) drop(err error) {
	r.log.Warn("events that the pit requests again cannot be sent; verify the journal", "from", r.waits[0].first, "to",
		r.waits[0].last, "error", err)
	r.waits = r.waits[1:]
}

// readRequest reads a request, cut to what was published before and to the most that one may
// have.
func readRequest(payload []byte, last uint64) (span, error) {
	var request topic.Request
	if len(payload) > maxRequest {
		return span{}, fmt.Errorf("it has %d bytes", len(payload))
	}
	if err := json.Unmarshal(payload, &request); err != nil {
		return span{}, err
	}
	s := span{request.From, min(request.To, last)}
	if request.To == 0 {
		s.last = last
	}
	switch {
	case s.first == 0:
		return span{}, errors.New("it says not from which event, counted from 1")
	case request.To != 0 && request.To < request.From:
		return span{}, fmt.Errorf("there is nothing from event %d to %d", request.From, request.To)
	case s.last < s.first:
		return span{}, fmt.Errorf("event %d was not published yet", s.first)
	}
	s.last = min(s.last, s.first+mostRepeated-1)
	return s, nil
}

// again is what was read from the journal to be sent again.
type again struct {
	records []topic.Record
	err     error
}

// replay is what is sent again on a connection.
type replay struct {
	reading <-chan again // nil while nothing is read to be sent again
	again   []topic.Record
	pace    <-chan time.Time // fires when more may be sent again; nil for at once
}

// repeat sends what the pit has requested, in batches, while nothing new waits.
func (s *session) repeat() {
	r := &s.p.repeats
	busy := s.replay.pace != nil || s.replay.reading != nil || s.flow.on(laneRepeat) > 0 || !s.quiet()
	if len(r.waits) == 0 || s.ending.begun || busy || s.p.access.leftOut(s.p.topics.event) ||
		s.p.access.suspected(s.p.topics.event) {
		return
	}
	if len(s.replay.again) == 0 {
		s.replay.reading = s.p.readAgain(r.waits[0].first)
		return
	}
	for range min(repeatBatch, len(s.replay.again)) {
		record := s.replay.again[0]
		if record.Number > r.waits[0].last {
			s.replay.again = nil
			break
		}
		s.replay.again = s.replay.again[1:]
		// An unreadable event was also sent as unreadable the first time.
		payload, _ := eventPayload(s.p.config.Table, record)
		s.send(delivery{lane: laneRepeat, topic: s.p.topics.event, payload: payload, sequence: record.Number})
	}
	s.replay.pace = time.After(repeatEvery)
}

// quiet reports whether no new event waits or is under way.
func (s *session) quiet() bool { return s.flow.on(laneEvent) == 0 && s.events.appended != nil }

// readAgain reads events from the journal; those of old parts may take a while, for which
// new events do not wait.
func (p *Publisher) readAgain(first uint64) <-chan again {
	done := make(chan again, 1)
	go func() {
		records, err := p.journal.Events(first-1, readAhead)
		done <- again{records, err}
	}()
	return done
}

// readOn takes what was read.
func (s *session) readOn(read again) {
	r := &s.p.repeats
	s.replay.reading = nil
	switch {
	case read.err != nil:
		r.drop(read.err)
	case len(read.records) == 0 || read.records[0].Number > r.waits[0].last:
		r.drop(errors.New("the journal does not have them"))
	default:
		s.replay.again = read.records
	}
}
