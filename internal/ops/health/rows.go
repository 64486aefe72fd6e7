package health

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/sabot-table/sabot/display/words"
	"github.com/sabot-table/sabot/pit/topic"
)

// Row is one thing that can be wrong with a table. What it means and what to do about it are texts of words.Conditions.
type Row struct {
	Code     Code
	Severity Severity
	Area     Area
	// AtPit is where the pit finds it out in another way, "" for nowhere: then the pit tells it in the row's words, as
	// something for which somebody has to go there now, if it is AtOnce.
	AtPit  string
	AtOnce bool
	// found judges the daemon's facts; nil for what the daemon does not see of itself.
	found func(*Facts) *finding
}

// english are the texts for technicians, who have one language.
var english = sync.OnceValue(func() words.File {
	return words.Conditions.In(words.English)
})

// Meaning is what is wrong, for the technician.
func (r *Row) Meaning() string { return english().Text("reason." + string(r.Code)) }

// Do is what to do about it.
func (r *Row) Do() string { return english().Text("remedy." + string(r.Code)) }

// Reason is the row with what was found.
func (r *Row) Reason(what string) Reason {
	return Reason{Code: r.Code, Severity: r.Severity, Meaning: r.Meaning(), Do: r.Do(), What: what}
}

// Seen says that the daemon sees it of itself: /health, the metrics and the alert rules have it.
func (r *Row) Seen() bool { return r.found != nil }

// finding is what was found out about a reason that holds.
type finding struct {
	what  string
	since *time.Time
}

// is is a finding if something holds.
func is(holds bool, what string, values ...any) *finding {
	if !holds {
		return nil
	}
	return &finding{what: fmt.Sprintf(what, values...)}
}

// known judges what may not be known, and then is no reason.
func known[T any](value *T, judge func(T) *finding) *finding {
	if value == nil {
		return nil
	}
	return judge(*value)
}

// ofPit judges the connection to the pit, which not every table has.
func ofPit(judge func(*Pit) *finding) func(*Facts) *finding {
	return func(f *Facts) *finding {
		if f.Pit == nil {
			return nil
		}
		return judge(f.Pit)
	}
}

const (
	hot        = 80 // degrees Celsius: the firmware of a Raspberry Pi slows it down from here on
	worn       = 90 // percent
	fewDays    = 14
	manyEvents = 5000
)

// EndsSoon is how long before its end a certificate is told.
const EndsSoon = 30 * 24 * time.Hour

