package floor

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sabot-table/sabot/internal/ops/health"
	"github.com/sabot-table/sabot/pit/topic"
)

// The codes of findings.
const (
	foundOffline        FindingCode = "offline"
	foundSilent         FindingCode = "silent"
	foundStorageFailing FindingCode = "storage-failing"
	foundStorageSlow    FindingCode = "storage-slow"
	foundDiskFull       FindingCode = "disk-full"
	foundCertificateEnd FindingCode = "certificate"
	foundHot            FindingCode = "hot"
	foundShoeDown       FindingCode = "shoe-down"
	foundTampered       FindingCode = "tampered"
	foundSensorDirty    FindingCode = "sensor"
	foundShoeQueue      FindingCode = "shoe-queue"
	foundBadFrames      FindingCode = "bad-frames"
	foundDenied         FindingCode = "denied"
	foundBacklog        FindingCode = "backlog"
	foundMemory         FindingCode = "memory"
	foundOtherVersion   FindingCode = "version"
	foundShoeWasDown    FindingCode = "shoe-was-down"
	foundLastError      FindingCode = "last-error"
)

// findingRow is one thing that is looked for.
type findingRow struct {
	code FindingCode
	find func(t *FleetTable, now time.Time, write Numbers) (Finding, bool)
}

// What is looked for, in its order among those that are equally urgent.
var findingRows = []findingRow{
	{foundStorageFailing, func(t *FleetTable, _ time.Time, _ Numbers) (Finding, bool) {
		return t.trouble(topic.TroubleFailing, UrgentNow)
	}},
	{foundStorageSlow, func(t *FleetTable, _ time.Time, _ Numbers) (Finding, bool) {
		return t.trouble(topic.TroubleSlow, UrgentNow)
	}},
	{foundOffline, func(t *FleetTable, _ time.Time, _ Numbers) (Finding, bool) {
		f := Finding{Urgency: NotUrgent, Since: t.Since}
		if t.open() {
			f.Urgency = UrgentNow
		}
		return f, t.Offline
	}},
	{foundSilent, func(t *FleetTable, _ time.Time, _ Numbers) (Finding, bool) {
		return Finding{Urgency: NotUrgent}, t.Health == nil && !t.Offline
	}},
	{foundDiskFull, disk},
	{foundCertificateEnd, certificate},
	{foundHot, hot},
	{foundTampered, tampered},
	{foundShoeDown, online(func(h *topic.Health, _ time.Time, _ Numbers) (Finding, bool) {
		f := Finding{Urgency: NotUrgent}
		if h.Opening != nil && h.Opening.Open {
			f.Urgency = UrgentNow
		}
		if h.Shoe.LastDown != nil {
			f.Since, f.Text = h.Shoe.LastDown.Time, h.Shoe.LastDown.Text
		}
		return f, !h.Shoe.Up
	})},
	{foundShoeQueue, online(func(h *topic.Health, _ time.Time, write Numbers) (Finding, bool) {
		const most = 8 // more than a round's first cards
		if h.Shoe.Queued == nil || *h.Shoe.Queued <= most {
			return Finding{}, false
		}
		return Finding{Urgency: UrgentSoon, Value: WriteCount(*h.Shoe.Queued, write)}, true
	})},
	{foundSensorDirty, online(func(h *topic.Health, _ time.Time, _ Numbers) (Finding, bool) {
		const leastCards, leastMean, mostLow = 20, 90, 3
		c := h.Shoe.Confidence
		if c == nil || c.Cards < leastCards || c.Mean >= leastMean && c.Low*100 <= mostLow*c.Cards {
			return Finding{}, false
		}
		return Finding{Urgency: UrgentSoon, Value: strconv.FormatUint(c.Mean, 10) + "\u202f%"}, true
	})},
	{foundBadFrames, online(func(h *topic.Health, _ time.Time, write Numbers) (Finding, bool) {
		const leastBad, mostOf = 10, 200 // one in 200 is a bad line
		bad, good := h.Shoe.Counters["bad_frames"], h.Shoe.Counters["frames"]
		if bad < leastBad || bad*mostOf < bad+good {
			return Finding{}, false
		}
		return Finding{Urgency: UrgentSoon, Value: WriteCount(bad, write) + " / " + WriteCount(bad+good, write)}, true
	})},
	{foundDenied, online(func(h *topic.Health, _ time.Time, _ Numbers) (Finding, bool) {
		return Finding{Urgency: UrgentSoon, Text: strings.Join(h.Denied, ", ")}, len(h.Denied) > 0
	})},
	{foundBacklog, online(func(h *topic.Health, _ time.Time, write Numbers) (Finding, bool) {
		const most = 500
		waiting := h.Journal.Unacknowledged
		return Finding{Urgency: UrgentSoon, Value: WriteCount(waiting, write)}, waiting > most
	})},
	{foundMemory, online(func(h *topic.Health, _ time.Time, write Numbers) (Finding, bool) {
		const mostBytes, mostActivities = 256 << 20, 2000
		return Finding{Urgency: UrgentSoon, Value: WriteSize(h.MemoryBytes, write)}, h.MemoryBytes > mostBytes ||
			h.Goroutines > mostActivities
	})},
	// found among all tables
	{foundOtherVersion, func(*FleetTable, time.Time, Numbers) (Finding, bool) { return Finding{}, false }},
	{foundShoeWasDown, online(func(h *topic.Health, now time.Time, _ Numbers) (Finding, bool) {
		if !h.Shoe.Up || h.Shoe.LastDown == nil || now.Sub(h.Shoe.LastDown.Time) > recent {
			return Finding{}, false
		}
		return Finding{Urgency: NotUrgent, Since: h.Shoe.LastDown.Time, Text: h.Shoe.LastDown.Text}, true
	})},
	{foundLastError, online(func(h *topic.Health, now time.Time, _ Numbers) (Finding, bool) {
		if h.LastError == nil || now.Sub(h.LastError.Time) > recent || h.Journal.Trouble != nil ||
			h.Shoe.LastDown != nil && h.Shoe.LastDown.Text == h.LastError.Text {
			return Finding{}, false // what is told by another finding is not told twice
		}
		return Finding{Urgency: NotUrgent, Since: h.LastError.Time, Text: h.LastError.Text}, true
	})},
}

