package jackpot_test

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	_ "github.com/sabot-table/sabot/internal/testkit/tier" // the seed of what is drawn
	"github.com/sabot-table/sabot/pit/jackpot"
	"github.com/sabot-table/sabot/table/vocab"
)

// This file is the meter's protocol over interleavings of three tables and all that may fail on the way: messages that
// are lost, doubled and late, a pit that is killed between what it has committed and what it answers, tables that are
// killed after they have asked, a store that is away.

const (
	seed     = 10_000
	unit     = 50
	together = time.Second
)

// plant is a fault that is put in to see it found.
type plant string

const (
	none           plant = ""
	appliedTwice   plant = "what comes twice is applied twice"
	answeredBefore plant = "it is answered before it is committed"
	asksAnew       plant = "a retry asks anew with another id"
)

// memory is a ledger, and how far the pit has each journal: both in one transaction.
type memory struct {
	meter   *jackpot.Meter
	rounds  map[jackpot.Key]jackpot.Round
	entries []jackpot.Entry
	heads   [3]int
	plant   plant
}

func (m *memory) clone() *memory {
	c := *m
	c.rounds, c.entries = maps.Clone(m.rounds), slices.Clone(m.entries)
	if m.meter != nil {
		meter := *m.meter
		c.meter = &meter
	}
	return &c
}

func (m *memory) Meter(string) (*jackpot.Meter, error) {
	if m.meter == nil {
		return nil, nil
	}
	meter := *m.meter
	return &meter, nil
}

func (m *memory) PutMeter(meter *jackpot.Meter) error {
	c := *meter
	m.meter = &c
	return nil
}

func (m *memory) Begin(meter *jackpot.Meter) (bool, error) { return false, m.PutMeter(meter) }

func (m *memory) Open(place int64, _ string) ([]*jackpot.Round, error) {
	return m.those(func(r jackpot.Round) bool { return r.Place == place && r.Hit != 0 && !r.Ended })
}

func (m *memory) Join(int64, string) error { return nil }

func (m *memory) Round(of jackpot.Key) (*jackpot.Round, error) {
	r, known := m.rounds[of]
	if !known || m.plant == appliedTwice && r.Ended {
		return nil, nil
	}
	return &r, nil
}

func (m *memory) PutRound(r *jackpot.Round) error {
	m.rounds[r.Key] = *r
	return nil
}

func (m *memory) those(want func(jackpot.Round) bool) (list []*jackpot.Round, _ error) {
	for _, r := range m.rounds {
		if want(r) {
			list = append(list, &r)
		}
	}
	slices.SortFunc(list, func(a, b *jackpot.Round) int {
		return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.Journal, b.Journal), cmp.Compare(a.First, b.First))
	})
	return list, nil
}

func (m *memory) Waiting(string) ([]*jackpot.Round, error) {
	return m.those(func(r jackpot.Round) bool { return r.Hit != 0 && r.Decision == 0 && !r.Ended })
}

func (m *memory) Decided(_ string, d uint64) ([]*jackpot.Round, error) {
	return m.those(func(r jackpot.Round) bool { return r.Decision == d || r.By == d })
}

func (m *memory) SeedOf(_ string, d uint64, alone jackpot.Key) (sum int64, _ error) {
	for _, e := range m.entries {
		if e.Kind == jackpot.KindSeed && e.Decision == d && (d != 0 || e.Key == alone) {
			sum += e.Amount
		}
	}
	return sum, nil
}

func (m *memory) Add(e *jackpot.Entry) error {
	for _, one := range m.entries {
		if one.Key == e.Key && one.Record == e.Record && one.Kind == e.Kind && one.Decision == e.Decision &&
			m.plant != appliedTwice {
			return fmt.Errorf("an entry of record %d comes twice", e.Record)
		}
	}
	m.entries = append(m.entries, *e)
	return nil
}

// record is what a table has on record: what it told, or an answer that it was given.
type record struct {
	told   *jackpot.Told
	answer *answer
}

type answer struct {
	table  int
	first  uint64
	amount int64
	entry  uint64
	early  bool
}

// house is a table: its journal lasts, and what it knows follows from it.
type house struct {
	nth     int
	records []record
	rounds  uint64
	// of the round under way: the record that has opened it, its winners, and what it was given.
	first   uint64
	asked   bool
	winners int
	given   *answer
	alone   bool
	paid    int64 // where it goes on alone
}

func (h *house) write(r record) { h.records = append(h.records, r) }

func (h *house) tell(event vocab.JackpotEvent, first uint64, m vocab.MeterTold) {
	m.Event, m.Name, m.Currency, m.Seed = event, "ticino", "EUR", seed
	h.write(record{told: &jackpot.Told{
		Key: jackpot.Key{Journal: int64(h.nth + 1), First: first}, Place: int64(h.nth + 1), Number: h.rounds,
		Record: uint64(len(h.records) + 1), MeterTold: m,
	}})
}

