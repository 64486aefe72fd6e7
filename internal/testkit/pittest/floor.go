// Package pittest is what a pit shows, without any tables: floors that are calm or have a bad night, nights of rounds
// with a few things that a pit boss should find, and the trays of a gaming day.
package pittest

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/internal/testkit/displaytest"
	"github.com/sabot-table/sabot/pit/floor"
	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/vocab"
)

// Floor stands still until it is told what to show. Its methods may be called from any goroutine.
type Floor struct {
	mu      sync.Mutex
	tiles   []floor.Tile
	views   map[topic.Table]display.View
	alerts  []floor.Alert
	over    []floor.Alert
	changed chan struct{}
	raised  int
}

// NewFloor is a floor that shows a sample.
func NewFloor(sample string) (*Floor, error) {
	f := &Floor{changed: make(chan struct{})}
	return f, f.Show(sample)
}

// Samples are the names of what can be shown.
var Samples = []string{"calm", "bad", "sixty", "offline", "broker", "store", "empty"}

// houses are those that come with Sabot, and what they speak of.
var houses = []struct {
	name, currency string
	min, max       int64
}{
	{"wiesbaden", "EUR", 1000, 50000},
	{"baden", "CHF", 1000, 100000},
	{"st-moritz", "CHF", 2500, 200000},
	{"mendrisio", "CHF", 500, 30000},
	{"schaffhausen", "CHF", 1000, 50000},
	{"lugano", "CHF", 1500, 75000},
}

var dealers = []string{
	"Anna", "Bruno", "Chiara", "Dimitri", "Maximiliane", "Federico", "Greta", "Henri",
	"Ivana", "Jonas",
}

// played are what the tables show while they play.
var played = []string{"play", "payment", "deal", "bets", "bank", "split", "full", "nine", "insurance", "idle"}

// views are what tables show, by their names in displaytest.
var views = sync.OnceValue(func() map[string]display.View {
	all := map[string]display.View{}
	for _, s := range slices.Concat(displaytest.Samples(), displaytest.Holds()) {
		all[s.Name] = s.View
	}
	return all
})

func sampleView(name string) display.View {
	v, ok := views()[name]
	if !ok {
		panic("pittest: there is no view " + name)
	}
	return v
}

// Table is a table of the samples' room.
func Table(n int) topic.Table {
	t, err := topic.NewTable("kursaal", fmt.Sprintf("bj-%d", n))
	if err != nil {
		panic(err)
	}
	return t
}

