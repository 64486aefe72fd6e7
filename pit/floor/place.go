package floor

import (
	"time"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/pit/topic"
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
	unreadable bool // its records are not understood

	stands  Standing
	since   time.Time
	lost    time.Time // when it went offline, zero while it is not
	pace    pace
	perHour int
	opened  time.Time // since when it plays, zero while it does not
}

// shown is what the table's dealer sees, also while nothing can be recorded.
func (p *place) shown() display.View {
	v := p.view
	if p.health != nil && p.health.Journal.Trouble != nil {
		t := p.health.Journal.Trouble
		v.Unrecorded(t.Code == topic.TroubleFailing, t.Since)
	} else if p.status != nil && p.status.Trouble != "" {
		v.Unrecorded(false, time.Time{})
	}
	return v
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
	case p.status != nil && p.status.Online && !p.status.Records:
		return TroubleOlder
	}
	return ""
}
