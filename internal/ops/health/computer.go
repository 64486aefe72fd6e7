package health

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// Where is where to look.
type Where struct {
	// Journal is the folder whose disk it is.
	Journal string
	// Sys is where the kernel tells of its devices; /sys on a real computer.
	Sys string
	// Backup is where the settings of the backup's service are; BackupSettings on a real computer, "" not to
	// look.
	Backup string
}

// Computer is how the table's computer does: its disk, its card, its temperature, its power and its clock, as far as
// the system tells. What it does not tell is nil.
type Computer struct {
	// DiskFree is the room that is left on the journal's disk, DiskSize that disk's size, in bytes.
	DiskFree, DiskSize *uint64
	// JournalBytes is the size of the journal's files.
	JournalBytes *uint64
	// JournalDay is how many bytes the journal's parts have that were written to in the last 24 hours.
	JournalDay *uint64
	// Celsius is the highest temperature that the sensors tell, in whole degrees.
	Celsius *uint64
	// Power is nil on a computer that does not watch its supply.
	Power *Power
	// Wear is nil where no card or eMMC tells it.
	Wear *Wear
	// Synchronized says whether the clock follows another, such as a time server.
	Synchronized *bool
	// Certificate is when the certificate of the table's page ends; Look does not know it.
	Certificate *time.Time
	// Backup is how the table's backups do.
	Backup *Backups
}

// DaysLeft is how many days the disk lasts if each is like the last 24 hours; false if that is not known, or nothing
// was written.
func (s Computer) DaysLeft() (days float64, known bool) {
	if s.DiskFree == nil || s.JournalDay == nil || *s.JournalDay == 0 {
		return 0, false
	}
	return float64(*s.DiskFree) / float64(*s.JournalDay), true
}

// Emit tells one value of a series, with the values of its labels.
type Emit func(value float64, labels ...string)

// Reading is something that the computer tells, as a series of the metrics.
type Reading struct {
	Name   string
	Labels []string
	// Help is the meaning, for people, with the unit; without a full stop.
	Help string
	// Tell emits nothing where it is not known.
	Tell func(*Computer, Emit)
}

const secondsOfDay = 24 * 60 * 60

// Readings are all that the computer tells, in the order of docs/metrics.md.
var Readings = []Reading{
	{"sabot_journal_size_bytes", nil, "Size of the journal's files", func(c *Computer, e Emit) {
		maybe(c.JournalBytes, e)
	}},
	{
		"sabot_journal_day_bytes", nil, "Size of the journal's parts that were written to in the last 24 hours",
		func(c *Computer, e Emit) { maybe(c.JournalDay, e) },
	},
	{"sabot_disk_free_bytes", nil, "Room that is left on the journal's disk", func(c *Computer, e Emit) {
		maybe(c.DiskFree, e)
	}},
	{"sabot_disk_size_bytes", nil, "Size of that disk", func(c *Computer, e Emit) { maybe(c.DiskSize, e) }},
	{
		"sabot_disk_left_seconds", nil,
		"Seconds until that disk is full, if each day is like the last 24 hours; missing while nothing was written",
		func(c *Computer, e Emit) {
			if days, known := c.DaysLeft(); known {
				e(days * secondsOfDay)
			}
		},
	},
	{
		"sabot_flash_worn_ratio", nil,
		"How much of the life of the flash memory is used up, in tenths that are begun; missing where it does not tell",
		func(c *Computer, e Emit) {
			if w := c.Wear; w != nil {
				e(float64(w.Percent) / 100)
			}
		},
	},
	{
		"sabot_backup_timestamp_seconds", nil,
		"When the last backup was made that was read back and audited, in seconds since 1970; missing if none was",
		func(c *Computer, e Emit) {
			if b := c.Backup; b != nil && b.Good != nil {
				e(float64(b.Good.At.Unix()))
			}
		},
	},
	{
		"sabot_temperature_celsius", nil, "The highest temperature that the computer's sensors tell",
		func(c *Computer, e Emit) { maybe(c.Celsius, e) },
	},
	{
		"sabot_undervoltage",
		[]string{"when"},
		"1 if the computer's supply is too weak: now, or at any time since it started (since-start); missing where " +
			"it is not watched", func(c *Computer, e Emit) {
			if p := c.Power; p != nil {
				e(One(p.Low), "now")
				e(One(p.WasLow), "since-start")
			}
		},
	},
	{
		"sabot_throttled",
		[]string{"when"},
		"1 if the processor is slowed down by heat or a weak supply: now, or at any time since it started " +
			"(since-start); missing where it is not told", func(c *Computer, e Emit) {
			if p := c.Power; p != nil {
				e(One(p.Slowed), "now")
				e(One(p.WasSlowed), "since-start")
			}
		},
	},
	{
		"sabot_clock_synchronized", nil,
		"1 while the clock follows another; missing where the system does not tell", func(c *Computer, e Emit) {
			if is := c.Synchronized; is != nil {
				e(One(*is))
			}
		},
	},
	{
		"sabot_certificate_end_timestamp_seconds", nil,
		"When the page's certificate ends, in seconds since 1970; missing without one", func(c *Computer, e Emit) {
			if until := c.Certificate; until != nil {
				e(float64(until.Unix()))
			}
		},
	},
}

// Untold is what the computer has no means to tell.
func (c Computer) Untold() (all []string) {
	for _, one := range []struct {
		what string
		told bool
	}{
		{"its temperature", c.Celsius != nil},
		{"whether its supply is too weak", c.Power != nil},
		{"how worn its card is", c.Wear != nil},
		{"whether its clock is right", c.Synchronized != nil},
	} {
		if !one.told {
			all = append(all, one.what)
		}
	}
	return all
}

