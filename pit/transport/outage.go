package transport

import (
	"log/slog"
	"time"
)

// SummaryEvery is how often the log repeats that an outage lasts.
const SummaryEvery = 5 * time.Minute

// Outage is a time without a working connection. It keeps the log short: each cause once,
// then an occasional reminder.
type Outage struct {
	Log *slog.Logger
	// Up, Lost, Still and Back are what is said: at the first connection, at a failure, at a reminder, and
	// when the connection works again.
	Up, Lost, Still, Back string

	since    time.Time // zero while all is well
	attempts int
	logged   time.Time
	causes   map[string]bool
}

// Lasts says whether there is no working connection.
func (o *Outage) Lasts() bool { return !o.since.IsZero() }

// Failed notes a failure at a broker; more is for the log.
func (o *Outage) Failed(now time.Time, broker string, err error, more ...any) {
	if !o.Lasts() {
		o.since, o.causes = now, map[string]bool{}
	}
	o.attempts++
	log := o.Log.With("broker", broker, "error", err).With(more...)
	cause := broker + " " + Cause(err)
	switch {
	case !o.causes[cause]:
		log.Warn(o.Lost)
	case now.Sub(o.logged) >= SummaryEvery:
		log.Warn(o.Still, "since", o.since, "attempts", o.attempts)
	default:
		return
	}
	o.causes[cause], o.logged = true, now
}

// Over notes that the connection to a broker works.
func (o *Outage) Over(now time.Time, broker string, more ...any) {
	log := o.Log.With("broker", broker).With(more...)
	if !o.Lasts() {
		log.Info(o.Up)
		return
	}
	log.Info(o.Back, "away", now.Sub(o.since).Round(time.Millisecond).String(), "attempts", o.attempts)
	o.since, o.attempts, o.causes = time.Time{}, 0, nil
}