// Show shows a sample.
func (f *Floor) Show(sample string) error {
	if !slices.Contains(Samples, sample) {
		return fmt.Errorf("no sample %q", sample)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.tiles, f.alerts, f.over, f.views = nil, nil, nil, map[topic.Table]display.View{}
	n := 12
	switch sample {
	case "sixty":
		n = 60
	case "empty":
		n = 0
	}
	for i := range n {
		f.seat(i + 1)
	}
	switch sample {
	case "bad", "sixty":
		f.bad()
	case "offline":
		for i := range f.tiles {
			f.tiles[i].Standing = floor.Offline
			f.alarm(i, floor.TableOffline, floor.Stop, time.Duration(2+i)*time.Minute)
		}
		f.sort()
	case "broker":
		for i := range f.tiles {
			f.tiles[i].Standing = floor.Unknown
		}
		f.own(floor.BrokerLost, "pit:1883: connection refused: check that a broker runs there", 95*time.Second)
	case "store":
		f.own(floor.StoreFailing,
			"/var/lib/sabot/pit.db: no space left on device: make room, nothing is lost until then", 12*time.Minute)
	}
	f.over = append(f.over, ended(3, "unread-card", "Anna", "Karte war verdreht", 52*time.Minute),
		ended(7, "floor-called", "Herr Keller", "", 95*time.Minute))
	f.change()
	return nil
}

func (f *Floor) change() {
	close(f.changed)
	f.changed = make(chan struct{})
}

// seat adds a table that plays.
func (f *Floor) seat(n int) {
	h := houses[n%len(houses)]
	v := sampleView(played[n%len(played)])
	v.House, v.Currency, v.Min, v.BoxMax, v.Table = h.name, h.currency, h.min, h.max, Table(n).Name()
	v.Shift = display.Shift{
		Dealer:         dealers[n%len(dealers)],
		Irregularities: map[irregularity.Code]int{irregularity.UnreadCard: n % 3, irregularity.CardWithoutCall: 1},
	}
	v.Seq, v.Round = uint64(1000+n), uint64(200+7*n)
	t := floor.Tile{
		Table: Table(n), Standing: floor.Open, Since: time.Now().Add(-3 * time.Hour), House: h.name,
		Currency: h.currency, Digits: 2,
		Min: h.min, BoxMax: h.max, Dealer: v.Shift.Dealer, Round: v.Round, Phase: vocab.Play, PerHour: 42 + n*7%30,
		Of: 7, Boxes: n * 3 % 8,
	}
	if n%6 == 0 {
		t.Standing, t.Dealer, t.Boxes, t.PerHour = floor.Closed, "", 0, 0
		v = sampleView("closed")
		v.Table, v.House, v.Currency, v.Min, v.BoxMax = t.Table.Name(), h.name, h.currency, h.min, h.max
	}
	f.tiles = append(f.tiles, t)
	f.views[t.Table] = v
}

// bad is a night on which much goes wrong at once.
func (f *Floor) bad() {
	f.hold(2, "held", irregularity.UnreadCard, 40*time.Second)
	lost := f.hold(4, "held-both", irregularity.LostCards, 7*time.Minute)
	lost.Comes, lost.ComesSince, lost.Calls = "Frau Zimmermann", time.Now().Add(-2*time.Minute), floor.Manager
	lost.CallsSince = time.Now().Add(-3 * time.Minute)
	f.tiles[8].Standing = floor.Offline
	f.alarm(8, floor.TableOffline, floor.Stop, 3*time.Minute)
	f.tiles[6].Standing = floor.Held
	rewritten := f.alarm(6, floor.JournalRewritten, floor.Record, 11*time.Minute)
	rewritten.Text = "record 611 is another than the one that the pit keeps: compare the table's journal with sabot " +
		"journal verify"
	rewritten.Calls = floor.Manager
	called := f.alarm(0, irregularity.FloorCalled.String(), floor.Call, 55*time.Second)
	called.Reason, called.Caller = vocab.FloorDispute.String(), "Bruno"
	f.alarm(9, irregularity.ContradictoryKeys.String(), floor.Notice, 15*time.Minute)
	right := f.alarm(7, irregularity.BankOverdraw.String(), floor.Stop, 22*time.Minute)
	right.Standing, right.Cleared, right.With, right.By = 0, time.Now().Add(-20*time.Minute),
		irregularity.Burn.String(), "Herr Keller"
	f.tiles[9].Trouble = topic.TroubleSlow
	f.sort()
}

func (f *Floor) hold(at int, view string, code irregularity.Code, ago time.Duration) *floor.Alert {
	t, v := &f.tiles[at], sampleView(view)
	v.Table, v.House, v.Currency, v.Shift, v.Round, v.Seq = t.Table.Name(), t.House, t.Currency, f.views[t.Table].Shift,
		t.Round, uint64(5000+at)
	t.Standing, t.Since = floor.Held, time.Now().Add(-ago)
	f.views[t.Table] = v
	return f.alarm(at, code.String(), floor.Stop, ago)
}

func (f *Floor) alarm(at int, code string, g floor.Gravity, ago time.Duration) *floor.Alert {
	f.raised++
	if f.tiles[at].Standing != floor.Open {
		f.tiles[at].Since = time.Now().Add(-ago)
	}
	f.alerts = append(f.alerts, floor.Alert{
		ID: fmt.Sprintf("a%d", f.raised), Table: f.tiles[at].Table, Code: code, Gravity: g, Round: f.tiles[at].Round,
		Times: 1, Standing: 1,
		Raised: time.Now().Add(-ago), Calls: floor.Supervisor,
		Steps: []floor.Step{{At: time.Now().Add(-ago), What: floor.Raised}},
	})
	return &f.alerts[len(f.alerts)-1]
}

func (f *Floor) own(code, text string, ago time.Duration) {
	f.raised++
	f.alerts = append(f.alerts, floor.Alert{
		ID: fmt.Sprintf("a%d", f.raised), Code: code, Gravity: floor.Stop, Times: 1, Standing: 1, Text: text,
		Raised: time.Now().Add(-ago),
		Calls:  floor.Technician, Steps: []floor.Step{{At: time.Now().Add(-ago), What: floor.Raised}},
	})
}

func ended(n int, code, by, note string, ago time.Duration) floor.Alert {
	at := time.Now().Add(-ago)
	return floor.Alert{
		ID: fmt.Sprintf("o%d", n), Table: Table(n), Code: code, Gravity: floor.Stop, Round: 120, Times: 1, Raised: at,
		Cleared: at.Add(time.Minute),
		With:    "identify", By: by, Acknowledged: at.Add(time.Minute), AcknowledgedBy: by, Note: note,
		Over: at.Add(time.Minute),
		Steps: []floor.Step{
			{At: at, What: floor.Raised},
			{At: at.Add(20 * time.Second), What: floor.Coming, By: by},
			{At: at.Add(50 * time.Second), What: floor.PutRight, By: by},
			{At: at.Add(time.Minute), What: floor.Acknowledged, By: by, Note: note},
		},
	}
}

// sort puts what stands first, then the gravest, then the newest, and gives each table its own.
func (f *Floor) sort() {
	slices.SortStableFunc(f.alerts, func(a, b floor.Alert) int {
		if x, y := min(a.Standing, 1), min(b.Standing, 1); x != y {
			return y - x
		}
		if a.Gravity != b.Gravity {
			return int(b.Gravity) - int(a.Gravity)
		}
		return b.Raised.Compare(a.Raised)
	})
}

// Alarm raises an alert at a table, by its number.
func (f *Floor) Alarm(n int, code irregularity.Code) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.tiles[n-1].Standing = floor.Held
	f.alarm(n-1, code.String(), floor.Stop, 0)
	f.sort()
	f.change()
}

