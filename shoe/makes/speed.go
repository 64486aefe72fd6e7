package makes

import (
	"slices"

	"github.com/sabot-table/sabot/shoe"
)

const (
	// enough is how many bytes a judgement about the speed needs.
	enough = 48
	// various is how many different bytes are too many to come in groups of equal bits by chance.
	various = 5
)

// usual are the speeds at which shoes might send.
var usual = [...]int{1200, 2400, 4800, 9600, 14400, 19200, 28800, 38400, 57600, 115200}

// wrongSpeed says whether bytes look as if they were sent at another speed than this, at which they are received.
//
// A receiver that is faster than the shoe samples each bit several times: the bits of its bytes come in groups of equal
// ones. And at any wrong speed it often finds no stop bit where it expects one: it counts a framing error, and may give
// a zero for such a byte. In messages one byte in twenty at most is a zero.
func wrongSpeed(s *shoe.Sample, baud int) bool {
	all := len(s.Bytes)
	if all < enough {
		return false
	}
	others := slices.DeleteFunc(slices.Clone(s.Bytes), func(b byte) bool { return b == 0 })
	zeros := all - len(others)
	return 10*zeros >= all || 10*s.Misframed >= s.Received || distinct(others) >= various && stretchedAny(others, baud)
}

func distinct(p []byte) int { return len(slices.Compact(slices.Sorted(slices.Values(p)))) }

// stretchedAny says whether nearly all bytes look as if they were sent at one of the usual lower speeds.
func stretchedAny(p []byte, baud int) bool {
	return slices.ContainsFunc(usual[:], func(sent int) bool {
		ratio, fit := float64(baud)/float64(sent), 0
		for _, b := range p {
			if stretched(b, ratio) {
				fit++
			}
		}
		return ratio >= 1.5 && 10*fit >= 9*len(p)
	})
}

// stretched says whether a byte can be what a receiver makes of bits that are longer than its own by this ratio. A
// start bit begins with a bit of the sender; bits that the receiver samples within one bit of the sender are equal.
func stretched(b byte, ratio float64) bool {
	before, group := false, 0
	for i := range 9 {
		level := i > 0 && b>>(i-1)&1 == 1
		now := int((float64(i) + 0.5) / ratio)
		if now == group && level != before {
			return false
		}
		before, group = level, now
	}
	return true
}
