package publish

import "time"

// trials are of topics that are suspected: that the broker closes the connection on them. Each is sent alone, on a
// connection that has held for a while, and has proved itself once the connection holds after the answer, too.
type trials struct {
	access   *access
	patience time.Duration // how long a connection must hold
	event    string        // the topic of events, whose trial does not wait for others
	proven   func(key string)

	began   time.Time        // when the connection was there
	pending map[string]int   // what the broker has not answered, by the key of its permission
	answer  answer           // its last answer to a message
	heed    answer           // its last answer to a subscription
	alone   string           // the suspected topic that was sent alone, "" for none
	proof   <-chan time.Time // fires when the connection has held after the trial's answer
	hold    <-chan time.Time // fires when it has held for longer; nil while nothing waits for that
}

// open reports whether a message may be sent now: its topic is not left out, and if it is
// suspected, no other suspected one is under way and the connection has held for long enough.
func (t *trials) open(key string) bool {
	if !t.access.suspected(key) {
		return !t.access.leftOut(key)
	}
	return t.alone == "" && (key == t.event || t.access.prime(key, t.event)) &&
		time.Since(t.began) >= time.Duration(t.access.hold(key))*t.patience
}

// holdOn waits until the connection has held for longer.
func (t *trials) holdOn() {
	if t.hold == nil {
		t.hold = time.After(t.patience)
	}
}

// begin notes a message, or a subscription, that is sent now.
func (t *trials) begin(key string) {
	if t.access.suspected(key) {
		t.alone = key
	}
	t.pending[key]++
}

// answered notes the broker's answer to a message. The answer before it did not end the connection then.
func (t *trials) answered(d *delivery) {
	event := uint64(0)
	if d.lane == laneEvent {
		event = d.sequence
	}
	t.answer = t.follows(t.answer, answer{key: d.key, at: time.Now(), event: event})
}

// heeded notes the broker's answer to a subscription. It arrives on a way of its own, maybe after answers that the
// broker gave later: it says nothing of the message that was answered last, which may yet end the connection.
func (t *trials) heeded(key string) {
	t.heed = t.follows(t.heed, answer{key: key, at: time.Now()})
}

// follows notes an answer that came after another one on the same way.
func (t *trials) follows(before, now answer) answer {
	if t.pending[now.key]--; t.pending[now.key] <= 0 {
		delete(t.pending, now.key)
	}
	if before.key != "" {
		t.proven(before.key)
	}
	if now.key == t.alone {
		t.proof = time.After(t.patience / 10)
	}
	return now
}

// unanswered gives up a subscription to which the broker says nothing. It reports whether that was the trial.
func (t *trials) unanswered(key string) bool {
	delete(t.pending, key)
	was := t.alone == key
	if was {
		t.alone = ""
	}
	return was
}

// over ends the trial of a topic.
func (t *trials) over(key string) {
	if key == t.alone {
		t.alone, t.proof = "", nil
	}
}

// ended are the topics on which a connection may have ended that ends now, and which were not sent alone.
func (t *trials) ended(now time.Time) (keys []string) {
	for key := range t.pending {
		keys = append(keys, key)
	}
	for _, last := range []answer{t.answer, t.heed} {
		if last.late(now, t.patience) && t.pending[last.key] == 0 {
			keys = append(keys, last.key)
		}
	}
	return keys
}

// answer is what the broker answered last.
type answer struct {
	key   string
	at    time.Time
	event uint64 // 0 for another message
}

// late reports whether a connection that ends now may have ended on what was answered.
func (a answer) late(now time.Time, patience time.Duration) bool {
	return a.key != "" && now.Sub(a.at) < patience
}
