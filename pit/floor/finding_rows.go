package floor

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sabot-table/sabot/internal/ops/health"
	"github.com/sabot-table/sabot/pit/topic"
)

// The codes.
const (
	foundOffline   Code = "offline"
	Silent         Code = "silent"
	StorageFailing Code = "storage-failing"
	StorageSlow    Code = "storage-slow"
	DiskFull       Code = "disk-full"
	CertificateEnd Code = "certificate"
	Hot            Code = "hot"
	ShoeDown       Code = "shoe-down"
	Tampered       Code = "tampered"
	SensorDirty    Code = "sensor"
	ShoeQueue      Code = "shoe-queue"
	BadFrames      Code = "bad-frames"
	Denied         Code = "denied"
	Backlog        Code = "backlog"
	Memory         Code = "memory"
	OtherVersion   Code = "version"
	ShoeWasDown    Code = "shoe-was-down"
	LastError      Code = "last-error"
)

// row is one thing that is looked for.
type row struct {
	code Code
	find func(t *Table, now time.Time, write Numbers) (Finding, bool)
}

// What is looked for, the most urgent first among those that are equally grave.
var rows = []row{
	{StorageFailing, func(t *Table, _ time.Time, _ Numbers) (Finding, bool) {
		return t.trouble(topic.TroubleFailing, Now)
	}},
	{StorageSlow, func(t *Table, _ time.Time, _ Numbers) (Finding, bool) { return t.trouble(topic.TroubleSlow, Now) }},
	{foundOffline, func(t *Table, _ time.Time, _ Numbers) (Finding, bool) {
		f := Finding{Urgency: Note, Since: t.Since}
		if t.open() {
			f.Urgency = Now
		}
		return f, t.Offline
	}},
	{Silent, func(t *Table, _ time.Time, _ Numbers) (Finding, bool) {
		return Finding{Urgency: Note}, t.Health == nil && !t.Offline
	}},
	{DiskFull, disk},
	{CertificateEnd, certificate},
	{Hot, hot},
	{Tampered, tampered},
	{ShoeDown, online(func(h *topic.Health, _ time.Time, _ Numbers) (Finding, bool) {
		f := Finding{Urgency: Note}
		if h.Opening != nil && h.Opening.Open {
			f.Urgency = Now
		}
		if h.Shoe.LastDown != nil {
			f.Since, f.Text = h.Shoe.LastDown.Time, h.Shoe.LastDown.Text
		}
		return f, !h.Shoe.Up
	})},
	{ShoeQueue, online(func(h *topic.Health, _ time.Time, write Numbers) (Finding, bool) {
		const most = 8 // more than a round's first cards
		if h.Shoe.Queued == nil || *h.Shoe.Queued <= most {
			return Finding{}, false
		}
		return Finding{Urgency: Soon, Value: Count(*h.Shoe.Queued, write)}, true
	})},
	{SensorDirty, online(func(h *topic.Health, _ time.Time, _ Numbers) (Finding, bool) {
		const leastCards, leastMean, mostLow = 20, 90, 3
		c := h.Shoe.Confidence
		if c == nil || c.Cards < leastCards || c.Mean >= leastMean && c.Low*100 <= mostLow*c.Cards {
			return Finding{}, false
		}
		return Finding{Urgency: Soon, Value: strconv.FormatUint(c.Mean, 10) + "\u202f%"}, true
	})},
	{BadFrames, online(func(h *topic.Health, _ time.Time, write Numbers) (Finding, bool) {
		const leastBad, mostOf = 10, 200 // one in 200 is a bad line
		bad, good := h.Shoe.Counters["bad_frames"], h.Shoe.Counters["frames"]
		if bad < leastBad || bad*mostOf < bad+good {
			return Finding{}, false
		}
		return Finding{Urgency: Soon, Value: Count(bad, write) + " / " + Count(bad+good, write)}, true
	})},
	{Denied, online(func(h *topic.Health, _ time.Time, _ Numbers) (Finding, bool) {
		return Finding{Urgency: Soon, Text: strings.Join(h.Denied, ", ")}, len(h.Denied) > 0
	})},
	{Backlog, online(func(h *topic.Health, _ time.Time, write Numbers) (Finding, bool) {
		const most = 500
		return Finding{Urgency: Soon, Value: Count(h.Journal.Unacknowledged, write)}, h.Journal.Unacknowledged > most
	})},
	{Memory, online(func(h *topic.Health, _ time.Time, write Numbers) (Finding, bool) {
		const mostBytes, mostActivities = 256 << 20, 2000
		return Finding{Urgency: Soon, Value: Size(h.MemoryBytes, write)}, h.MemoryBytes > mostBytes ||
			h.Goroutines > mostActivities
	})},
	// found among all tables
	{OtherVersion, func(*Table, time.Time, Numbers) (Finding, bool) { return Finding{}, false }},
	{ShoeWasDown, online(func(h *topic.Health, now time.Time, _ Numbers) (Finding, bool) {
		if !h.Shoe.Up || h.Shoe.LastDown == nil || now.Sub(h.Shoe.LastDown.Time) > recent {
			return Finding{}, false
		}
		return Finding{Urgency: Note, Since: h.Shoe.LastDown.Time, Text: h.Shoe.LastDown.Text}, true
	})},
	{LastError, online(func(h *topic.Health, now time.Time, _ Numbers) (Finding, bool) {
		if h.LastError == nil || now.Sub(h.LastError.Time) > recent || h.Journal.Trouble != nil ||
			h.Shoe.LastDown != nil && h.Shoe.LastDown.Text == h.LastError.Text {
			return Finding{}, false // what is told by another finding is not told twice
		}
		return Finding{Urgency: Note, Since: h.LastError.Time, Text: h.LastError.Text}, true
	})},
}

