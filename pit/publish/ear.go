package publish

import (
	"errors"
	"time"

	mqtt "github.com/eclipse/paho.mqtt.golang"

	"github.com/sabot-table/sabot/pit/topic"
)

// mostLetters is how many messages of readers wait on one topic; more are dropped.
const mostLetters = 16

// ear is a topic of the table on which readers write.
type ear struct {
	topic string
	// without says what is missing where the broker does not let the table read the topic.
	without string
	// take takes a message, which must not wait.
	take func(now time.Time, payload []byte)
	// direct takes a message in place of take, on the client's own goroutine: it must not wait for
	// anything at all. No message is dropped before it.
	direct func(payload []byte)
	// deaf says that it was logged that the broker denies the subscription.
	deaf bool
}

// newEars are the topics that the table reads.
func (p *Publisher) newEars() []*ear {
	ears := []*ear{{
		topic: p.config.Table.Topic(topic.KindRequest), without: "the pit cannot request events again",
		take: func(now time.Time, payload []byte) { p.repeats.request(now, payload, p.acknowledged()) },
	}}
	if p.config.Fetch != nil {
		ears = append(ears, &ear{
			topic: p.config.Table.Topic(topic.KindFetch), without: "the pit cannot fetch records of the journal",
			take: p.fetches.fetch,
		})
	}
	if p.config.Command != nil {
		ears = append(ears, &ear{
			topic: p.config.Table.Topic(topic.KindCommand), without: "the pit cannot send commands",
			direct: p.config.Command,
		})
	}
	if p.config.Jackpot != nil {
		ears = append(ears, &ear{
			topic:   p.config.Table.Topic(topic.KindJackpot),
			without: "the pit cannot say what is in the jackpot, nor how much of it a win is",
			direct:  p.config.Jackpot,
		})
	}
	return ears
}

// earOf is the ear of a topic, nil for none.
func (p *Publisher) earOf(topic string) *ear {
	for _, e := range p.ears {
		if e.topic == topic {
			return e
		}
	}
	return nil
}

// hearing is an ear on one connection.
type hearing struct {
	*ear
	// due says that the table is to subscribe.
	due     bool
	letters chan []byte
}

// heed is the broker's answer to a subscription.
type heed struct {
	of  *hearing
	err error
}

// listen subscribes to what readers write.
func (s *session) listen() {
	for _, h := range s.ears {
		if h.due && s.trials.open(h.topic) {
			h.due = false
			s.trials.begin(h.topic)
			s.link.listen(h, s.p.config.AckTimeout)
		}
	}
}

// hear takes what readers have written.
func (s *session) hear() {
	for _, h := range s.ears {
		for len(h.letters) > 0 {
			h.take(time.Now(), <-h.letters)
		}
	}
}

// listens notes whether the broker lets the table hear of a topic.
func (s *session) listens(answer heed) {
	key := answer.of.topic
	switch {
	case errors.Is(answer.err, errUnanswered):
		if s.trials.unanswered(key) {
			s.release()
		}
	case answer.err == nil || errors.Is(answer.err, errDenied):
		s.trials.heeded(key)
	default:
		return // the connection was lost
	}
	if answer.err != nil && !answer.of.deaf {
		answer.of.deaf = true
		s.p.config.Log.Info(answer.of.without+"; let the table read this topic of its own at the MQTT broker",
			"topic", key, "error", answer.err)
	}
}

// listen subscribes, and answers once whether the broker lets the table.
func (l *link) listen(h *hearing, patience time.Duration) {
	token := l.client.Subscribe(h.topic, 0, func(_ mqtt.Client, m mqtt.Message) {
		if m.Retained() {
			return // it would come back with every connection
		}
		if h.direct != nil {
			h.direct(m.Payload())
			return
		}
		select {
		case h.letters <- m.Payload():
		default: // the reader asks again
		}
		select {
		case l.mail <- struct{}{}:
		default: // the session looks at all
		}
	})
	go func() {
		select {
		case <-token.Done():
		case <-time.After(patience):
			l.heeds <- heed{h, errUnanswered}
			return
		case <-l.done:
			return
		}
		err := token.Error()
		if err == nil && token.(*mqtt.SubscribeToken).Result()[h.topic] == refused {
			err = errDenied
		}
		l.heeds <- heed{h, err}
	}()
}

// errDenied is a subscription that the broker refuses, and errUnanswered one to which it says
// nothing.
var (
	errDenied     = errors.New("it denies the subscription")
	errUnanswered = errors.New("it does not answer the subscription")
)