// recent is for how long something that is over is told.
const recent = time.Hour

// placeOf is where a finding stands among those that are equally urgent: what a table tells of itself comes last.
func placeOf(f Finding) int {
	at := slices.IndexFunc(findingRows, func(r findingRow) bool { return r.code == f.Code })
	if at < 0 || f.Told {
		return len(findingRows)
	}
	return at
}

// told are the reasons that a table tells of itself and that the pit does not find out. What one that is away told last
// may be over.
func (t *FleetTable) told() (all []Finding) {
	if t.Health == nil || t.Offline {
		return nil
	}
	for _, reason := range t.Health.Reasons {
		f := Finding{Code: FindingCode(reason), Told: true, Urgency: UrgentSoon, Table: t.Table}
		if row := health.Of(health.Code(reason)); row != nil { // nil is one of a newer table
			if row.AtPit != "" {
				continue
			}
			if row.AtOnce {
				f.Urgency = UrgentNow
			}
		}
		all = append(all, f)
	}
	return all
}

// FindingCodes are all codes of findings, in their order.
func FindingCodes() (all []FindingCode) {
	for _, one := range findingRows {
		all = append(all, one.code)
	}
	return all
}

// online looks at what a table tells that is heard: what one that is away told last may be over.
func online(find func(h *topic.Health, now time.Time, write Numbers) (Finding, bool)) func(*FleetTable, time.Time,
	Numbers) (Finding, bool) {
	return func(t *FleetTable, now time.Time, write Numbers) (Finding, bool) {
		if t.Health == nil || t.Offline {
			return Finding{}, false
		}
		return find(t.Health, now, write)
	}
}

// open says whether bets could be opened when the table was heard last.
func (t *FleetTable) open() bool {
	return t.Health != nil && t.Health.Opening != nil && t.Health.Opening.Open
}

// trouble is what keeps a table from recording.
func (t *FleetTable) trouble(code string, urgency Urgency) (Finding, bool) {
	if t.Health == nil || t.Health.Journal.Trouble == nil || t.Health.Journal.Trouble.Code != code {
		return Finding{}, false
	}
	return Finding{Urgency: urgency, Since: t.Health.Journal.Trouble.Since, Text: t.Health.Journal.Trouble.Text}, true
}

// computer is what a table's computer told last.
func (t *FleetTable) computer() topic.Computer {
	if t.Health == nil || t.Health.Computer == nil {
		return topic.Computer{}
	}
	return *t.Health.Computer
}

// disk finds one that fills up: a table that cannot record stands still.
func disk(t *FleetTable, _ time.Time, write Numbers) (Finding, bool) {
	const soonPart, nowPart, soonBytes, nowBytes = 10, 3, 2 << 30, 256 << 20
	c := t.computer()
	if c.DiskFree == nil || c.DiskSize == nil || *c.DiskSize == 0 {
		return Finding{}, false
	}
	free, of := *c.DiskFree, *c.DiskSize
	f := Finding{Value: WriteSize(free, write) + ", " + percent(free, of)}
	switch {
	case free < nowBytes, free*100 < nowPart*of && free < soonBytes:
		f.Urgency = UrgentNow
	case free < soonBytes, free*100 < soonPart*of && free < 4*soonBytes:
		f.Urgency = UrgentSoon
	}
	return f, f.Urgency != 0
}

// certificate finds one that ends: screens then refuse the table's page.
func certificate(t *FleetTable, now time.Time, _ Numbers) (Finding, bool) {
	const soon, atOnce = 30 * 24 * time.Hour, 7 * 24 * time.Hour
	until := t.computer().Certificate
	if until == nil || until.Sub(now) > soon {
		return Finding{}, false
	}
	f := Finding{Urgency: UrgentSoon, Since: *until}
	if until.Sub(now) <= atOnce {
		f.Urgency = UrgentNow
	}
	return f, true
}

// hot finds a computer that is about to slow itself down, which a Raspberry Pi does at 80 °C.
func hot(t *FleetTable, _ time.Time, _ Numbers) (Finding, bool) {
	const soon, atOnce = 70, 80
	c := t.computer().Celsius
	if c == nil || *c < soon || t.Offline {
		return Finding{}, false
	}
	f := Finding{Urgency: UrgentSoon, Value: strconv.FormatUint(*c, 10) + " °C"}
	if *c >= atOnce {
		f.Urgency = UrgentNow
	}
	return f, true
}

// tampered finds what the shoe's line should never carry.
func tampered(t *FleetTable, _ time.Time, write Numbers) (Finding, bool) {
	if t.Health == nil {
		return Finding{}, false
	}
	n := t.Health.Shoe.Counters["forged"] + t.Health.Shoe.Counters["replayed"]
	return Finding{Urgency: UrgentNow, Value: WriteCount(n, write)}, n > 0
}