// recent is for how long something that is over is told.
const recent = time.Hour

// placeOf is where a finding stands among those that are equally grave: what a table tells of itself comes last.
func placeOf(f Finding) int {
	at := slices.IndexFunc(rows, func(r row) bool { return r.code == f.Code })
	if at < 0 || f.Told {
		return len(rows)
	}
	return at
}

// told are the reasons that a table tells of itself and that the pit does not find out. What one that is away told last
// may be over.
func (t *Table) told() (all []Finding) {
	if t.Health == nil || t.Offline {
		return nil
	}
	for _, reason := range t.Health.Reasons {
		f := Finding{Code: Code(reason), Told: true, Urgency: Soon, Table: t.Table}
		if row := health.Of(health.Code(reason)); row != nil { // nil is one of a newer table
			if row.AtPit != "" {
				continue
			}
			if row.AtOnce {
				f.Urgency = Now
			}
		}
		all = append(all, f)
	}
	return all
}

// FindingCodes are all codes, in their order.
func FindingCodes() (all []Code) {
	for _, one := range rows {
		all = append(all, one.code)
	}
	return all
}

// online looks at what a table tells that is heard: what one that is away told last may be over.
func online(find func(h *topic.Health, now time.Time, write Numbers) (Finding, bool)) func(*Table, time.Time,
	Numbers) (Finding, bool) {
	return func(t *Table, now time.Time, write Numbers) (Finding, bool) {
		if t.Health == nil || t.Offline {
			return Finding{}, false
		}
		return find(t.Health, now, write)
	}
}

// open says whether bets could be opened when the table was heard last.
func (t *Table) open() bool {
	return t.Health != nil && t.Health.Opening != nil && t.Health.Opening.Open
}

// trouble is what keeps a table from recording.
func (t *Table) trouble(code string, gravity Urgency) (Finding, bool) {
	if t.Health == nil || t.Health.Journal.Trouble == nil || t.Health.Journal.Trouble.Code != code {
		return Finding{}, false
	}
	return Finding{Urgency: gravity, Since: t.Health.Journal.Trouble.Since, Text: t.Health.Journal.Trouble.Text}, true
}

// computer is what a table's computer told last.
func (t *Table) computer() topic.Computer {
	if t.Health == nil || t.Health.Computer == nil {
		return topic.Computer{}
	}
	return *t.Health.Computer
}

// disk finds one that fills up: a table that cannot record stands still.
func disk(t *Table, _ time.Time, write Numbers) (Finding, bool) {
	const soonPart, nowPart, soonBytes, nowBytes = 10, 3, 2 << 30, 256 << 20
	c := t.computer()
	if c.DiskFree == nil || c.DiskSize == nil || *c.DiskSize == 0 {
		return Finding{}, false
	}
	free, of := *c.DiskFree, *c.DiskSize
	f := Finding{Value: Size(free, write) + ", " + percent(free, of)}
	switch {
	case free < nowBytes, free*100 < nowPart*of && free < soonBytes:
		f.Urgency = Now
	case free < soonBytes, free*100 < soonPart*of && free < 4*soonBytes:
		f.Urgency = Soon
	}
	return f, f.Urgency != 0
}

// certificate finds one that ends: screens then refuse the table's page.
func certificate(t *Table, now time.Time, _ Numbers) (Finding, bool) {
	const soon, atOnce = 30 * 24 * time.Hour, 7 * 24 * time.Hour
	until := t.computer().Certificate
	if until == nil || until.Sub(now) > soon {
		return Finding{}, false
	}
	f := Finding{Urgency: Soon, Since: *until}
	if until.Sub(now) <= atOnce {
		f.Urgency = Now
	}
	return f, true
}

// hot finds a computer that is about to slow itself down, which a Raspberry Pi does at 80 °C.
func hot(t *Table, _ time.Time, _ Numbers) (Finding, bool) {
	const soon, atOnce = 70, 80
	c := t.computer().Celsius
	if c == nil || *c < soon || t.Offline {
		return Finding{}, false
	}
	f := Finding{Urgency: Soon, Value: strconv.FormatUint(*c, 10) + " °C"}
	if *c >= atOnce {
		f.Urgency = Now
	}
	return f, true
}

// tampered finds what the shoe's line should never carry.
func tampered(t *Table, _ time.Time, write Numbers) (Finding, bool) {
	if t.Health == nil {
		return Finding{}, false
	}
	n := t.Health.Shoe.Counters["forged"] + t.Health.Shoe.Counters["replayed"]
	return Finding{Urgency: Now, Value: Count(n, write)}, n > 0
}
