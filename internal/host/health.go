package host

import (
	"net/http"
	"time"

	"github.com/sabot-table/sabot/internal/ops/health"
	"github.com/sabot-table/sabot/internal/ops/metrics"
	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/table/vocab"
)

// facts is what is known of the table and its computer at this moment. Nothing in it waits for the disk.
func (d *Daemon) facts() health.Facts {
	view, _ := d.Board.Look()
	up, lost := d.shoe.link.look()
	f := health.Facts{
		Now: time.Now(), SetUp: view.Known(), Open: view.Known() && !view.Opening.Closed, ShoeUp: up,
		Panel:    view.Missing,
		Computer: d.program.computer.state(), FreeMin: uint64(d.config.Journal.FreeMin), Pit: d.pit.health(),
	}
	if view.Held != nil {
		f.Held = view.Held.Code
	}
	f.Trouble, _ = d.kept.storage.look()
	if _, _, err := d.kept.journal.Head(); err != nil {
		f.Journal = err
	}
	if !up && lost.err != nil {
		f.ShoeLost = &topic.Fault{Time: lost.since, Text: lost.err.Error()}
	}
	return f
}

// health is how the connection does, nil for a table without a pit.
func (p *pit) health() *health.Pit {
	if p == nil {
		return nil
	}
	s := p.publisher.Stats()
	now := &health.Pit{Up: s.Connected, Waiting: s.Lag, Denied: s.Denied}
	if s.LastError != "" {
		now.Why = &topic.Fault{Time: s.LastErrorAt, Text: s.LastError}
	}
	return now
}

// Health says whether the table works, and if not, why.
func (d *Daemon) Health() health.Report { return health.Judge(d.facts()) }

// serveHealth answers /health.
func (d *Daemon) serveHealth(w http.ResponseWriter, _ *http.Request) {
	if err := d.Health().Serve(w); err != nil {
		d.log.Debug("whoever asked for the table's health left before it was there", "err", err)
	}
}

// snapshot is what the metrics are read from.
func (d *Daemon) snapshot() metrics.Snapshot {
	f := d.facts()
	view, _ := d.Board.Look()
	_, next := d.kept.journal.Next()
	s := metrics.Snapshot{
		Site: d.config.Site, Table: d.config.Table, Version: d.program.version, Boot: d.Boot(),
		Open: f.Open, Alerts: uint64(len(view.Alerts)),
		Facts: f, Report: health.Judge(f), Counts: d.program.counts.told(), Events: next - 1,
		Shoe: d.shoe.driver.Counters(), Queued: d.shoe.driver.Condition().Queued,
	}
	if y := view.Tray; y != nil {
		s.UnderWay = map[string]uint64{vocab.InFill.String(): 0, vocab.InCredit.String(): 0}
		for i := range y.Slips {
			s.UnderWay[y.Slips[i].Kind().String()]++
		}
		if known := y.Known(); y.Counted {
			s.Tray = &known
		}
	}
	if d.pit != nil {
		s.Reconnects = d.pit.publisher.Stats().Reconnects
	}
	return s
}
