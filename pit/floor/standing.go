package floor

import (
	"time"

	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/table/plaintext"
	"github.com/sabot-table/sabot/table/vocab"
)

// Standing is how a table stands.
type Standing uint8

// The standings.
const (
	// Unknown is a table of which nothing is known, or nothing any more: the pit does not reach the broker, or
	// has only just reached it, or its house has no line to the hub.
	Unknown Standing = iota
	// Closed opens no bets.
	Closed
	// Open plays.
	Open
	// Offline is a table of which nothing is heard.
	Offline
	// Held stands still: an irregularity is to be put right, the shoe is away, or nothing can be recorded.
	Held
)

var standingNames = plaintext.Enum[Standing]{
	Unknown: "unknown", Closed: "closed", Open: "open", Offline: "offline",
	Held: "held",
}

// String returns the standing's name.
func (s Standing) String() string { return standingNames.Name(s) }

// EveryStanding yields every standing.
func EveryStanding(yield func(Standing) bool) { standingNames.Every(yield) }

// standing is how the table stands now.
func (p *place) standing(f *Floor) Standing {
	switch {
	case !f.up || p.first.IsZero():
		return Unknown
	case p.gone():
		return Offline
	case p.pulse.silent(f.now, p.heardSince(f)):
		if p.cut(f) {
			return Unknown
		}
		return Offline
	case p.pulse.last.IsZero():
		return Unknown
	case p.holds(f):
		return Held
	case p.closed():
		return Closed
	case p.view.Known() || p.health.Opening != nil:
		return Open
	}
	return Unknown
}

// gone says whether the table's status says that it is offline. A heartbeat that lives well after that knows
// better: the broker may deny the table its status.
func (p *place) gone() bool {
	return p.status != nil && !p.status.Online && p.pulse.last.Sub(p.said) <= topic.HealthEvery
}

// holds says whether the table stands still.
func (p *place) holds(f *Floor) bool {
	_, stops := f.alerts.stops(p.table)
	return stops || p.view.Held != nil || p.status != nil && p.status.Trouble != "" || p.health.Journal.Trouble != nil
}

// closed says whether the table opens no bets, as it was heard last.
func (p *place) closed() bool {
	if p.view.Known() {
		return p.view.Opening.Closed
	}
	return p.health != nil && p.health.Opening != nil && !p.health.Opening.Open
}

// missed says whether it matters that the table is offline: it was heard, it was open, and it was not switched off
// between two rounds.
func (p *place) missed() bool {
	if p.closed() || p.health == nil && p.status == nil {
		return false
	}
	shut := p.status != nil && p.status.Reason == topic.ReasonShutDown
	return !shut || p.view.Known() && p.view.Phase != vocab.Idle
}

// sinceWhen is since when it stands so, as far as anybody knows.
func (p *place) sinceWhen(f *Floor, s Standing) time.Time {
	now := f.now
	if s == Offline && p.health != nil && p.health.Time.Before(now) {
		return p.health.Time
	}
	if (s == Open || s == Closed) && p.view.Opening.At != "" && p.since.IsZero() {
		if at, err := time.Parse(time.RFC3339Nano, p.view.Opening.At); err == nil {
			return at
		}
	}
	if raised, stops := f.alerts.stops(p.table); s == Held && stops && raised.Before(now) {
		return raised
	}
	return now
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
