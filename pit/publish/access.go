package publish

import (
	"maps"
	"slices"
	"time"
)

// A broker that denies a topic may close the connection without a word (MQTT 3.1.1, 4.7 of
// the conformance statements: MQTT-3.3.5-2), before it acknowledges the message or just
// after: mosquitto 2.0.16 to 2.0.21, and Debian's 2.0.11, acknowledge first, where
// max_queued_messages is 0. A network that fails looks the same. So a topic comes under
// suspicion when connections end, one after the other, just when it is sent; it is then sent
// alone, on a connection that has held for a while, each time for longer, and is denied when
// that ends the connection again and again. A network that fails now and then does not look
// like that.
const (
	// suspectedAt is how many connections must end on a topic until it is sent alone.
	suspectedAt = 2
	// deniedAt is how many must end on it, those after suspectedAt while it was sent alone,
	// until it is left out.
	deniedAt = 5
	// retryMost is the longest pause between two attempts to publish on a denied topic.
	retryMost = 15 * time.Minute
)

// access is what the publisher has found out about what the broker lets it do, by topic.
type access struct {
	// retry is the first pause before a denied topic is tried again. It doubles up to retryMost.
	retry  time.Duration
	topics map[string]*permission
}

// permission is what is in doubt about one topic.
type permission struct {
	// doubt counts the connections in a row that ended on the topic.
	doubt int
	// denied is when the topic was found to be denied; zero while it is not.
	denied time.Time
	// tried is the last attempt on a denied topic, and pause the time until the next.
	tried time.Time
	pause time.Duration
	// trying says that a denied topic should be sent once more.
	trying bool
}

func newAccess(retry time.Duration) access {
	return access{retry: retry, topics: map[string]*permission{}}
}

// leftOut reports whether nothing is published on the topic.
func (a *access) leftOut(topic string) bool {
	p := a.topics[topic]
	return p != nil && !p.denied.IsZero() && !p.trying
}

// suspected reports whether the topic may be sent only alone.
func (a *access) suspected(topic string) bool {
	p := a.topics[topic]
	return p != nil && (p.trying || p.denied.IsZero() && p.doubt >= suspectedAt)
}

// hold is how long a connection must have held before the topic is sent on it, as a multiple
// of the shortest time.
func (a *access) hold(topic string) int {
	if p := a.topics[topic]; p != nil && p.doubt > suspectedAt && p.denied.IsZero() {
		return 1 << (p.doubt - suspectedAt)
	}
	return 1
}

// anySuspected reports whether a topic may be sent only alone.
func (a *access) anySuspected() bool {
	for topic := range a.topics {
		if a.suspected(topic) {
			return true
		}
	}
	return false
}

// prime reports whether no other suspected topic, except one, is more suspected than this one:
// the trials of one topic are not mixed with those of another.
func (a *access) prime(topic, except string) bool {
	for other, p := range a.topics {
		if other != topic && other != except && a.suspected(other) && min(p.doubt, deniedAt) > a.topics[topic].doubt {
			return false
		}
	}
	return true
}

// proven notes that the topic was published and the connection held. It reports whether the
// topic was denied before.
func (a *access) proven(topic string) (wasDenied bool) {
	p := a.topics[topic]
	delete(a.topics, topic)
	return p != nil && !p.denied.IsZero()
}

// doubt notes that a connection ended on these topics, which were not sent alone. A
// connection that ended on none of them ended for a reason of its own.
func (a *access) doubt(topics []string) {
	if len(topics) == 0 {
		for topic, p := range a.topics {
			if p.denied.IsZero() {
				delete(a.topics, topic)
			}
		}
	}
	for _, topic := range topics {
		p := a.of(topic)
		p.doubt = min(p.doubt+1, suspectedAt)
	}
}

// failed notes that a connection ended on a topic that was sent alone, and reports whether
// that is enough to leave it out.
func (a *access) failed(topic string) (enough bool) {
	p := a.of(topic)
	p.doubt++
	return p.trying || p.doubt >= deniedAt
}

// deny leaves a topic out until the next attempt. It reports whether it was not denied before.
func (a *access) deny(topic string, now time.Time) (first bool) {
	p := a.of(topic)
	if first = p.denied.IsZero(); first {
		p.denied, p.pause = now, a.retry
	} else {
		p.pause = min(2*p.pause, max(retryMost, a.retry))
	}
	p.tried, p.trying = now, false
	return first
}

// widen makes the denial of one topic that of a whole group, and forgets what was in doubt
// about its topics.
func (a *access) widen(topic, group string, in func(topic string) bool) {
	denied := a.topics[topic]
	maps.DeleteFunc(a.topics, func(one string, _ *permission) bool { return in(one) })
	a.topics[group] = denied
}

// alike makes one more failure enough for the suspected topics of a group, one of which is
// denied.
func (a *access) alike(in func(topic string) bool) {
	for topic, p := range a.topics {
		if in(topic) && p.denied.IsZero() && p.doubt >= suspectedAt {
			p.doubt = deniedAt - 1
		}
	}
}

// due is when a denied topic is tried next; zero for never.
func (a *access) due() (at time.Time) {
	for _, p := range a.topics {
		if next := p.tried.Add(p.pause); !p.denied.IsZero() && !p.trying && (at.IsZero() || next.Before(at)) {
			at = next
		}
	}
	return at
}

// try lets each denied topic be sent once more whose pause is over at the given time, or,
// where the broker may have changed meanwhile, whose last attempt was long enough ago.
func (a *access) try(now time.Time, changed bool) {
	for _, p := range a.topics {
		if !p.denied.IsZero() && (!now.Before(p.tried.Add(p.pause)) || changed && !now.Before(p.tried.Add(a.retry))) {
			p.trying = true
		}
	}
}

// tryAll lets every denied topic be sent once more.
func (a *access) tryAll() {
	for _, p := range a.topics {
		p.trying = !p.denied.IsZero()
	}
}

// denials lists the denied topics, also those that are being tried, sorted.
func (a *access) denials() (topics []string) {
	for topic, p := range a.topics {
		if !p.denied.IsZero() {
			topics = append(topics, topic)
		}
	}
	slices.Sort(topics)
	return topics
}

func (a *access) of(topic string) *permission {
	if a.topics[topic] == nil {
		a.topics[topic] = &permission{}
	}
	return a.topics[topic]
}
