package figure

import (
	"crypto/sha256"
	"runtime"
	"slices"
	"testing"
	"time"
)

// OverBare is the unit of the metric that Beside reports.
const OverBare = "x-bare"

// Beside takes turns at the code and at its yardstick, and reports how many times as long the code takes: the median
// over the median. Each should take a tenth of a millisecond or more, and the yardstick be the least that any such code
// must do.
func Beside(b *testing.B, code, bare func()) {
	b.Helper()
	code()
	bare()
	var ours, least []time.Duration
	for b.Loop() {
		began := time.Now()
		code()
		between := time.Now()
		bare()
		least = append(least, time.Since(between))
		ours = append(ours, between.Sub(began))
	}
	b.ReportMetric(Ratio(ours, least), OverBare)
	b.ReportMetric(0, "ns/op") // of both together
}

// Ratio is the median of some times over that of others.
func Ratio(ours, bare []time.Duration) float64 {
	return float64(median(ours)) / float64(median(bare))
}

func median(all []time.Duration) time.Duration {
	return slices.Sorted(slices.Values(all))[len(all)/2]
}

// Hash is the yardstick of code that takes in or makes so many bytes: their SHA-256.
func Hash(bytes int) (bare func()) {
	text := make([]byte, bytes)
	return func() { runtime.KeepAlive(sha256.Sum256(text)) }
}
