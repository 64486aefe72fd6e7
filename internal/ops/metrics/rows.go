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
	// Tray says whether somebody can tell what must be in the tray, nil where nobody has counted it. UnderWay are its
	// fills and credits.
	Tray     *bool
	UnderWay map[string]uint64
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
	// TrayCounts are by which count it was, and Slips by the step of a fill or a credit; all names are there.
	TrayCounts, Slips map[string]uint64
	// Differ are the counts that found another amount than had to be there.
	Differ uint64
}

// rows are all metrics but the times and what the computer tells, in the order of docs/metrics.md.
var rows = []row[Snapshot]{
	{
		"sabot_info", gauge,
		[]string{"site", "table", "version"},
		"1, with the table's names and the daemon's version",
		func(s *Snapshot, e emit) { e(1, s.Site, s.Table, s.Version) },
	},
	{"sabot_boot", gauge, nil, "Number of the daemon's start, as the journal counts it", func(s *Snapshot, e emit) {
		e(float64(s.Boot))
	}},
	{"sabot_ready", gauge, nil, "1 if nothing stops the table, as /health says", func(s *Snapshot, e emit) {
		e(health.One(s.Report.Ready))
	}},
	{
		"sabot_health_reason", gauge,
		[]string{"code", "severity"},
		"1 while this reason of /health holds, 0 while not; every reason has a series", func(s *Snapshot, e emit) {
			for i := range health.Rows {
				if r := &health.Rows[i]; r.Seen() {
					e(health.One(s.Report.Holds(r.Code)), string(r.Code), string(r.Severity))
				}
			}
		},
	},
	{"sabot_open", gauge, nil, "1 if the table is open: bets can be opened", func(s *Snapshot, e emit) {
		e(health.One(s.Open))
	}},
	{
		"sabot_alerts", gauge, nil, "Alerts that are not put right, or that nobody has acknowledged",
		func(s *Snapshot, e emit) { e(float64(s.Alerts)) },
	},
	{
		"sabot_rounds_total", counter, nil, "Rounds that were finished, since the daemon started",
		func(s *Snapshot, e emit) { e(float64(s.Counts.Rounds)) },
	},
	{
		"sabot_cards_total", counter, nil, "Cards that got their place, since the daemon started",
		func(s *Snapshot, e emit) { e(float64(s.Counts.Cards)) },
	},
	{
		"sabot_irregularities_total", counter,
		[]string{"code"},
		"Irregularities by their code in transcripts, since the daemon started", func(s *Snapshot, e emit) {
			each(s.Counts.Irregularities, e)
		},
	},
	{
		"sabot_tray_counts_total", counter,
		[]string{"event"},
		"How often the tray was counted, since the daemon started: opening, closing or interim",
		func(s *Snapshot, e emit) { each(s.Counts.TrayCounts, e) },
	},
	{
		"sabot_tray_slips_total", counter,
		[]string{"event"},
		"Steps that fills and credits have taken, since the daemon started: asked, approved, sent, received or refused",
		func(s *Snapshot, e emit) { each(s.Counts.Slips, e) },
	},
	{
		"sabot_tray_differences_total", counter, nil,
		"Counts of the tray that found another amount than had to be there, since the daemon started",
		func(s *Snapshot, e emit) { e(float64(s.Counts.Differ)) },
	},
	{
		"sabot_tray_known", gauge, nil,
		"1 while the table can say what must be in the tray; 0 after a round without amounts, until the next count; " +
			"missing where nobody has counted it",
		func(s *Snapshot, e emit) {
			if s.Tray != nil {
				e(health.One(*s.Tray))
			}
		},
	},
	{
		"sabot_tray_slips_under_way", gauge,
		[]string{"kind"},
		"Fills and credits that are under way", func(s *Snapshot, e emit) { each(s.UnderWay, e) },
	},
	{"sabot_shoe_up", gauge, nil, "1 while the link to the shoe is up", func(s *Snapshot, e emit) {
		e(health.One(s.Facts.ShoeUp))
	}},
	{
		"sabot_shoe_link_total", counter,
		[]string{"counter"},
		"What the shoe's driver counts since the daemon started, by its name in docs/shoes.md, such as frames, " +
			"bad_frames and gaps", func(s *Snapshot, e emit) { each(s.Shoe, e) },
	},
	{
		"sabot_shoe_queue_events", gauge, nil,
		"Events that wait in the shoe; missing for a make that keeps none, and while its link is down",
		func(s *Snapshot, e emit) {
			if s.Queued != nil {
				e(float64(*s.Queued))
			}
		},
	},
	{"sabot_journal_events", gauge, nil, "The last event in the journal", func(s *Snapshot, e emit) {
		e(float64(s.Events))
	}},
	{
		"sabot_pit_connected", gauge, nil, "1 while the table is connected to the pit's broker; missing without one",
		func(s *Snapshot, e emit) {
			if s.Facts.Pit != nil {
				e(health.One(s.Facts.Pit.Up))
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
}

// each tells what was counted, by the value of its label.
func each(counted map[string]uint64, e emit) {
	for _, name := range slices.Sorted(maps.Keys(counted)) {
		e(float64(counted[name]), name)
	}
}

// readings are what the computer tells, as rows.
var readings = func() (all []row[health.Computer]) {
	for _, r := range health.Readings {
		all = append(all, row[health.Computer]{r.Name, gauge, r.Labels, r.Help, r.Tell})
	}
	return all
}()