// Right puts everything right that stands at a table.
func (f *Floor) Right(n int, by string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.tiles[n-1].Standing = floor.Open
	for i := range f.alerts {
		if a := &f.alerts[i]; a.Table == Table(n) && a.Standing > 0 {
			a.Standing, a.Cleared, a.With, a.By = 0, time.Now(), irregularity.Identify.String(), by
		}
	}
	f.sort()
	f.change()
}

// Deal lets a table go on: its next view is another.
func (f *Floor) Deal(n int, view string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	t := &f.tiles[n-1]
	v := sampleView(view)
	was := f.views[t.Table]
	v.Table, v.House, v.Currency, v.Min, v.BoxMax, v.Shift, v.Seq = was.Table, was.House, was.Currency, was.Min,
		was.BoxMax, was.Shift, was.Seq+1
	v.Round = was.Round + 1
	t.Round = v.Round
	f.views[t.Table] = v
	f.change()
}

// Look makes a table look like that.
func (f *Floor) Look(t topic.Table, v display.View) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.views[t] = v
	f.change()
}

// Rest lets a table be between two rounds.
func (f *Floor) Rest(n int) { f.Deal(n, "idle") }

// Tiles are as floor.Floor has them.
func (f *Floor) Tiles() []floor.Tile {
	f.mu.Lock()
	defer f.mu.Unlock()
	tiles := slices.Clone(f.tiles)
	for i := range tiles {
		for _, a := range f.alerts {
			if a.Table == tiles[i].Table {
				tiles[i].Alerts = append(tiles[i].Alerts, a)
			}
		}
	}
	return tiles
}

// View is what a table shows.
func (f *Floor) View(t topic.Table) (display.View, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	v, ok := f.views[t]
	return v, ok
}

// Health is how a table's computer does.
func (f *Floor) Health(t topic.Table) (topic.Health, bool) {
	if _, ok := f.View(t); !ok {
		return topic.Health{}, false
	}
	down := topic.Fault{
		Time: time.Now().Add(-2 * time.Hour),
		Text: "nothing is heard from the shoe on /dev/ttyUSB0: check its cable",
	}
	free, of, journal, celsius, until := uint64(20<<30), uint64(32<<30), uint64(70<<20), uint64(54),
		time.Now().AddDate(1, 0, 0)
	version, reasons := "1.4.0", []string(nil)
	switch t {
	case Table(3):
		free = 1 << 30
	case Table(5):
		celsius, version, reasons = 84, "1.3.2", []string{"hot", "undervoltage"}
	case Table(7):
		until = time.Now().AddDate(0, 0, 20)
	}
	return topic.Health{
		Site: t.Site(), Table: t.Name(), Boot: 7, Version: version, Time: time.Now(), Uptime: 86400,
		MemoryBytes: 31 << 20,
		Computer: &topic.Computer{
			DiskFree: &free, DiskSize: &of, JournalBytes: &journal, Celsius: &celsius,
			Certificate: &until,
		},
		Shoe: topic.Shoe{
			Up: true, Firmware: "1.0.2", LastDown: &down,
			Confidence: &topic.Confidence{Cards: 100, Min: 71, Mean: 98, Low: 1},
		},
		Commands: &topic.Commands{Taken: 3, Refused: 12}, Reasons: reasons,
		Journal: topic.Journal{LastSequence: 18042, Head: &topic.Head{
			ID:     "00112233445566778899aabbccddeeff",
			Record: 6110,
		}},
	}, true
}

