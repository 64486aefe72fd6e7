package transport

import "time"

// Rate is how many there may be: so many at once, and then so many in each second. The zero Rate is no limit.
type Rate struct {
	Burst, PerSecond int
}

// Limits are what a client wants from a broker at the most.
type Limits struct {
	// Message is the longest message that is handed on, in bytes with its topic. A longer one is passed over, and not
	// refused: somebody else may have written it, on a topic of the client, at a broker that is well.
	Message int
	// Messages are how many messages are handed on; more are passed over.
	Messages Rate
	// Packets and Bytes are how much the broker may send in messages, also in those that are passed over. More ends the
	// connection.
	Packets, Bytes Rate
	// Write is how long the broker may keep a write waiting.
	Write time.Duration
	// Passed is told why a message of so many bytes was passed over, on the goroutine that reads. It may be nil, and
	// must not block.
	Passed func(why string, bytes int)
}

// Why a message is passed over.
const (
	TooLong  = "it is too long"
	TooMany  = "there are too many"
	OddTopic = "its topic is too long"
)

// bucket counts by a Rate.
type bucket struct {
	Rate
	left float64
	at   time.Time // zero before the first
}

// takeTokens takes n, and says whether they were there. Where they were not nothing is taken.
func (b *bucket) takeTokens(now time.Time, n int) bool {
	if b.Rate == (Rate{}) {
		return true
	}
	if b.at.IsZero() {
		b.left = float64(b.Burst)
	} else if passed := now.Sub(b.at); passed > 0 {
		b.left = min(float64(b.Burst), b.left+passed.Seconds()*float64(b.PerSecond))
	}
	b.at = now
	if b.left < float64(n) {
		return false
	}
	b.left -= float64(n)
	return true
}