// world is everything, and what is on its way.
type world struct {
	t      *rapid.T
	tables [3]*house
	pit    *memory
	now    time.Time
	plant  plant
	// records and answers are on their way, in any order.
	records []struct{ table, nth int }
	answers []answer
	away    bool // the store
	wrong   error
}

func (w *world) fail(format string, args ...any) {
	if w.wrong == nil {
		w.wrong = fmt.Errorf(format, args...)
	}
}

var errAway = errors.New("the store is away")

// change is a transaction.
func (w *world) change(do func(*memory) error) error {
	next := w.pit.clone()
	if err := do(next); err != nil {
		w.fail("the pit's change: %v", err)
		return err
	}
	if w.plant == answeredBefore {
		w.answer(next, true)
	}
	if w.away {
		return errAway
	}
	w.pit = next
	return nil
}

// deal plays a round at a table, up to its win where it has one.
func (w *world) deal(h *house, winners int) {
	if h.first != 0 {
		return
	}
	h.rounds++
	h.write(record{}) // it is opened
	h.first, h.winners = uint64(len(h.records)), winners
	if winners > 0 {
		h.asked = true
		h.tell(vocab.JackpotHit, h.first, vocab.MeterTold{Winners: winners})
		w.send(h)
		return
	}
	w.finish(h)
}

// finish ends a round that waits for nothing.
func (w *world) finish(h *house) {
	m := vocab.MeterTold{Fed: 350 * int64(1+h.rounds%3), Winners: h.winners}
	switch {
	case h.given != nil:
		m.Entry = int(h.given.entry)
		m.Paid = h.given.amount / int64(h.winners) / unit * unit * int64(h.winners)
	case h.alone:
		m.Paid = h.paid
	}
	h.tell(vocab.JackpotRound, h.first, m)
	h.first, h.asked, h.winners, h.given, h.alone = 0, false, 0, nil, false
	w.send(h)
}

func (w *world) send(h *house) {
	w.records = append(w.records, struct{ table, nth int }{h.nth, len(h.records) - 1})
}

// hear has the pit take a record. One that is not the next is fetched; one that it has is dropped.
func (w *world) hear(table, nth int) {
	head := w.pit.heads[table]
	if nth > head { // a gap: it fetches from its head on
		nth = head
	}
	if nth < 0 || nth < head && w.plant != appliedTwice || nth >= len(w.tables[table].records) {
		return
	}
	_ = w.change(func(m *memory) error {
		m.heads[table] = max(nth+1, head)
		told := w.tables[table].records[nth].told
		if told == nil {
			return nil
		}
		one := *told
		one.At = w.now
		return jackpot.Take(m, &one)
	})
}

func (w *world) decide() {
	_ = w.change(func(m *memory) error {
		waiting, err := m.Waiting("ticino")
		if err != nil || len(waiting) == 0 || w.now.Sub(waiting[0].At) < together {
			return err // somebody else may win at the same time
		}
		_, err = jackpot.Decide(m, "ticino", w.now)
		return err
	})
}

// answer says again all that is decided and not over: a table takes the first answer, and refuses all others.
func (w *world) answer(m *memory, early bool) {
	for _, r := range m.rounds {
		if r.Decision == 0 || r.Hit == 0 || r.Ended {
			continue
		}
		w.answers = append(w.answers, answer{
			table: int(r.Journal - 1), first: r.First, amount: r.Given, entry: r.Decision, early: early,
		})
	}
}

// take gives an answer to its table.
func (w *world) take(a answer) {
	h := w.tables[a.table]
	if !h.asked || h.first != a.first {
		return
	}
	r := w.pit.rounds[jackpot.Key{Journal: int64(h.nth + 1), First: a.first}]
	if r.Decision != a.entry || r.Given != a.amount {
		w.fail("table %d was given %d by decision %d, and %d by %d is committed", h.nth, a.amount, a.entry, r.Given,
			r.Decision)
	}
	h.write(record{answer: &a})
	h.asked, h.given = false, &a
	w.finish(h)
}

// again asks again: what the table has on record is sent again. A table that had another id for each try would ask for
// another win.
func (w *world) again(h *house) {
	if !h.asked {
		return
	}
	if w.plant == asksAnew {
		h.tell(vocab.JackpotHit, uint64(len(h.records)+1000), vocab.MeterTold{Winners: h.winners})
	}
	w.send(h)
}

// kill ends a table: it begins again from its journal.
func (w *world) kill(h *house) {
	last := h.records
	h.given = nil
	for i := range last {
		if a := last[i].answer; a != nil && a.first == h.first {
			h.given = a
		}
	}
	w.send(h)
}

// goOn lets everything arrive, and everybody be answered.
func (w *world) goOn() {
	w.away = false
	for range 20 {
		w.now = w.now.Add(together)
		for _, h := range w.tables {
			for range h.records {
				w.hear(h.nth, len(h.records)-1)
			}
		}
		w.decide()
		w.answer(w.pit, false)
		for _, a := range w.answers {
			w.take(a)
		}
		w.answers, w.records = nil, nil
	}
}

