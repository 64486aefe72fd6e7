package publish

import (
	"encoding/json"

	"github.com/sabot-table/sabot/pit/topic"
)

// mostAnswers is how many answers to commands wait to be sent. What does not fit is dropped: a
// pit asks what became of a command.
const mostAnswers = 64

// answerTo is what became of a command, on its way to the pit that sent it.
type answerTo struct {
	pit     string
	payload []byte
}

// Answer sends what became of a command to a pit, once, as soon as the table is connected. It
// may be called at any time, and does not wait. It reports whether there was room.
func (p *Publisher) Answer(pit string, payload []byte) bool {
	select {
	case p.replies.waiting <- answerTo{pit, payload}:
		return true
	default:
		return false
	}
}

// Resend has events published again, as a request does. It may be called at any time, and does
// not wait. It reports whether there was room.
func (p *Publisher) Resend(request topic.Request) bool {
	payload, err := json.Marshal(request)
	if err != nil {
		panic(err) // a Request is two numbers
	}
	select {
	case p.replies.resends <- payload:
		return true
	default:
		return false
	}
}

// answerable are the answers that may be taken up now: one after the other.
func (s *session) answerable() <-chan answerTo {
	if s.ending.begun || s.p.replies.underWay != nil {
		return nil
	}
	return s.p.replies.waiting
}

// answerCommand sends the answer that was taken up, once on each connection until the broker
// has it. The answers to all pits count as one topic.
func (s *session) answerCommand() {
	a, key := s.p.replies.underWay, s.p.topics.answers
	switch {
	case a == nil || s.ending.begun || s.flow.on(laneAnswer) > 0:
	case s.p.access.leftOut(key):
		s.p.replies.underWay = nil // the pit asks, once the broker lets it hear
	case s.trials.open(key):
		s.send(delivery{lane: laneAnswer, topic: s.p.config.Table.Answer(a.pit), key: key, payload: a.payload})
	}
}

// forgetAnswers forgets that the broker denies answers, when they would be tried again: there
// may be none for a long time, and no other topic waits for that.
func (p *Publisher) forgetAnswers() {
	if one := p.access.topics[p.topics.answers]; one != nil && one.trying {
		delete(p.access.topics, p.topics.answers)
		p.showDenials()
	}
}