// Rows are all reasons: those that the daemon sees first, what stops the table before the rest, then by what they are
// about. The page, metrics, alert rules, sabot doctor and the pit are run over them.
var Rows = []Row{
	{
		Code: "first-start", Severity: Stops, Area: AreaDaemon, AtPit: "a finding, offline",
		found: func(f *Facts) *finding { return is(f.Asks != "", "at %s", f.Asks) },
	},
	{
		Code: "configuration-lost", Severity: Stops, Area: AreaDaemon, AtPit: "a finding, offline",
		found: func(f *Facts) *finding { return is(f.Left != "", "%s", f.Left) },
	},
	{
		Code: "starting", Severity: Stops, Area: AreaDaemon, AtPit: "a finding, offline",
		found: func(f *Facts) *finding { return is(!f.SetUp && f.Asks == "" && f.Left == "", "") },
	},
	{
		Code: "storage-failing", Severity: Stops, Area: AreaRecord, AtPit: "a finding, storage-failing",
		found: func(f *Facts) *finding { return troubled(f.Trouble, topic.TroubleFailing) },
	},
	{
		Code: "storage-slow", Severity: Stops, Area: AreaRecord, AtPit: "a finding, storage-slow",
		found: func(f *Facts) *finding { return troubled(f.Trouble, topic.TroubleSlow) },
	},
	{
		Code: "journal-unreadable", Severity: Stops, Area: AreaRecord, AtOnce: true,
		found: func(f *Facts) *finding {
			if f.Journal == nil {
				return nil
			}
			return is(true, "%v", f.Journal)
		},
	},
	{
		Code: "record-doubted", Severity: Stops, Area: AreaRecord, AtOnce: true,
		found: func(f *Facts) *finding { return is(f.Held != 0 && f.Held.OfRecord(), "%v", f.Held) },
	},
	{
		Code: "held", Severity: Degrades, Area: AreaDaemon, AtPit: "the floor: STOP, with its alert",
		found: func(f *Facts) *finding { return is(f.Held != 0 && !f.Held.OfRecord(), "%v", f.Held) },
	},
	{
		Code: "shoe-offline", Severity: Degrades, Area: AreaDevices, AtPit: "a finding, shoe-down",
		found: func(f *Facts) *finding { return faulty(f.Open && !f.ShoeUp, f.ShoeLost) },
	},
	{
		Code: "panel-missing", Severity: Degrades, Area: AreaDevices,
		found: func(f *Facts) *finding { return is(len(f.Panel) > 0, "%s", strings.Join(f.Panel, ", ")) },
	},
	{
		Code: "pit-offline", Severity: Degrades, Area: AreaPit, AtPit: "a finding, offline",
		found: ofPit(func(p *Pit) *finding { return faulty(!p.Up, p.Why) }),
	},
	{
		Code: "pit-denied", Severity: Degrades, Area: AreaPit, AtPit: "a finding, denied",
		found: ofPit(func(p *Pit) *finding { return is(len(p.Denied) > 0, "%s", strings.Join(p.Denied, ", ")) }),
	},
	{
		Code: "pit-behind", Severity: Degrades, Area: AreaPit, AtPit: "a finding, backlog",
		found: ofPit(func(p *Pit) *finding { return is(p.Waiting > manyEvents, "%d events wait", p.Waiting) }),
	},
	{
		Code: "disk-low", Severity: Degrades, Area: AreaDisk, AtPit: "a finding, disk-full",
		found: func(f *Facts) *finding {
			return known(f.Computer.DiskFree, func(free uint64) *finding {
				return is(free < f.FreeMin, "%s", megabytes(free))
			})
		},
	},
	{
		Code: "disk-full-soon", Severity: Degrades, Area: AreaDisk,
		found: func(f *Facts) *finding {
			return known(f.Computer.DiskFree, func(free uint64) *finding {
				days, told := f.Computer.DaysLeft()
				return is(told && days < fewDays, "%s, enough for %.1f days", megabytes(free), days)
			})
		},
	},
	{
		Code: "card-worn", Severity: Degrades, Area: AreaDisk,
		found: func(f *Facts) *finding {
			return known(f.Computer.Wear, func(w Wear) *finding {
				return is(w.Percent >= worn || w.Urgent, "%d percent of its life are used up", w.Percent)
			})
		},
	},
	{
		Code: "backup-late", Severity: Degrades, Area: AreaBackup,
		found: func(f *Facts) *finding {
			return known(f.Computer.Backup, func(b Backups) *finding {
				late := b.Late(f.Now)
				return is(late != "", "%s", late)
			})
		},
	},
	{
		Code: "hot", Severity: Degrades, Area: AreaComputer, AtPit: "a finding, hot",
		found: func(f *Facts) *finding {
			return known(f.Computer.Celsius, func(c uint64) *finding { return is(c >= hot, "%d °C", c) })
		},
	},
	{
		Code: "undervoltage", Severity: Degrades, Area: AreaComputer,
		found: func(f *Facts) *finding {
			return known(f.Computer.Power, func(p Power) *finding { return is(p.Low || p.WasLow, "%s", now(p.Low)) })
		},
	},
	{
		Code: "throttled", Severity: Degrades, Area: AreaComputer,
		found: func(f *Facts) *finding {
			return known(f.Computer.Power, func(p Power) *finding { return is(p.Slowed, "") })
		},
	},
	{
		Code: "clock-unsynchronized", Severity: Degrades, Area: AreaClock,
		found: func(f *Facts) *finding {
			return known(f.Computer.Synchronized, func(follows bool) *finding { return is(!follows, "") })
		},
	},
	{
		Code: "certificate-ends", Severity: Degrades, Area: AreaPage, AtPit: "a finding, certificate",
		found: func(f *Facts) *finding {
			return known(f.Computer.Certificate, func(until time.Time) *finding {
				return is(until.Sub(f.Now) < EndsSoon, "on %s", until.UTC().Format(time.DateOnly))
			})
		},
	},

	// What the daemon does not see of itself: sabot doctor finds it in the system around it.
	{Code: "daemon-silent", Severity: Stops, Area: AreaDaemon},
	{Code: "config-unfit", Severity: Stops, Area: AreaConfiguration},
	{Code: "files-open", Severity: Degrades, Area: AreaConfiguration},
	{Code: "version-differs", Severity: Degrades, Area: AreaDaemon},
	{Code: "restarts", Severity: Degrades, Area: AreaDaemon},
	{Code: "unit-disabled", Severity: Degrades, Area: AreaDaemon},
	{Code: "update-failed", Severity: Degrades, Area: AreaDaemon},
	{Code: "journal-unsealed", Severity: Advises, Area: AreaRecord},
	{Code: "device-unusable", Severity: Degrades, Area: AreaDevices},
	{Code: "group-missing", Severity: Degrades, Area: AreaDevices},
	{Code: "port-probed", Severity: Degrades, Area: AreaDevices},
	{Code: "port-seized", Severity: Degrades, Area: AreaDevices},
	{Code: "pit-drops", Severity: Degrades, Area: AreaPit},
	{Code: "broker-certificate-ends", Severity: Degrades, Area: AreaPit},
	{Code: "screen-own-none", Severity: Advises, Area: AreaPage},
	{Code: "disk-slow", Severity: Degrades, Area: AreaDisk},
	{Code: "backup-none", Severity: Advises, Area: AreaBackup},
	{Code: "clock-jumps", Severity: Degrades, Area: AreaClock},
	{Code: "clock-contested", Severity: Degrades, Area: AreaClock},
	{Code: "screen-blanks", Severity: Degrades, Area: AreaScreen},
}

// Of returns a reason's row; nil for a code that is none.
func Of(code Code) *Row {
	if i := slices.IndexFunc(Rows, func(r Row) bool { return r.Code == code }); i >= 0 {
		return &Rows[i]
	}
	return nil
}

func troubled(t *topic.Trouble, code string) *finding {
	if t == nil || t.Code != code {
		return nil
	}
	return &finding{t.Text, &t.Since}
}

func faulty(holds bool, why *topic.Fault) *finding {
	f := is(holds, "")
	if f != nil && why != nil {
		f.what, f.since = why.Text, &why.Time
	}
	return f
}

func now(is bool) string {
	if is {
		return "now"
	}
	return "not now, but since it started"
}

func megabytes(n uint64) string { return fmt.Sprintf("%d MB are free", n/1_000_000) }
