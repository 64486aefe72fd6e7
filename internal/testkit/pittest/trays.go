package pittest

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/sabot-table/sabot/pit/store"
	"github.com/sabot-table/sabot/pit/tally"
	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/pit/tray"
	"github.com/sabot-table/sabot/table/vocab"
)

// Trays are those of a room, which stand still until somebody counts a drop box, or a slip takes a step. Its methods
// may be called from any goroutine.
type Trays struct {
	// From is when the gaming day begins.
	From time.Time
	// Table is a table of the room.
	Table func(n int) topic.Table

	mu     sync.Mutex
	opened map[topic.Table][]tray.Opened
	steps  map[topic.Table][]tray.Event
	away   error
}

// Away makes the database fail, or come back.
func (y *Trays) Away(err error) {
	y.mu.Lock()
	defer y.mu.Unlock()
	y.away = err
}

// tables is how many tables have trays.
const tables = 9

// room is what is special at each table.
type room struct {
	house, game, currency string
	stolen                int64
	open, uncounted       bool
	tips                  int64
	boxShort              int64
}

func roomOf(n int) room {
	r := room{house: "wiesbaden", game: "black-jack", currency: "EUR"}
	switch {
	case n > 6:
		r.house, r.currency = "baden", "CHF"
	case n > 4:
		r.game = "black-james"
	}
	switch n {
	case 2:
		r.stolen = 10_000
	case 3:
		r.tips = 4500
	case 4:
		r.open = true
	case 6:
		r.boxShort = 5000
	case 9:
		r.uncounted = true
	}
	return r
}

// teller tells what happens at a table, hour by hour.
type teller struct {
	*tray.Records
	room
	journal string
	at      time.Time
	record  uint64
	must    int64
	cash    int64
	since   uint64
	rounds  int
	number  uint64
	slip    uint32
	dealer  string
}

var tellers = []string{"Anna", "Bruno", "Chiara", "Dimitri", "Maximiliane"}

// event begins an event a while later.
func (y *teller) event(of vocab.InputKind, after time.Duration, by string) *tray.Event {
	y.at, y.record = y.at.Add(after), y.record+17
	y.Events = append(y.Events, tray.Event{Journal: y.journal, TrayEvent: tally.TrayEvent{
		Record: y.record, At: y.at, Of: of, By: by, Round: y.number, Dealer: y.dealer, House: y.house, Game: y.game,
		Currency: y.currency, Known: true,
	}})
	e := &y.Events[len(y.Events)-1]
	e.Told.Of = of
	return e
}

func (y *teller) count(event vocab.CountEvent, after time.Duration, missing int64) {
	e := y.event(vocab.InCount, after, "Frau Sommer")
	there := y.must - missing
	e.Must, e.Known = y.must, y.since != 0
	e.Told.Count, e.Told.Amount, e.Told.Dealer, e.Told.Chips = event, there, y.dealer, chipsOf(there)
	e.Told.Interval = vocab.Interval{Since: y.since, Rounds: y.rounds}
	if e.Known {
		e.Told.Difference = there - y.must
		e.Told.Dealers = []string{"Anna", y.dealer}
	}
	y.must, y.since, y.rounds = there, e.Record, 0
}

// chipsOf are chips that come to an amount.
func chipsOf(amount int64) (list []vocab.Chips) {
	for _, value := range []int64{100_000, 50_000, 10_000, 5000, 2000, 1000, 500, 100} {
		n := amount / value * 3 / 5
		if value <= 1000 {
			n = amount / value
		}
		list = append(list, vocab.Chips{Value: value, Pieces: n})
		amount -= n * value
	}
	return list
}

func (y *teller) order(of vocab.InputKind, steps int, chips ...vocab.Chips) {
	y.slip++
	sum := int64(0)
	for _, c := range chips {
		sum += c.Value * c.Pieces
	}
	for i, by := range []string{"Anna", "Herr Keller", "Kasse 2", "Anna"}[:steps] {
		e := y.event(of, 2*time.Minute, by)
		e.Told.Step, e.Told.Slip, e.Told.Chips, e.Told.Amount = vocab.SlipAsked+vocab.SlipStep(i), y.slip, chips, sum
		e.AtPit = i == 1 || i == 2
		switch {
		case of == vocab.InFill && e.Told.Step == vocab.SlipReceived:
			y.must += sum
		case of == vocab.InCredit && e.Told.Step == vocab.SlipSent:
			y.must -= sum
		}
		e.Must = y.must
	}
}