// check says what does not add up, by the journals alone.
func (w *world) check(overdrawn bool) {
	if w.pit.meter == nil {
		return
	}
	var fed, paid int64
	wins := map[string]bool{}
	for _, h := range w.tables {
		if h.asked {
			w.fail("table %d was never answered", h.nth)
		}
		for _, r := range h.records {
			if r.told == nil || r.told.Event != vocab.JackpotRound {
				continue
			}
			fed, paid = fed+r.told.Fed, paid+r.told.Paid
			switch {
			case r.told.Winners > 0 && r.told.Entry != 0:
				wins[fmt.Sprint(r.told.Entry)] = true
			case r.told.Winners > 0:
				wins[fmt.Sprint(h.nth, "/", r.told.First)] = true
			}
		}
	}
	seeds := int64(1+len(wins)) * seed
	if left := fed + seeds - paid - w.pit.meter.Amount; left != 0 {
		w.fail("fed %d + seeds %d - paid %d - meter %d = %d", fed, seeds, paid, w.pit.meter.Amount, left)
	}
	if w.pit.meter.Amount < 0 && !overdrawn {
		w.fail("more was given than there was: the meter has %d", w.pit.meter.Amount)
	}
	var sum int64
	for _, e := range w.pit.entries {
		if sum += e.Amount; sum != e.After {
			w.fail("entry %d leaves %d, and says %d", e.Number, sum, e.After)
		}
	}
}

// run plays what is drawn, and returns what is wrong, nil for nothing.
func run(t *rapid.T, p plant, mayBeAlone bool) error {
	w := &world{t: t, plant: p, now: time.Unix(1_800_000_000, 0), pit: &memory{
		rounds: map[jackpot.Key]jackpot.Round{}, plant: p,
	}}
	for i := range w.tables {
		w.tables[i] = &house{nth: i}
	}
	overdrawn := false
	for range rapid.IntRange(1, 80).Draw(t, "steps") {
		h := w.tables[rapid.IntRange(0, 2).Draw(t, "table")]
		overdrawn = w.step(h, rapid.IntRange(0, 14).Draw(t, "what"), mayBeAlone) || overdrawn
	}
	w.goOn()
	w.check(overdrawn)
	return w.wrong
}

// step does one thing, and says whether a table went on alone.
func (w *world) step(h *house, what int, mayBeAlone bool) (alone bool) {
	switch what {
	case 0, 1:
		w.deal(h, 0)
	case 2, 3, 4:
		w.deal(h, 1+what%2)
	case 5, 6, 7:
		w.deliver(what == 7)
	case 8:
		w.hear(h.nth, len(h.records)-1) // it fetches
	case 9:
		w.now = w.now.Add(together)
		w.decide()
	case 10: // the pit says what is committed; were it killed before, it says so after
		w.answer(w.pit, false)
	case 11:
		w.arrive(h)
	case 12:
		w.again(h)
	case 13:
		w.kill(h)
		w.away = !w.away
	case 14:
		if mayBeAlone && h.asked {
			h.asked, h.alone, h.paid = false, true, seed
			w.finish(h)
			return true
		}
		w.records, w.answers = nil, nil // all that was on its way is lost
	}
	return false
}

// deliver brings one of the records on their way, the oldest or any; twice leaves it on its way.
func (w *world) deliver(twice bool) {
	if len(w.records) == 0 {
		return
	}
	at := rapid.IntRange(0, len(w.records)-1).Draw(w.t, "record")
	one := w.records[at]
	if !twice {
		w.records = slices.Delete(w.records, at, at+1)
	}
	w.hear(one.table, one.nth)
}

// arrive brings one of the answers on their way, to whichever table it is for.
func (w *world) arrive(*house) {
	if len(w.answers) == 0 {
		return
	}
	at := rapid.IntRange(0, len(w.answers)-1).Draw(w.t, "answer")
	w.take(w.answers[at])
}

// TestProtocol: whatever is lost, doubled or late, and whoever dies, what was fed and put in is what was paid and is
// left.
func TestProtocol(t *testing.T) {
	for _, alone := range []bool{false, true} {
		t.Run(fmt.Sprintf("alone=%t", alone), func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				if err := run(t, none, alone); err != nil {
					t.Fatal(err)
				}
			})
		})
	}
}

// TestProtocolFindsFaults: each fault that is put in is found.
func TestProtocolFindsFaults(t *testing.T) {
	for _, p := range []plant{appliedTwice, answeredBefore, asksAnew} {
		t.Run(string(p), func(t *testing.T) {
			found := false
			for tries := 0; tries < 8 && !found; tries++ { // one in ten of them plays nothing that shows it
				rapid.Check(t, func(t *rapid.T) { found = found || run(t, p, false) != nil })
			}
			if !found {
				t.Errorf("nobody has found that %s", p)
			}
		})
	}
}