// Totals is what a table has come to in its gaming day, by three dealers where one deals now.
func (f *Floor) Totals(t topic.Table) (topic.Totals, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	i := slices.IndexFunc(f.tiles, func(one floor.Tile) bool { return one.Table == t })
	if i < 0 || f.tiles[i].Standing == floor.Unknown {
		return topic.Totals{}, false
	}
	return totals(&f.tiles[i], i), true
}

// totals are those of the n-th tile.
func totals(t *floor.Tile, n int) topic.Totals {
	now := time.Now()
	since := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, now.Location())
	all := topic.Totals{
		Sequence: uint64(1000 + n), Time: now,
		Day: topic.Period{Since: since, Irregularities: map[string]uint64{}},
	}
	for i, name := range []string{"Jonas", "Maximiliane", t.Dealer} {
		if name == "" {
			break
		}
		rounds := uint64(40 + 13*i + n)
		main, side := int64(rounds)*t.Min*7, int64(rounds)*t.Min/2
		all.Dealers = append(all.Dealers, topic.Period{
			Since: since.Add(time.Duration(i) * 97 * time.Minute), Dealer: name, Shift: []string{"", "spät"}[i%2],
			Rounds: rounds,
			Wagers: []topic.Takings{
				{
					Game: "black-jack", Wager: "main", Currency: t.Currency, Count: 6 * rounds, Staked: main,
					PaidOut: main - t.Min*int64(n%5*9-13+i) - t.Min/4, Result: t.Min*int64(n%5*9-13+i) + t.Min/4,
				},
				{
					Game: "black-jack", Wager: "twins", Currency: t.Currency, Count: rounds, Staked: side,
					PaidOut: side - t.Min*3, Result: t.Min * 3, Unknown: uint64(n % 2),
				},
			},
			Irregularities: map[string]uint64{"unread-card": uint64(i)},
		})
	}
	for _, one := range all.Dealers {
		all.Day.Rounds += one.Rounds
		for _, w := range one.Wagers {
			k := slices.IndexFunc(all.Day.Wagers, func(have topic.Takings) bool { return have.Wager == w.Wager })
			if k < 0 {
				all.Day.Wagers = append(all.Day.Wagers, w)
				continue
			}
			sum := &all.Day.Wagers[k]
			sum.Count, sum.Staked, sum.PaidOut, sum.Result, sum.Unknown = sum.Count+w.Count, sum.Staked+w.Staked,
				sum.PaidOut+w.PaidOut, sum.Result+w.Result, sum.Unknown+w.Unknown
		}
		for code, times := range one.Irregularities {
			all.Day.Irregularities[code] += times
		}
	}
	if t.Dealer != "" {
		shift := all.Dealers[len(all.Dealers)-1]
		all.Shift = &shift
	}
	return all
}

// Alerts are those that are open.
func (f *Floor) Alerts() []floor.Alert {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.alerts)
}

// History are those that are over.
func (f *Floor) History() []floor.Alert {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.over)
}

// Changed is closed with the next change.
func (f *Floor) Changed() <-chan struct{} {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.changed
}

var errGone = errors.New("there is no such alert: it was put right and seen meanwhile")

func (f *Floor) one(id string, does func(*floor.Alert)) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	i := slices.IndexFunc(f.alerts, func(a floor.Alert) bool { return a.ID == id })
	if i < 0 {
		return errGone
	}
	does(&f.alerts[i])
	if a := f.alerts[i]; a.Standing == 0 && a.Seen() {
		a.Over = time.Now()
		f.alerts, f.over = slices.Delete(f.alerts, i, i+1), slices.Insert(f.over, 0, a)
	}
	f.change()
	return nil
}

// Acknowledge notes who has seen an alert.
func (f *Floor) Acknowledge(id, by, note string) error {
	return f.one(id, func(a *floor.Alert) {
		a.Acknowledged, a.AcknowledgedBy, a.Note = time.Now(), by, note
		a.Steps = append(a.Steps, floor.Step{At: time.Now(), What: floor.Acknowledged, By: by, Note: note})
	})
}

// Coming notes who is on the way.
func (f *Floor) Coming(id, by string) error {
	return f.one(id, func(a *floor.Alert) {
		a.Comes, a.ComesSince = by, time.Now()
		a.Steps = append(a.Steps, floor.Step{At: time.Now(), What: floor.Coming, By: by})
	})
}
