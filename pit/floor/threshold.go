package floor

import (
	"strconv"
	"time"

	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/table/money"
)

// The pit's own alerts of tables that go past what the house has set.
const (
	// PaceLow and PaceHigh are fewer or more rounds per hour.
	PaceLow  = "pace-low"
	PaceHigh = "pace-high"
	// TableLoss is a table that has lost so much since its gaming day began, in its currency.
	TableLoss = "table-loss"
	// TableIdle is an open table that has begun no round for so many minutes.
	TableIdle = "table-idle"
	// OccupancyLow and OccupancyHigh are a smaller or larger part of the boxes that are staked on, in percent.
	OccupancyLow  = "occupancy-low"
	OccupancyHigh = "occupancy-high"
)

// Threshold has an alert raised at a table that goes past it.
type Threshold struct {
	// What is one of the codes above.
	What string
	// At is where it lies, as What says, an amount in hundredths of each table's own currency; 0 for nowhere.
	At int64
}

// measure is what a threshold is compared with.
type measure struct {
	what string
	// low says that less is too little, and not more too much.
	low bool
	of  func(p *place, now time.Time) (n int64, known bool)
	// amount says that the number is an amount of money, in minor units of the table's currency.
	amount bool
}

var measures = []measure{
	{PaceLow, true, (*place).rounds, false},
	{PaceHigh, false, (*place).rounds, false},
	{TableLoss, false, (*place).loss, true},
	{TableIdle, false, (*place).idle, false},
	{OccupancyLow, true, (*place).occupied, false},
	{OccupancyHigh, false, (*place).occupied, false},
}

// hundredths are the decimals in which the house writes an amount for tables of any currency.
const hundredths = 2

// write writes a number, an amount of a table without its decimals.
func (m measure) write(p *place, n int64) string {
	if m.amount {
		n = money.Scaled(n, money.Digits(p.view.Currency), 0, money.Down)
	}
	return strconv.FormatInt(n, 10)
}

// at is where a threshold lies at a table.
func (w watched) at(p *place) int64 {
	if w.amount {
		return money.Scaled(w.set, hundredths, money.Digits(p.view.Currency), money.Down)
	}
	return w.set
}

// slack is the part of a threshold by which a table must be back before the alert is put right: a number that moves
// around it would raise one every minute.
const slack = 10

// watched is a measure with the house's threshold.
type watched struct {
	measure
	set int64
}

// watchedOf are the thresholds that lie anywhere.
func watchedOf(list []Threshold) (all []watched) {
	for _, t := range list {
		for _, m := range measures {
			if m.what == t.What && t.At > 0 {
				all = append(all, watched{m, t.At})
			}
		}
	}
	return all
}

// watch compares a table with the house's thresholds, and says whether an alert has changed.
func (f *Floor) watch(p *place) (changed bool) {
	for _, w := range f.watched {
		changed = f.compare(p, w.measure, w.at(p)) || changed
	}
	return changed
}

func (f *Floor) compare(p *place, m measure, at int64) bool {
	n, known := m.of(p, f.now)
	switch stands := f.alerts.stands(p.table, m.what); {
	case p.stands == Closed && m.what != TableLoss:
		return stands && f.alerts.clear(p.table, m.what, f.now)
	case !known:
		return false
	case !stands && m.past(n, at):
		return f.alerts.raise(p.table, m.what, m.write(p, n)+" / "+m.write(p, at), f.now)
	case stands && !m.past(n, m.back(at)):
		return f.alerts.clear(p.table, m.what, f.now)
	}
	return false
}

// past says whether a number is past a threshold.
func (m measure) past(n, at int64) bool {
	if m.low {
		return n < at
	}
	return n > at
}

// back is how far a number must come back.
func (m measure) back(at int64) int64 {
	if m.low {
		return at + at/slack
	}
	return at - at/slack
}

// plays says whether the table has been open for as long as rounds are counted.
func (p *place) plays(now time.Time) bool {
	return p.stands == Open && !p.opened.IsZero() && now.Sub(p.opened) >= paceWindow
}

func (p *place) rounds(now time.Time) (int64, bool) { return int64(p.perHour), p.plays(now) }

// idle is for how many minutes no round was begun.
func (p *place) idle(now time.Time) (int64, bool) {
	last := p.opened
	if n := len(p.pace.began); n > 0 {
		last = later(last, p.pace.began[n-1].at)
	}
	return int64(now.Sub(last) / time.Minute), p.stands == Open && !last.IsZero()
}

// occupied is which part of the boxes was staked on, in the rounds that count for the pace.
func (p *place) occupied(now time.Time) (percent int64, known bool) {
	n, of := len(p.pace.began)-1, len(p.view.Boxes) // the last round is under way
	if n < 1 || of == 0 || !p.plays(now) {
		return 0, false
	}
	staked := 0
	for _, m := range p.pace.began[:n] {
		staked += m.boxes
	}
	return int64(staked) * 100 / int64(n*of), true
}

// loss is what the house has lost since the gaming day began.
func (p *place) loss(time.Time) (amount int64, known bool) {
	if p.totals == nil {
		return 0, false
	}
	for _, w := range p.totals.Day.Wagers {
		if w.Currency == p.view.Currency {
			amount -= w.Result
		}
	}
	return amount, p.view.Known()
}

// openedAt notes since when a table plays: an irregularity does not interrupt that.
func (p *place) openedAt(now time.Time) {
	switch p.stands {
	case Open:
		if p.opened.IsZero() {
			p.opened = now
		}
	case Closed, Offline:
		p.opened = time.Time{}
	}
}

// staked notes how many boxes are staked on in the round that is played.
func (p *pace) staked(boxes int) {
	if n := len(p.began); n > 0 {
		p.began[n-1].boxes = max(p.began[n-1].boxes, boxes)
	}
}

// stands says whether one of the pit's own alerts stands.
func (l *ledger) stands(table topic.Table, code string) bool {
	a := l.open[key{table, code}]
	return a != nil && a.Standing > 0
}
