package nights

import (
	"time"

	"github.com/sabot-table/sabot/table/vocab"
)

// What the usual dealer and his guests take for one movement.
const (
	cardTakes    = 1100 * time.Millisecond
	shuffleTakes = 100 * time.Second
	openTakes    = 7 * time.Second
	stakeTakes   = 900 * time.Millisecond
	closeTakes   = 3 * time.Second
	callTakes    = 2600 * time.Millisecond
	payTakes     = 9 * time.Second
	otherTakes   = time.Second
)

// takes is how long it usually takes until this is put in.
func takes(in vocab.Input) time.Duration {
	switch in.Kind {
	case vocab.InOpen:
		return openTakes
	case vocab.InStake:
		return stakeTakes
	case vocab.InClose:
		return closeTakes
	case vocab.InCall:
		return callTakes
	case vocab.InPaid:
		return payTakes
	}
	return otherTakes
}

// pass lets the time of a movement pass: at the dealer's pace, now quicker, now slower, and one in twenty takes three
// times as long, as when a guest has to think.
func (f *felt) pass(usual time.Duration) {
	long := float64(usual) * f.pace * (0.6 + 0.8*f.rand.Float64())
	if f.rand.IntN(20) == 0 {
		long *= 3
	}
	f.clock = f.clock.Add(time.Duration(long).Round(time.Microsecond))
}