// deal deals so many rounds.
func (y *teller) deal(n, rounds int) {
	for i := range rounds {
		y.at, y.record, y.number, y.rounds = y.at.Add(72*time.Second), y.record+29, y.number+1, y.rounds+1
		r := tray.Round{
			Journal: y.journal, Number: y.number, Last: y.record, Ended: y.at, Dealer: y.dealer, Currency: y.currency,
		}
		r.Won = int64((i*37+n*11)%19-8) * 1500
		switch {
		case i == 11:
			r.Won, r.Over, r.Accepted = r.Won-2500, 2500, 1
		case i == 17 && n == 2:
			r.Corrected = 1
		case i == 23:
			r.Won, r.Large = r.Won-150_000, 1
		}
		y.must += r.Won
		y.Rounds = append(y.Rounds, r)
	}
}

// sell sells chips, or lays tips in.
func (y *teller) sell(amount, tips int64) {
	e := y.event(vocab.InBuyIn, time.Minute, y.dealer)
	e.Told.Amount = amount
	y.must, y.cash = y.must-amount, y.cash+amount
	if e.Must = y.must; tips > 0 {
		e := y.event(vocab.InTips, time.Minute, y.dealer)
		e.Told.Amount = tips
		y.must += tips
		e.Must = y.must
	}
}

// tell tells a table's day.
func tell(from time.Time, n int) *teller {
	r := roomOf(n)
	y := &teller{
		Records: &tray.Records{From: from, Until: from.AddDate(0, 0, 1)}, room: r, journal: fmt.Sprintf("%032x", n),
		at: from.Add(9*time.Hour + time.Duration(n)*time.Minute), must: 5_000_000, number: uint64(1000 * n),
		dealer: tellers[n%len(tellers)], slip: uint32(20 * n), record: 100,
	}
	if r.uncounted {
		y.order(vocab.InFill, 2, vocab.Chips{Value: 10_000, Pieces: 50})
		return y
	}
	y.count(vocab.CountOpening, 0, 0)
	y.deal(n, 40)
	y.sell(45_000+int64(n)*5000, r.tips)
	y.order(vocab.InFill, 4, vocab.Chips{Value: 10_000, Pieces: 20}, vocab.Chips{Value: 500, Pieces: 100})
	y.count(vocab.CountInterim, 5*time.Minute, 0)
	y.dealer = tellers[(n+1)%len(tellers)]
	y.deal(n, 60)
	y.adjust(y.number - 31)
	y.sell(120_000, 0)
	y.order(vocab.InCredit, 4, vocab.Chips{Value: 100_000, Pieces: 5})
	y.count(vocab.CountInterim, 3*time.Minute, r.stolen)
	y.deal(n, 50)
	if r.open {
		y.order(vocab.InFill, 1, vocab.Chips{Value: 10_000, Pieces: 30}, vocab.Chips{Value: 2000, Pieces: 40})
		y.order(vocab.InCredit, 3, vocab.Chips{Value: 50_000, Pieces: 4})
		return y
	}
	y.count(vocab.CountClosing, 4*time.Minute, 0)
	off := y.event(vocab.InDrop, 6*time.Minute, "Frau Sommer")
	off.Told.Amount, off.Must, y.cash = y.cash, y.must, 0
	return y
}

// adjust pays something of a past round.
func (y *teller) adjust(round uint64) {
	e := y.event(vocab.InAdjust, time.Minute, "Frau Sommer")
	e.Told.Amount, e.Round, e.Box, e.Because = 2000, round, 3, "Beschwerde"
	y.must -= 2000
	e.Must = y.must
}

