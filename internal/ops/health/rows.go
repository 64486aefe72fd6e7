package health

import (
	"fmt"
	"strings"
	"time"

	"github.com/sabot-table/sabot/pit/topic"
)

// Row is one thing that can be wrong with a table.
type Row struct {
	Code     Code
	Severity Severity
	// Meaning is what is wrong, and Do what to do about it, for the technician.
	Meaning, Do string
	// found judges the daemon's facts; it is nil for a row of Outside.
	found func(*Facts) *finding
}

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

const (
	hot        = 80 // degrees Celsius: the firmware of a Raspberry Pi slows it down from here on
	worn       = 90 // percent
	fewDays    = 14
	manyEvents = 5000
)

// EndsSoon is how long before its end a certificate is told.
const EndsSoon = 30 * 24 * time.Hour

// Rows are all reasons: those that stop the table first, then by what they are about.
var Rows = []Row{
	{
		"first-start", Stops, "the table waits for its first start: nobody has answered its questions yet",
		"answer them at the table's own screen: see docs/first-start.md",
		func(f *Facts) *finding { return is(f.Asks != "", "at %s", f.Asks) },
	},
	{
		"configuration-lost", Stops,
		"the configuration is gone, and this computer has the record of a table: no questions are asked, and no " +
			"card is dealt",
		"put the configuration back, as the technician of the table: see docs/first-start.md#a-lost-configuration",
		func(f *Facts) *finding { return is(f.Left != "", "%s", f.Left) },
	},
	{
		"starting", Stops, "the table is not set up yet",
		"wait a few seconds; if it stays so, look at the log: journalctl -u sabotd",
		func(f *Facts) *finding { return is(!f.SetUp && f.Asks == "" && f.Left == "", "") },
	},
	{
		"storage-failing", Stops, "the journal cannot be written: the table stands still and tries again",
		"look at the disk of journal.path: is it there, writable, and not full? Nothing that was confirmed is lost",
		func(f *Facts) *finding { return troubled(f.Trouble, topic.TroubleFailing) },
	},
	{
		"storage-slow", Stops,
		"a write to the journal has been under way for over a second: the table stands still until it finishes",
		"look at the disk; if it happens again, replace the card",
		func(f *Facts) *finding { return troubled(f.Trouble, topic.TroubleSlow) },
	},
	{
		"journal-unreadable", Stops, "the journal cannot be read",
		"run sabot journal verify on the journal, and look at the disk",
		func(f *Facts) *finding {
			if f.Journal == nil {
				return nil
			}
			return is(true, "%v", f.Journal)
		},
	},
	{
		"record-doubted", Stops,
		"the table is held, since its own record is in doubt: no card is dealt until a supervisor has decided",
		"read what the table's screen says, look into it with sabot journal audit, and have a supervisor decide: " +
			"see docs/irregularities.md",
		func(f *Facts) *finding { return is(f.Held != 0 && f.Held.OfRecord(), "%v", f.Held) },
	},
	{
		"held", Degrades, "the round is held, and waits for somebody to decide",
		"see what the table's screen asks for, and who may decide it: see docs/irregularities.md",
		func(f *Facts) *finding { return is(f.Held != 0 && !f.Held.OfRecord(), "%v", f.Held) },
	},
	{
		"shoe-offline", Degrades, "the table is open, and no shoe answers: no card can be dealt",
		"look at the shoe's power and cable, then run sabot devices",
		func(f *Facts) *finding { return faulty(f.Open && !f.ShoeUp, f.ShoeLost) },
	},
	{
		"panel-missing", Degrades, "keys or lamps of the panel cannot be used",
		"look at the panel's cable, then run sabot devices; the keys of the screen work",
		func(f *Facts) *finding { return is(len(f.Panel) > 0, "%s", strings.Join(f.Panel, ", ")) },
	},
	{
		"pit-offline", Degrades, "the table has no connection to the pit's broker: events wait in the journal",
		"look at the network and the broker; nothing is lost meanwhile",
		func(f *Facts) *finding {
			if f.Pit == nil {
				return nil
			}
			return faulty(!f.Pit.Up, f.Pit.Why)
		},
	},
	{
		"pit-denied", Degrades, "the broker denies topics of the table, which are left out",
		"let the table publish there in the broker's access list, then systemctl reload sabotd",
		func(f *Facts) *finding {
			if f.Pit == nil {
				return nil
			}
			return is(len(f.Pit.Denied) > 0, "%s", strings.Join(f.Pit.Denied, ", "))
		},
	},
	{
		"pit-behind", Degrades, "many events wait for the pit's broker",
		"look at the network and the broker: it is away for long, or too slow; nothing is lost meanwhile",
		func(f *Facts) *finding {
			if f.Pit == nil {
				return nil
			}
			return is(f.Pit.Waiting > manyEvents, "%d events wait", f.Pit.Waiting)
		},
	},
	{
		"disk-low", Degrades, "less room is free for the journal than journal.free_min",
		"make room on its disk, or name an archive (journal.archive); the table deals until the disk is full",
		func(f *Facts) *finding {
			free := f.Computer.DiskFree
			return is(free != nil && *free < f.FreeMin, "%s", megabytes(free))
		},
	},
	{
		"disk-full-soon", Degrades, "at the pace of the last 24 hours the journal's disk is full within two weeks",
		"name an archive (journal.archive), or fit a larger disk",
		func(f *Facts) *finding {
			days, known := f.Computer.DaysLeft()
			return is(known && days < fewDays, "%s, enough for %.1f days", megabytes(f.Computer.DiskFree), days)
		},
	},
	{
		"card-worn", Degrades, "the flash memory has used up nearly all of its life",
		"make a backup now, and replace the card or module",
		func(f *Facts) *finding {
			w := f.Computer.Wear
			if w == nil {
				return nil
			}
			return is(w.Percent >= worn || w.Urgent, "%d percent of its life are used up", w.Percent)
		},
	},
	{
		"backup-late", Degrades, "the table has no good backup of the last two days",
		"make one with systemctl start sabot-backup; journalctl -u sabot-backup says what went wrong, and " +
			"docs/backup.md what to do",
		func(f *Facts) *finding {
			b := f.Computer.Backup
			if b == nil {
				return nil
			}
			late := b.Late(f.Now)
			return is(late != "", "%s", late)
		},
	},
	{
		"hot", Degrades, "the computer is too hot",
		"clear its air vents, or fit a larger heat sink; from 80 °C on it slows itself down",
		func(f *Facts) *finding {
			c := f.Computer.Celsius
			if c == nil {
				return nil
			}
			return is(*c >= hot, "%d °C", *c)
		},
	},
	{
		"undervoltage", Degrades, "the computer's supply is too weak, now or at some time since it started",
		"use the supply that its maker names, with a short cable; a weak one damages cards and files",
		func(f *Facts) *finding {
			p := f.Computer.Power
			if p == nil {
				return nil
			}
			return is(p.Low || p.WasLow, "%s", now(p.Low))
		},
	},
	{
		"throttled", Degrades, "the processor is slowed down by heat or a weak supply",
		"see to hot and undervoltage",
		func(f *Facts) *finding {
			p := f.Computer.Power
			return is(p != nil && p.Slowed, "")
		},
	},
	{
		"clock-unsynchronized", Degrades, "the clock follows no other: times on record may be wrong",
		"let the computer reach a time server, or fit a clock with a battery",
		func(f *Facts) *finding {
			s := f.Computer.Synchronized
			return is(s != nil && !*s, "")
		},
	},
	{
		"certificate-ends", Degrades, "the page's certificate ends within 30 days, or has ended",
		"put a new one in its place: see Screens on a network in docs/operations.md",
		func(f *Facts) *finding {
			until := f.Computer.Certificate
			if until == nil {
				return nil
			}
			return is(until.Sub(f.Now) < EndsSoon, "on %s", until.UTC().Format(time.DateOnly))
		},
	},
}

// Of returns a reason's row, of Rows or of Outside; nil for a code that is none.
func Of(code Code) *Row {
	for _, rows := range [][]Row{Rows, Outside} {
		for i := range rows {
			if rows[i].Code == code {
				return &rows[i]
			}
		}
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

func megabytes(n *uint64) string {
	if n == nil {
		return ""
	}
	return fmt.Sprintf("%d MB are free", *n/1_000_000)
}
