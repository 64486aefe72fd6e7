package floor

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/table/money"
	"github.com/sabot-table/sabot/table/vocab"
)

// What Tile.Trouble says besides topic.TroubleFailing and topic.TroubleSlow.
const (
	// TroubleDenied is a broker that does not let the table use some of its topics.
	TroubleDenied = "denied"
	// TroubleUnreadable are records that this program does not understand: the table runs a newer one.
	TroubleUnreadable = "unreadable"
	// TroubleOlder is a table that does not say its records by itself: they are fetched with each heartbeat.
	TroubleOlder = "older"
)

// Tile is one table at a glance. Amounts are in minor units of Currency.
type Tile struct {
	Table    topic.Table
	Standing Standing
	// Since is since when it stands so, as far as is known.
	Since       time.Time
	House       string
	Currency    string
	Digits      int
	Min, BoxMax int64
	Dealer      string
	Round       uint64
	Phase       vocab.Phase
	PerHour     int // rounds per hour over the last twenty minutes, 0 while that is not known
	// Boxes counts those with a stake in this round, and Of all that the table has.
	Boxes, Of int
	// Alerts are those of the table, in the order of [Floor.Alerts].
	Alerts []Alert
	// Trouble is the gravest thing that is wrong with the table's recording or connection, "" for nothing.
	Trouble string
}

// Tiles are all tables, in the order of their names: bj-2 before bj-10.
func (f *Floor) Tiles() []Tile {
	f.mu.Lock()
	defer f.mu.Unlock()
	alerts := map[topic.Table][]Alert{}
	for _, a := range f.alerts.list() {
		alerts[a.Table] = append(alerts[a.Table], a)
	}
	tiles := make([]Tile, 0, len(f.places))
	for _, p := range f.places {
		tiles = append(tiles, p.tile(alerts[p.table]))
	}
	slices.SortFunc(tiles, func(a, b Tile) int { return byName(a.Table, b.Table) })
	return tiles
}

func (p *place) tile(alerts []Alert) Tile {
	v := &p.view
	t := Tile{
		Table: p.table, Standing: p.stands, Since: p.since, House: v.House, Currency: v.Currency,
		Digits: v.Digits,
		Min:    v.Min, BoxMax: v.BoxMax, Dealer: v.Shift.Dealer, Round: v.Round, Phase: v.Phase, PerHour: p.perHour,
		Boxes: v.Staked(), Of: len(v.Boxes), Alerts: alerts, Trouble: p.trouble(),
	}
	if !v.Known() && p.health != nil && p.health.Opening != nil {
		o := p.health.Opening
		t.Currency, t.Digits, t.Min, t.BoxMax, t.Dealer = o.Currency, money.Digits(o.Currency), int64(o.Min),
			int64(o.BoxMax), o.Dealer
	}
	return t
}

// byName compares tables as people count them.
func byName(a, b topic.Table) int {
	return cmp.Or(strings.Compare(a.Site(), b.Site()), natural(a.Name(), b.Name()), strings.Compare(a.Name(), b.Name()))
}

// natural compares names whose digits are numbers.
func natural(a, b string) int {
	for a != "" && b != "" {
		x, y := digits(a), digits(b)
		if x == 0 || y == 0 {
			if a[0] != b[0] {
				return cmp.Compare(a[0], b[0])
			}
			a, b = a[1:], b[1:]
			continue
		}
		m, n := strings.TrimLeft(a[:x], "0"), strings.TrimLeft(b[:y], "0")
		if c := cmp.Or(cmp.Compare(len(m), len(n)), strings.Compare(m, n)); c != 0 {
			return c
		}
		a, b = a[x:], b[y:]
	}
	return cmp.Compare(len(a), len(b))
}

func digits(s string) int {
	n := 0
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	return n
}