// counted are the drop boxes that were counted beforehand.
func counted(y *teller, n int) []tray.Opened {
	last := y.Events[len(y.Events)-1]
	if last.Of != vocab.InDrop || n == 1 {
		return nil
	}
	first := tray.Opened{
		Journal: y.journal, Record: last.Record, Nth: 1, At: last.At.Add(9 * time.Hour), Who: "Frau Zähler",
		Role: "supervisor", Amount: last.Told.Amount - y.boxShort, Currency: y.currency,
	}
	if n != 5 {
		return []tray.Opened{first}
	}
	second := first
	first.Amount -= 20_000
	second.Nth, second.At, second.Reason = 2, second.At.Add(20*time.Minute), "ein Bündel übersehen"
	return []tray.Opened{first, second}
}

// TrayDay implements figures.Trays: there is one day.
func (y *Trays) TrayDay(_ context.Context, day store.Date) (map[topic.Table]*tray.Records, error) {
	y.mu.Lock()
	defer y.mu.Unlock()
	all := map[topic.Table]*tray.Records{}
	if y.away != nil || day != store.DateOf(y.From) {
		return all, y.away
	}
	for n := 1; n <= tables; n++ {
		one, table := tell(y.From, n), y.Table(n)
		one.Opened = append(counted(one, n), y.opened[table]...)
		one.Events = append(one.Events, y.steps[table]...)
		all[table] = one.Records
	}
	return all, nil
}

// CountDrop implements figures.Trays.
func (y *Trays) CountDrop(_ context.Context, table topic.Table, _ store.Date, o tray.Opened) error {
	y.mu.Lock()
	defer y.mu.Unlock()
	for n := 1; n <= tables; n++ {
		if y.Table(n) != table {
			continue
		}
		has := append(counted(tell(y.From, n), n), y.opened[table]...)
		if len(has) > 0 && o.Reason == "" {
			return store.ErrCounted
		}
		o.Nth = len(has) + 1
		if y.opened == nil {
			y.opened = map[topic.Table][]tray.Opened{}
		}
		y.opened[table] = append(y.opened[table], o)
		return nil
	}
	return store.ErrNoBox
}

// Trays implements dashboard.Trays.
func (y *Trays) Trays(context.Context) (map[topic.Table]*tray.Now, error) {
	y.mu.Lock()
	defer y.mu.Unlock()
	all := map[topic.Table]*tray.Now{}
	if y.away != nil {
		return nil, y.away
	}
	for n := 1; n <= tables; n++ {
		one, table := tell(y.From, n), y.Table(n)
		now := &tray.Now{Must: one.must, Known: one.since != 0, Rounds: one.rounds, Cash: one.cash}
		events := append(one.Events, y.steps[table]...)
		for i := range events {
			if events[i].Of == vocab.InCount {
				now.Count = &events[i]
			}
			now.Last = &events[i]
		}
		for _, s := range tray.Slips(events) {
			if !s.Over() {
				now.Slips = append(now.Slips, s)
			}
		}
		all[table] = now
	}
	return all, nil
}

// Step has a slip take a step, by somebody.
func (y *Trays) Step(table topic.Table, of vocab.InputKind, told vocab.Tray, by string) {
	y.mu.Lock()
	defer y.mu.Unlock()
	if y.steps == nil {
		y.steps = map[topic.Table][]tray.Event{}
	}
	e := tray.Event{Journal: y.journalOf(table), TrayEvent: tally.TrayEvent{
		Record: uint64(100_000 + len(y.steps[table])), At: y.From.Add(16 * time.Hour), Of: of, By: by, AtPit: true,
		Known:    true,
		Currency: "EUR",
	}}
	e.Told.Tray, e.Told.Of = told, of
	for _, c := range told.Chips {
		e.Told.Amount += c.Value * c.Pieces
	}
	if told.Step == vocab.SlipAsked {
		e.Told.Slip = uint32(900 + len(y.steps[table]))
	}
	y.steps[table] = append(y.steps[table], e)
}

func (y *Trays) journalOf(table topic.Table) string {
	for n := 1; n <= tables; n++ {
		if y.Table(n) == table {
			return fmt.Sprintf("%032x", n)
		}
	}
	return ""
}
