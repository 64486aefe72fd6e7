package floor

import (
	"time"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/table/vocab"
)

// place is what is known of one table.
type place struct {
	table topic.Table
	first time.Time // when something was heard of it first

	// boot is the highest that was heard of, or that of a living heartbeat, which is right also where it is
	// lower: a table with a new journal, or with an earlier state of it, counts its starts from 1 again.
	boot   uint64
	status *topic.Status
	said   time.Time // when the status was heard
	health *topic.Health
	totals *topic.Totals
	pulse  pulse

	view       display.View
	viewed     order
	unreadable bool // its last state cannot be read

	stands  Standing
	since   time.Time
	lost    time.Time // when it went offline, zero while it is not
	pace    pace
	perHour int
	opened  time.Time // since when it plays, zero while it does not
}

// order is a message's place among those of its table.
type order struct{ boot, sequence uint64 }

func (o order) before(other order) bool {
	return o.boot < other.boot || o.boot == other.boot && o.sequence < other.sequence
}

// standing is how the table stands now.
func (p *place) standing(f *Floor) Standing {
	switch {
	case !f.up || p.first.IsZero():
		return Unknown
	case p.gone():
		return Offline
	case p.pulse.silent(f.now, later(p.first, f.upSince)):
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
	return p.status != nil && !p.status.Online && p.pulse.last.Sub(p.said) <= beatEvery
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

// missed says whether it matters that the table is offline: it was open, and not switched off between two rounds.
func (p *place) missed() bool {
	if p.closed() {
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

// trouble is the gravest thing that is wrong with the table's connection or computer, "" for nothing.
func (p *place) trouble() string {
	switch {
	case p.health != nil && p.health.Journal.Trouble != nil:
		return p.health.Journal.Trouble.Code
	case p.status != nil && p.status.Trouble != "":
		return p.status.Trouble
	case p.status != nil && len(p.status.Denied) > 0 || p.health != nil && len(p.health.Denied) > 0:
		return TroubleDenied
	case p.unreadable:
		return TroubleUnreadable
	}
	return ""
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
