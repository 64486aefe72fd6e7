package transport

import (
	"log/slog"
	"time"
)

// Passed logs that messages of the broker's were passed over: the first at once, and from then on how many it were
// since, at most once in each SummaryEvery.
func Passed(log *slog.Logger, text string) func(why string, bytes int) {
	var logged time.Time
	count := 0
	return func(why string, bytes int) {
		count++
		now := time.Now()
		if !logged.IsZero() && now.Sub(logged) < SummaryEvery {
			return
		}
		log.Warn(text, "messages", count, "why", why, "bytes", bytes)
		logged, count = now, 0
	}
}
