package metrics

import (
	"maps"
	"slices"

	"github.com/sabot-table/sabot/internal/ops/health"
)

// Snapshot is what a table says of itself at one moment. What is not known is nil, and has no series.
type Snapshot struct {
	Site, Table, Version string
	Boot                 uint64
	// Open says that bets can be opened.
	Open bool
	// Alerts are those that are not put right, or that nobody has acknowledged.
	Alerts uint64
	// Facts are what Report was judged by.
	Facts  health.Facts
	Report health.Report
	Counts Counts
	// Events is the last event in the journal.
	Events uint64
	// Reconnects counts the connections to the pit after the first; it counts only with a pit.
	Reconnects uint64
	// Shoe are the counters of the shoe's driver, by name, and Queued the events in the shoe's own queue.
	Shoe   map[string]uint64
	Queued *uint64
}

// Counts are what has happened at the table since the daemon started.
type Counts struct {
	Rounds, Cards uint64
	// Irregularities are by code; all codes are there.
	Irregularities map[string]uint64
}

// rows are all metrics but the times, in the order of docs/metrics.md.
var rows = []row[Snapshot]{
	{
		"sabot_info", gauge,
		[]string{"site", "table", "version"},
		"1, with the table's names and the daemon's version",
		func(s *Snapshot, e emit) {
			e(1, s.Site, s.Table, s.Version)
		},
	},
	{"sabot_boot", gauge, nil, "Number of the daemon's start, as the journal counts it", func(s *Snapshot, e emit) {
		e(float64(s.Boot))
	}},
	{"sabot_ready", gauge, nil, "1 if nothing stops the table, as /health says", func(s *Snapshot, e emit) {
		e(one(s.Report.Ready))
	}},
	{
		"sabot_health_reason", gauge,
		[]string{"code", "severity"},
		"1 while this reason of /health holds, 0 while not; every reason has a series", func(s *Snapshot, e emit) {
			for _, r := range health.Rows {
				e(one(s.Report.Holds(r.Code)), string(r.Code), string(r.Severity))
			}
		},
	},
	{"sabot_open", gauge, nil, "1 if the table is open: bets can be opened", func(s *Snapshot, e emit) {
		e(one(s.Open))
	}},
	{
		"sabot_alerts", gauge, nil, "Alerts that are not put right, or that nobody has acknowledged",
		func(s *Snapshot, e emit) {
			e(float64(s.Alerts))
		},
	},
	{
		"sabot_rounds_total", counter, nil, "Rounds that were finished, since the daemon started",
		func(s *Snapshot, e emit) {
			e(float64(s.Counts.Rounds))
		},
	},
	{
		"sabot_cards_total", counter, nil, "Cards that got their place, since the daemon started",
		func(s *Snapshot, e emit) {
			e(float64(s.Counts.Cards))
		},
	},
	{
		"sabot_irregularities_total", counter,
		[]string{"code"},
		"Irregularities by their code in transcripts, since the daemon started", func(s *Snapshot, e emit) {
			each(s.Counts.Irregularities, e)
		},
	},
	{"sabot_shoe_up", gauge, nil, "1 while the link to the shoe is up", func(s *Snapshot, e emit) {
		e(one(s.Facts.ShoeUp))
	}},
	{
		"sabot_shoe_link_total", counter,
		[]string{"counter"},
		"What the shoe's driver counts since the daemon started, by its name in docs/shoes.md, such as frames, " +
			"bad_frames and gaps", func(s *Snapshot, e emit) {
			each(s.Shoe, e)
		},
	},
	{
		"sabot_shoe_queue_events", gauge, nil,
		"Events that wait in the shoe; missing for a make that keeps none, and while its link is down",
		func(s *Snapshot, e emit) {
			maybe(s.Queued, e)
		},
	},
	{"sabot_journal_events", gauge, nil, "The last event in the journal", func(s *Snapshot, e emit) {
		e(float64(s.Events))
	}},
	{
		"sabot_pit_connected", gauge, nil, "1 while the table is connected to the pit's broker; missing without one",
		func(s *Snapshot, e emit) {
			if s.Facts.Pit != nil {
				e(one(s.Facts.Pit.Up))
			}
		},
	},
	{
		"sabot_pit_queue_events", gauge, nil, "Events that the pit's broker has not acknowledged; missing without one",
		func(s *Snapshot, e emit) {
			if s.Facts.Pit != nil {
				e(float64(s.Facts.Pit.Waiting))
			}
		},
	},
	{
		"sabot_pit_reconnects_total", counter, nil,
		"Connections to the pit's broker after the first; missing without one",
		func(s *Snapshot, e emit) {
			if s.Facts.Pit != nil {
				e(float64(s.Reconnects))
			}
		},
	},
	{"sabot_journal_size_bytes", gauge, nil, "Size of the journal's files", func(s *Snapshot, e emit) {
		maybe(s.Facts.Computer.JournalBytes, e)
	}},
	{
		"sabot_journal_day_bytes", gauge, nil, "Size of the journal's parts that were written to in the last 24 hours",
		func(s *Snapshot, e emit) {
			maybe(s.Facts.Computer.JournalDay, e)
		},
	},
	{"sabot_disk_free_bytes", gauge, nil, "Room that is left on the journal's disk", func(s *Snapshot, e emit) {
		maybe(s.Facts.Computer.DiskFree, e)
	}},
	{"sabot_disk_size_bytes", gauge, nil, "Size of that disk", func(s *Snapshot, e emit) {
		maybe(s.Facts.Computer.DiskSize, e)
	}},
	{
		"sabot_disk_left_seconds", gauge, nil,
		"Seconds until that disk is full, if each day is like the last 24 hours; missing while nothing was written",
		func(s *Snapshot, e emit) {
			if days, known := s.Facts.Computer.DaysLeft(); known {
				e(days * secondsOfDay)
			}
		},
	},
	{
		"sabot_flash_worn_ratio", gauge, nil,
		"How much of the life of the flash memory is used up, in tenths that are begun; missing where it does not tell",
		func(s *Snapshot, e emit) {
			if w := s.Facts.Computer.Wear; w != nil {
				e(float64(w.Percent) / 100)
			}
		},
	},
	{
		"sabot_backup_timestamp_seconds", gauge, nil,
		"When the last backup was made that was read back and audited, in seconds since 1970; missing if none was",
		func(s *Snapshot, e emit) {
			if b := s.Facts.Computer.Backup; b != nil && b.Good != nil {
				e(float64(b.Good.At.Unix()))
			}
		},
	},
	{
		"sabot_temperature_celsius", gauge, nil, "The highest temperature that the computer's sensors tell",
		func(s *Snapshot, e emit) {
			maybe(s.Facts.Computer.Celsius, e)
		},
	},
	{
		"sabot_undervoltage", gauge,
		[]string{"when"},
		"1 if the computer's supply is too weak: now, or at any time since it started (since-start); missing where " +
			"it is not watched", func(s *Snapshot, e emit) {
			if p := s.Facts.Computer.Power; p != nil {
				e(one(p.Low), "now")
				e(one(p.WasLow), "since-start")
			}
		},
	},
	{
		"sabot_throttled", gauge,
		[]string{"when"},
		"1 if the processor is slowed down by heat or a weak supply: now, or at any time since it started " +
			"(since-start); missing where it is not told", func(s *Snapshot, e emit) {
			if p := s.Facts.Computer.Power; p != nil {
				e(one(p.Slowed), "now")
				e(one(p.WasSlowed), "since-start")
			}
		},
	},
	{
		"sabot_clock_synchronized", gauge, nil,
		"1 while the clock follows another; missing where the system does not tell", func(s *Snapshot, e emit) {
			if is := s.Facts.Computer.Synchronized; is != nil {
				e(one(*is))
			}
		},
	},
	{
		"sabot_certificate_end_timestamp_seconds", gauge, nil,
		"When the page's certificate ends, in seconds since 1970; missing without one", func(s *Snapshot, e emit) {
			if until := s.Facts.Computer.Certificate; until != nil {
				e(float64(until.Unix()))
			}
		},
	},
}

const secondsOfDay = 24 * 60 * 60

func one(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

// each tells what was counted, by the value of its label.
func each(counted map[string]uint64, e emit) {
	for _, name := range slices.Sorted(maps.Keys(counted)) {
		e(float64(counted[name]), name)
	}
}

func maybe(n *uint64, e emit) {
	if n != nil {
		e(float64(*n))
	}
}
