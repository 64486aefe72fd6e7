package floor_test

import (
	"testing"
	"time"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/pit/floor"
	"github.com/sabot-table/sabot/pit/topic"
)

// deal begins a round every so often, with stakes on so many of seven boxes.
func (r *room) deal(every, lasts time.Duration, staked int) {
	r.Helper()
	for end := r.now.Add(lasts); r.now.Before(end); {
		r.view.Round++
		r.view.Boxes = make([]display.Box, 7)
		for i := range staked {
			r.view.Boxes[i].Bettors = []display.Bettor{{Name: "a"}}
		}
		r.state()
		r.view.Boxes = make([]display.Box, 7) // they are paid
		r.state()
		r.live(every)
	}
}

// loses says what the day has come to.
func (r *room) loses(amount int64) {
	r.Helper()
	r.sequence++
	r.dealt(floor.Dealt{View: r.view, Totals: &topic.Totals{
		Site: r.table.Site(), Table: r.table.Name(), Boot: r.boot, Sequence: r.sequence, Time: r.now,
		Day: topic.Period{Since: evening, Wagers: []topic.Takings{
			{Wager: "main", Currency: r.view.Currency, Result: 1000 - amount},
			{Wager: "insurance", Currency: r.view.Currency, Result: -1000},
			{Wager: "main", Currency: "CHF", Result: -1_000_000},
		}, Irregularities: map[string]uint64{}},
	}})
}

// TestThresholds: each is told when a table goes past it, not before the table has been open for as long as is
// measured, and is put right once the table is back by a tenth.
func TestThresholds(t *testing.T) {
	const window = 21 * time.Minute
	for name, c := range map[string]struct {
		at    floor.Threshold
		plays func(r *room)
		want  string
	}{
		"slow": {
			floor.Threshold{What: floor.PaceLow, At: 50},
			func(r *room) { r.deal(90*time.Second, window, 1) }, "pace-low stands",
		},
		"fast enough": {
			floor.Threshold{What: floor.PaceLow, At: 36},
			func(r *room) { r.deal(90*time.Second, window, 1) }, "",
		},
		"open too short": {
			floor.Threshold{What: floor.PaceLow, At: 50},
			func(r *room) { r.deal(90*time.Second, 18*time.Minute, 1) }, "",
		},
		"fast": {
			floor.Threshold{What: floor.PaceHigh, At: 50},
			func(r *room) { r.deal(60*time.Second, window, 1) }, "pace-high stands",
		},
		"no threshold": {
			floor.Threshold{What: floor.PaceHigh},
			func(r *room) { r.deal(60*time.Second, window, 1) }, "",
		},
		"a loss": {
			floor.Threshold{What: floor.TableLoss, At: 5000},
			func(r *room) { r.loses(5001) },
			"table-loss stands",
		},
		"no loss yet": {floor.Threshold{What: floor.TableLoss, At: 5000}, func(r *room) { r.loses(5000) }, ""},
		"nearly won back": {
			floor.Threshold{What: floor.TableLoss, At: 5000},
			func(r *room) { r.loses(5001); r.loses(4501) }, "table-loss stands",
		},
		"won back": {
			floor.Threshold{What: floor.TableLoss, At: 5000},
			func(r *room) { r.loses(5001); r.loses(4500) }, "table-loss",
		},
		"nobody plays": {
			floor.Threshold{What: floor.TableIdle, At: 15},
			func(r *room) { r.live(16*time.Minute + 10*time.Second) }, "table-idle stands",
		},
		"somebody comes": {
			floor.Threshold{What: floor.TableIdle, At: 15},
			func(r *room) { r.live(17 * time.Minute); r.deal(time.Minute, time.Minute, 1) }, "table-idle",
		},
		"a slow round": {
			floor.Threshold{What: floor.TableIdle, At: 15},
			func(r *room) { r.deal(14*time.Minute, 40*time.Minute, 1) }, "",
		},
		"it closes": {
			floor.Threshold{What: floor.TableIdle, At: 15},
			func(r *room) { r.live(17 * time.Minute); r.view.Opening.Closed = true; r.state() }, "table-idle",
		},
		"few boxes": {
			floor.Threshold{What: floor.OccupancyLow, At: 20},
			func(r *room) { r.deal(time.Minute, window, 1) }, "occupancy-low stands",
		},
		"boxes": {
			floor.Threshold{What: floor.OccupancyLow, At: 20},
			func(r *room) { r.deal(time.Minute, window, 2) }, "",
		},
		"most boxes": {
			floor.Threshold{What: floor.OccupancyHigh, At: 80},
			func(r *room) { r.deal(time.Minute, window, 6) }, "occupancy-high stands",
		},
		"fewer boxes again": {
			floor.Threshold{What: floor.OccupancyHigh, At: 80},
			func(r *room) { r.deal(time.Minute, window, 6); r.deal(time.Minute, window, 4) }, "occupancy-high",
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRoom(t, floor.Options{Thresholds: []floor.Threshold{c.at}})
			r.view.Round = 16
			r.connects()
			c.plays(r)
			r.alerts(c.want)
		})
	}
}

// TestThresholdInOwnCurrency: what a table may lose is as much of its own currency, whatever decimals that has.
func TestThresholdInOwnCurrency(t *testing.T) {
	for _, c := range []struct {
		currency   string
		well, lost int64
		text       string
	}{
		{"EUR", 500_050, 500_051, "5000 / 5000"},
		{"JPY", 5000, 5001, "5001 / 5000"},
		{"KWD", 5_000_500, 6_123_456, "6123 / 5000"},
	} {
		r := newRoom(t, floor.Options{Thresholds: []floor.Threshold{{What: floor.TableLoss, At: 500_050}}})
		r.view.Currency = c.currency
		r.connects()
		r.loses(c.well)
		if n := len(r.Alerts()); n > 0 {
			t.Errorf("%s: %d alerts", c.currency, n)
		}
		r.loses(c.lost)
		if all := r.Alerts(); len(all) != 1 || all[0].Text != c.text {
			t.Errorf("%s: %+v", c.currency, all)
		}
	}
}

// TestThresholdsTellWhat: the alert has the number and the threshold, and calls who can do something about it.
func TestThresholdsTellWhat(t *testing.T) {
	r := newRoom(t, floor.Options{Thresholds: []floor.Threshold{
		{What: floor.TableLoss, At: 500_000},
		{What: floor.TableIdle, At: 15},
	}})
	r.connects()
	r.loses(612_345)
	r.live(17 * time.Minute)
	for i, want := range []struct {
		text  string
		calls floor.Role
	}{{"16 / 15", floor.Supervisor}, {"6123 / 5000", floor.Manager}} {
		if a := r.Alerts()[i]; a.Text != want.text || a.Calls != want.calls || a.Times != 1 {
			t.Errorf("%s says %q, calls %s, %d times", a.Code, a.Text, a.Calls, a.Times)
		}
	}
}
