package publish

import (
	"log/slog"
	"time"
)

// summaryEvery is how often the log is reminded of an outage.
const summaryEvery = 5 * time.Minute

// outage is a time without a working connection. It keeps the log short: each cause once,
// then an occasional reminder.
type outage struct {
	log    *slog.Logger
	broker string

	since    time.Time // zero while all is well
	attempts int
	logged   time.Time
	causes   map[string]bool
}

// failed notes a failure, with how many events wait.
func (o *outage) failed(now time.Time, err error, waiting uint64) {
	if o.since.IsZero() {
		o.since, o.causes = now, map[string]bool{}
	}
	o.attempts++
	cause := causeOf(err)
	switch {
	case !o.causes[cause]:
		o.log.Warn("no MQTT connection to the pit; the table continues, and events wait in the journal",
			"broker", o.broker, "error", err, "waiting", waiting)
	case now.Sub(o.logged) >= summaryEvery:
		o.log.Warn("still no MQTT connection to the pit",
			"broker", o.broker, "error", err, "waiting", waiting, "since", o.since.Format(time.RFC3339), "attempts", o.attempts)
	default:
		return
	}
	o.causes[cause], o.logged = true, now
}

// over notes that the connection works, with how many events must be sent to catch up.
func (o *outage) over(now time.Time, waiting uint64) {
	if o.since.IsZero() {
		o.log.Info("MQTT connection to the pit", "broker", o.broker, "to_catch_up", waiting)
		return
	}
	o.log.Info("the MQTT connection to the pit is back", "broker", o.broker, "to_catch_up", waiting,
		"away", now.Sub(o.since).Round(time.Millisecond).String(), "attempts", o.attempts)
	o.since, o.attempts, o.causes = time.Time{}, 0, nil
}