// One is 1 for what is so.
func One(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

func maybe(n *uint64, e Emit) {
	if n != nil {
		e(float64(*n))
	}
}

// Look finds out how the computer does now. It waits for the disk, which may hang.
func Look(at Where) Computer {
	var s Computer
	s.DiskFree, s.DiskSize = room(at.Journal)
	s.JournalBytes, s.JournalDay = sizeOf(at.Journal, time.Now().Add(-24*time.Hour))
	s.Celsius, s.Power, s.Wear, s.Synchronized = hottest(at.Sys), power(at.Sys), wear(at.Sys), clock()
	if at.Backup != "" {
		b := LookAtBackups(at.Journal, at.Backup)
		s.Backup = &b
	}
	return s
}

// sizeOf is the size of the files in a journal's folder, and of those of its parts that were written since a moment;
// nil if they cannot be seen. A part that was packed meanwhile was written before.
func sizeOf(folder string, since time.Time) (all, day *uint64) {
	var size, written uint64
	err := filepath.WalkDir(folder, func(_ string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return nil // a part that has just gone is no part of it
		}
		n := uint64(max(info.Size(), 0))
		size += n
		if strings.HasSuffix(entry.Name(), ".jsonl") && info.ModTime().After(since) {
			written += n
		}
		return nil
	})
	if err != nil {
		return nil, nil
	}
	return &size, &written
}

// mostText is more than any file of the system that is read has, in bytes.
const mostText = 1 << 20

// TextOf is the text of a file of the system's, without spaces around it; "" if there is none, or it may not be read:
// some sensors tell nothing while they sleep.
func TextOf(path string) string {
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, mostText))
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(text))
}

// found lists the files that match a pattern below sys.
func found(sys, pattern string) []string {
	paths, err := filepath.Glob(filepath.Join(sys, pattern))
	if err != nil {
		return nil
	}
	return paths
}

// hottest is the highest temperature that the kernel's sensors tell, in degrees, nil for none. It writes
// thousandths of a degree. What no computer survives is a sensor that is broken, or not there.
func hottest(sys string) *uint64 {
	const thousandths, most = 1000, 130
	var highest *uint64
	for _, zone := range found(sys, "class/thermal/thermal_zone*/temp") {
		n, err := strconv.ParseInt(TextOf(zone), 10, 64)
		if degrees := n / thousandths; err == nil && degrees > 0 && degrees < most &&
			(highest == nil || uint64(degrees) > *highest) {
			now := uint64(degrees)
			highest = &now
		}
	}
	return highest
}

// Power is what a computer that watches its supply says: now, and whether it was so at any time since it started.
type Power struct {
	// Low: the supply's voltage is too low. Slowed: the processor is slowed down, because of that or of heat.
	Low, Slowed bool
	// WasLow and WasSlowed say so of any time since the computer started.
	WasLow, WasSlowed bool
}

// The bits of a Raspberry Pi's get_throttled.
const (
	bitLow, bitCapped, bitThrottled, bitSoftLimit = 1 << 0, 1 << 1, 1 << 2, 1 << 3
	bitsSlowed                                    = bitCapped | bitThrottled | bitSoftLimit
	bitsSince                                     = 16
)

// power reads what the firmware of a Raspberry Pi tells, and the kernel's alarm of its supply.
func power(sys string) *Power {
	var p *Power
	for _, file := range found(sys, "devices/platform/soc*/soc*:firmware/get_throttled") {
		bits, err := strconv.ParseUint(strings.TrimPrefix(TextOf(file), "0x"), 16, 32)
		if err == nil {
			since := bits >> bitsSince
			p = &Power{
				Low: bits&bitLow != 0, Slowed: bits&bitsSlowed != 0, WasLow: since&bitLow != 0,
				WasSlowed: since&bitsSlowed != 0,
			}
		}
	}
	for _, name := range found(sys, "class/hwmon/hwmon*/name") {
		alarm := TextOf(filepath.Join(filepath.Dir(name), "in0_lcrit_alarm"))
		if TextOf(name) != "rpi_volt" || alarm == "" {
			continue
		}
		if p == nil {
			p = &Power{}
		}
		if alarm != "0" {
			p.Low, p.WasLow = true, true
		}
	}
	return p
}

// Wear is how far the flash memory is worn that tells it most.
type Wear struct {
	// Percent is how much of its life is used up, in steps of ten; more than 100 is beyond what its maker promises.
	Percent uint64
	// Urgent says that it has nearly used up its spare blocks.
	Urgent bool
}

// wear reads what eMMC modules tell, and SD cards hardly ever do: life_time is two numbers, of tens of percent that are
// begun, and 0 for what is not known; pre_eol_info is 1 for normal, 2 for a warning, 3 for urgent.
func wear(sys string) *Wear {
	const most = 11 // 0x0b: beyond its life
	var worst *Wear
	for _, file := range found(sys, "block/mmcblk*/device/life_time") {
		for _, text := range strings.Fields(TextOf(file)) {
			n, err := strconv.ParseUint(strings.TrimPrefix(text, "0x"), 16, 8)
			if err != nil || n == 0 || n > most {
				continue
			}
			if worst == nil {
				worst = &Wear{}
			}
			worst.Percent = max(worst.Percent, n*10)
		}
		if n, err := strconv.ParseUint(strings.TrimPrefix(TextOf(filepath.Join(filepath.Dir(file), "pre_eol_info")),
			"0x"), 16, 8); err == nil && worst != nil {
			worst.Urgent = worst.Urgent || n >= 2
		}
	}
	return worst
}
