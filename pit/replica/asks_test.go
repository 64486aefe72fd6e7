package replica

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	_ "github.com/sabot-table/sabot/internal/testkit/tier" // the seed of properties
	"github.com/sabot-table/sabot/pit/topic"
)

var evening = time.Date(2026, 11, 21, 20, 0, 0, 0, time.UTC)

func tableNamed(t testing.TB, name string) topic.Table {
	t.Helper()
	table, err := topic.NewTable("wiesbaden", name)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

func someLimits() limits {
	return limits{underway: 4, far: 2, patience: 5 * time.Second, settle: 20 * time.Millisecond, most: 100}
}

// world is tables, a network that loses, delays and repeats, and a store, in simulated time.
type world struct {
	*asks
	t      testing.TB
	now    time.Time
	random *rand.Rand
	happen []happening
	tables []*simulated
	store  map[topic.Table]map[string][]uint64 // by journal
	has    map[topic.Table]Position
	broken bool    // the store
	lossy  float64 // the share of messages that are lost
	most   int     // were under way at once
}

type happening struct {
	at   time.Time
	what func()
}

type simulated struct {
	table   topic.Table
	journal string
	head    uint64
	away    bool
	nth     int
	floor   uint64   // records up to it are not in its journal any more
	said    Position // up to which it has said its records by itself
}

func newWorld(t testing.TB, tables int, seed uint64, l limits) *world {
	w := &world{
		asks: newAsks(l), t: t, now: evening, random: rand.New(rand.NewPCG(seed, 1)),
		store: map[topic.Table]map[string][]uint64{}, has: map[topic.Table]Position{},
	}
	for n := range tables {
		s := &simulated{table: tableNamed(t, fmt.Sprintf("bj-%d", n)), journal: fmt.Sprintf("%d.0", n)}
		w.tables = append(w.tables, s)
		w.store[s.table] = map[string][]uint64{}
		w.know(s.table, Position{})
		w.after(time.Duration(w.random.IntN(10_000))*time.Millisecond, func() { w.health(s) })
	}
	return w
}

func (w *world) after(d time.Duration, what func()) {
	w.happen = append(w.happen, happening{w.now.Add(d), what})
}

// send delivers a message, or not, or twice.
func (w *world) send(what func()) {
	for copies := 1; copies > 0; copies-- {
		if w.random.Float64() < w.lossy {
			continue
		}
		if w.random.Float64() < w.lossy/4 {
			copies++
		}
		w.after(time.Duration(1+w.random.IntN(50))*time.Millisecond, what)
	}
}

func (w *world) health(s *simulated) {
	if !s.away {
		head := Position{s.journal, s.head}
		w.send(func() { w.present(s.table, true, 1, w.now); w.hasHead(s.table, head, w.now) })
	}
	w.after(10*time.Second, func() { w.health(s) })
}

func (w *world) record(s *simulated) {
	s.head++
	if !s.away {
		w.send(func() { w.event(s.table, w.now) })
		w.stream(s)
	}
}

// stream says by itself what is new, as a table does.
func (w *world) stream(s *simulated) {
	after, last := Position{s.journal, 0}, Position{s.journal, s.head}
	if s.said.Journal == s.journal {
		after = s.said
	}
	s.said = last
	w.send(func() {
		if !w.streams(s.table, after, last, w.now) {
			return
		}
		w.after(5*time.Millisecond, func() {
			if w.asks.tables[s.table].has != after {
				w.missed(s.table, w.now)
				return
			}
			w.keep(s.table, last.Journal, after.Record, after.Record+1, last.Record, last.Record)
		})
	})
}

// answer is what a table says to a fetch.
func (w *world) answer(s *simulated, a ask) {
	if s.away {
		return
	}
	after := a.Record
	if a.Journal != s.journal {
		after = 0
	}
	first, last, journal, head := max(after, s.floor)+1, min(max(after, s.floor)+100, s.head), s.journal, s.head
	w.send(func() {
		if w.looks(s.table, w.now) || !w.answers(s.table, w.now) {
			return
		}
		w.after(5*time.Millisecond, func() { w.keep(s.table, journal, after, first, last, head) })
	})
}

// keep is the store: what it has is dropped.
func (w *world) keep(table topic.Table, journal string, after, first, last, head uint64) {
	if w.broken {
		w.pause(table, w.now.Add(time.Second))
		return
	}
	if has := w.has[table]; after > has.Record || after > 0 && journal != has.Journal {
		w.missed(table, w.now)
		return
	}
	kept := w.store[table][journal]
	if head < uint64(len(kept)) {
		w.doubted(table, Position{journal, head}, w.now)
		return
	}
	for n := first; n <= last; n++ {
		if !slices.Contains(kept, n) {
			kept = append(kept, n)
		}
	}
	w.store[table][journal] = kept
	w.has[table] = Position{journal, max(last, w.has[table].Record)}
	if len(kept) > 0 {
		w.has[table] = Position{journal, kept[len(kept)-1]}
	}
	w.kept(table, after, w.has[table], Position{journal, head}, w.now)
}

// run lets time pass.
func (w *world) run(d time.Duration) {
	for end := w.now.Add(d); ; {
		want := w.plainlyDue()
		due := w.due(w.now)
		if !slices.Equal(due, want) {
			w.t.Fatalf("due are %v, and by a look at all tables %v", due, want)
		}
		for _, q := range due {
			i := slices.IndexFunc(w.tables, func(s *simulated) bool { return s.table == q.table })
			w.send(func() { w.answer(w.tables[i], q) })
		}
		under := 0
		for _, t := range w.asks.tables {
			if t.underway() {
				under++
			}
		}
		w.most = max(w.most, under)
		next := w.next(w.now)
		if want := w.plainlyNext(); !next.Equal(want) {
			w.t.Fatalf("the next is due at %v, and by a look at all tables at %v", next, want)
		}
		for _, h := range w.happen {
			if next.IsZero() || h.at.Before(next) {
				next = h.at
			}
		}
		if next.After(end) || next.IsZero() {
			w.now = end
			return
		}
		w.now = latest(w.now, next)
		var rest []happening
		happens := w.happen
		w.happen = nil
		slices.SortStableFunc(happens, func(a, b happening) int { return a.at.Compare(b.at) })
		for _, h := range happens {
			if h.at.After(w.now) {
				rest = append(rest, h)
			} else {
				h.what()
			}
		}
		w.happen = append(w.happen, rest...)
	}
}

// plainlyDue is what is to be asked by a look at all tables, without any agenda: those whose time has come, in their
// turn, as many as there is room for.
func (w *world) plainlyDue() (list []ask) {
	room, roomFar := w.underway, w.limits.far
	var ready []*tableAsks
	for _, t := range w.asks.tables {
		t.expire(w.asks, w.now)
		if t.underway() {
			room--
			if t.far() {
				roomFar--
			}
		} else if at := t.ready(w.settle); !at.IsZero() && !at.After(w.now) {
			ready = append(ready, t)
		}
	}
	if w.now.Before(w.paused) {
		return nil
	}
	slices.SortFunc(ready, func(x, y *tableAsks) int {
		return cmp.Or(x.asked.Compare(y.asked), byName(x.table, y.table))
	})
	for _, t := range ready {
		asks := *t
		if asks.peeks = t.wantsLook(); room <= 0 || t.far() && !asks.peeks && roomFar <= 0 {
			continue
		}
		if room--; t.far() && !asks.peeks {
			roomFar--
		}
		list = append(list, ask{t.table, asks.from()})
	}
	return list
}

// plainlyNext is when something is to be done next by a look at all tables, after those were asked that are due.
func (w *world) plainlyNext() (at time.Time) {
	sooner := func(t time.Time) {
		if at.IsZero() || t.Before(at) {
			at = t
		}
	}
	for _, t := range w.asks.tables {
		if t.stage == waiting {
			sooner(t.asked.Add(w.patience))
		} else if ready := t.ready(w.settle); ready.After(w.now) {
			sooner(latest(ready, w.paused))
		}
	}
	if w.now.Before(w.paused) {
		sooner(w.paused)
	}
	return at
}

// TestEverythingIsFetched: whatever is lost on the way, once the network and the store work the store has every
// record once, and nobody is told otherwise any more.
func TestEverythingIsFetched(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		l := someLimits()
		w := newWorld(t, rapid.IntRange(1, 8).Draw(rt, "tables"), rapid.Uint64().Draw(rt, "seed"), l)
		w.lossy = rapid.SampledFrom([]float64{0, 0.1, 0.6}).Draw(rt, "lossy")
		for range rapid.IntRange(1, 40).Draw(rt, "steps") {
			s := rapid.SampledFrom(w.tables).Draw(rt, "table")
			switch rapid.SampledFrom([]string{
				"record", "record", "many", "away", "back", "store", "link", "new",
				"wait",
			}).Draw(rt, "what") {
			case "record":
				w.record(s)
			case "many":
				for range rapid.IntRange(1, 1500).Draw(rt, "many") {
					s.head++
				}
				w.record(s)
			case "away":
				s.away = true
				if rapid.Bool().Draw(rt, "will") {
					w.send(func() { w.present(s.table, false, 1, w.now) })
				}
			case "back":
				s.away = false
				w.send(func() { w.present(s.table, true, 1, w.now) })
			case "store":
				w.broken = !w.broken
			case "link":
				w.again()
			case "new":
				if w.has[s.table] == (Position{s.journal, s.head}) {
					s.nth++
					s.journal, s.head = fmt.Sprintf("%s.%d", s.table, s.nth), 0
					w.record(s)
				}
			case "wait":
				w.run(time.Duration(rapid.IntRange(1, 60_000).Draw(rt, "ms")) * time.Millisecond)
			}
			w.run(10 * time.Millisecond)
		}
		w.lossy, w.broken = 0, false
		for _, s := range w.tables {
			s.away = false
			w.send(func() { w.present(s.table, true, 1, w.now) })
		}
		w.run(2 * mostPause)
		for _, s := range w.tables {
			kept := w.store[s.table][s.journal]
			if len(kept) != int(s.head) || !slices.IsSorted(kept) {
				rt.Fatalf("%s has %d records, the store %d", s.table, s.head, len(kept))
			}
			if why := w.asks.tables[s.table].missing; why != "" {
				rt.Fatalf("%s: a technician is told %q", s.table, why)
			}
		}
		if w.most > l.underway {
			rt.Fatalf("%d were asked at once, at most %d may be", w.most, l.underway)
		}
	})
}

// TestManyTablesFairly: tables that are a day behind hold up neither one another nor those that are played at.
func TestManyTablesFairly(t *testing.T) {
	w := newWorld(t, 40, 7, someLimits())
	for _, s := range w.tables[:30] {
		s.head = 20_000
	}
	w.run(15 * time.Second)
	live, begun := w.tables[35], map[topic.Table]uint64{}
	for _, s := range w.tables[:30] {
		begun[s.table] = w.has[s.table].Record // their healths did not come at once
	}
	for range 20 {
		w.record(live)
		w.run(time.Second)
		if got := w.has[live.table]; got != (Position{live.journal, live.head}) {
			t.Fatalf("a second after its event a table is kept up to %v, and has %d", got, live.head)
		}
	}
	least, most := uint64(1<<62), uint64(0)
	for _, s := range w.tables[:30] {
		got := w.has[s.table].Record - begun[s.table]
		least, most = min(least, got), max(most, got)
	}
	if most-least > 200 {
		t.Errorf("of tables that are behind alike one got %d, another %d", least, most)
	}
}

// TestATableThatDoesNotAnswer is asked less and less, and a technician is told once.
func TestATableThatDoesNotAnswer(t *testing.T) {
	a := newAsks(someLimits())
	table := tableNamed(t, "bj-1")
	a.know(table, Position{})
	now, asked := evening, 0
	var told []report
	for range 3600 {
		if now = now.Add(time.Second); now.Second()%10 == 0 {
			a.hasHead(table, Position{"a", 9}, now)
		}
		asked += len(a.due(now))
		told = append(told, a.told()...)
	}
	if asked < attempts || asked > 30 {
		t.Errorf("it was asked %d times in an hour", asked)
	}
	if len(told) != 1 || told[0].table != table || told[0].why == "" {
		t.Errorf("a technician was told %v", told)
	}
	a.due(now.Add(mostPause))
	a.answers(table, now)
	a.kept(table, 0, Position{"a", 9}, Position{"a", 9}, now)
	if told = a.told(); len(told) != 1 || told[0].why != "" {
		t.Errorf("when it is well the technician is told %v", told)
	}
}

// TestATableThatIsAway is not asked until it is heard.
func TestATableThatIsAway(t *testing.T) {
	a := newAsks(someLimits())
	table := tableNamed(t, "bj-1")
	a.know(table, Position{})
	a.hasHead(table, Position{"a", 9}, evening) // the broker's copy
	now, asked := evening, 0
	for range 600 {
		now = now.Add(time.Second)
		asked += len(a.due(now))
	}
	if asked != 1 || len(a.told()) != 0 {
		t.Errorf("it was asked %d times", asked)
	}
	a.event(table, now)
	if len(a.due(now.Add(time.Second))) != 1 {
		t.Error("it is back, and not asked")
	}
	a.present(table, false, 1, now)
	a.again()
	if got := a.due(now.Add(time.Minute)); len(got) != 0 {
		t.Errorf("it said goodbye, and is asked %v", got)
	}
}

// TestADoubtIsNoEnd: a table whose journal was rolled back is asked again as soon as it says that it has more.
func TestADoubtIsNoEnd(t *testing.T) {
	w := newWorld(t, 1, 3, someLimits())
	s := w.tables[0]
	s.head = 50
	w.run(30 * time.Second)
	s.head = 20 // rolled back
	w.record(s)
	w.run(time.Hour)
	if got := w.has[s.table]; got != (Position{s.journal, 50}) {
		t.Fatalf("the store has %v", got)
	}
	s.floor = 10_050 // it continues above what the pit has heard of
	s.head = s.floor
	w.record(s)
	w.run(15 * time.Second)
	if got := w.has[s.table]; got != (Position{s.journal, 10_051}) {
		t.Errorf("the store has %v", got)
	}
}

// TestTablesAreBounded: whoever may write to the broker cannot fill the memory.
func TestTablesAreBounded(t *testing.T) {
	l := someLimits()
	a := newAsks(l)
	for n := range l.most + 10 {
		a.event(tableNamed(t, fmt.Sprintf("bj-%d", n)), evening)
	}
	if len(a.tables) != l.most {
		t.Errorf("there are %d tables", len(a.tables))
	}
}

// TestANewConnectionAsksAgain at once what was asked over the old one.
func TestANewConnectionAsksAgain(t *testing.T) {
	a := newAsks(someLimits())
	table := tableNamed(t, "bj-1")
	a.know(table, Position{})
	a.hasHead(table, Position{"a", 9}, evening)
	if len(a.due(evening)) != 1 || len(a.due(evening.Add(time.Second))) != 0 {
		t.Fatal("the table is not asked once")
	}
	a.again()
	if len(a.due(evening.Add(time.Second))) != 1 {
		t.Error("over the new connection it is not asked at once")
	}
}

// TestALateAnswerIsTaken once, so that a network that is slower than the pit's patience brings records all the same.
func TestALateAnswerIsTaken(t *testing.T) {
	a := newAsks(someLimits())
	table := tableNamed(t, "bj-1")
	a.know(table, Position{})
	a.hasHead(table, Position{"a", 9}, evening)
	a.due(evening)
	late := evening.Add(a.patience + time.Second)
	a.due(late)
	if !a.answers(table, late) || a.answers(table, late) {
		t.Fatal("a late answer is not taken once")
	}
	a.kept(table, 0, Position{"a", 9}, Position{"a", 9}, late)
	if a.answers(table, late) {
		t.Error("an answer is taken for which nobody asked")
	}
}

// TestTheLastRecordIsAskedForAgain: a table of which nobody knows what has become of its disk is asked for the last
// record that the store has, so that the store compares it, and then no more.
func TestTheLastRecordIsAskedForAgain(t *testing.T) {
	table := tableNamed(t, "bj-1")
	at := func(n uint64) Position { return Position{"a", n} }
	now := evening
	ask := func(t *testing.T, a *asks, head, after uint64) {
		t.Helper()
		now = now.Add(time.Minute)
		a.hasHead(table, at(head), now)
		if got := a.due(now); len(got) != 1 || got[0].Position != at(after) {
			t.Errorf("%v, not after %d", got, after)
		}
		a.answers(table, now)
	}
	begun := func(t *testing.T) *asks {
		a := newAsks(someLimits())
		a.know(table, at(610))
		ask(t, a, 700, 609)
		a.kept(table, 609, at(700), at(700), now)
		ask(t, a, 701, 700)
		a.kept(table, 700, at(701), at(701), now)
		return a
	}
	t.Run("after it was away", func(t *testing.T) {
		a := begun(t)
		a.present(table, false, 1, now)
		a.present(table, true, 1, now)
		ask(t, a, 702, 700)
	})
	t.Run("after it was started anew", func(t *testing.T) {
		a := begun(t)
		a.present(table, true, 1, now)
		ask(t, a, 702, 700)
		a.kept(table, 700, at(702), at(702), now)
		a.present(table, true, 1, now) // as it says every ten seconds
		ask(t, a, 703, 702)
		a.kept(table, 702, at(703), at(703), now)
		a.present(table, true, 2, now)
		ask(t, a, 704, 702)
	})
	t.Run("over a new connection", func(t *testing.T) {
		a := begun(t)
		a.again()
		ask(t, a, 702, 700)
	})
	t.Run("an answer from before its start proves nothing", func(t *testing.T) {
		a := begun(t)
		a.again()
		ask(t, a, 702, 700)
		a.present(table, true, 2, now)
		a.kept(table, 700, at(702), at(702), now)
		ask(t, a, 703, 701)
	})
	t.Run("an answer to an earlier question proves nothing", func(t *testing.T) {
		a := begun(t)
		a.again()
		ask(t, a, 702, 700)
		a.kept(table, 701, at(702), at(702), now)
		ask(t, a, 703, 701)
	})
	t.Run("a journal that ends before it", func(t *testing.T) {
		a := begun(t)
		a.again()
		ask(t, a, 702, 700)
		a.kept(table, 700, at(701), at(700), now) // no record, and none to compare
		now = now.Add(time.Minute)
		if got := a.due(now); len(got) != 1 || got[0].Position != at(701) {
			t.Errorf("%v: the store is not shown that the journal ends too soon", got)
		}
	})
	t.Run("a long record alone is no failure", func(t *testing.T) {
		a := begun(t)
		a.again()
		ask(t, a, 703, 700)
		a.kept(table, 700, at(701), at(703), now)
		if got := a.due(now.Add(time.Millisecond)); len(got) != 1 || got[0].Position != at(701) || len(a.told()) > 0 {
			t.Errorf("%v", got)
		}
	})
}

// TestWhatIsSaidTakesNoRoom: tables that say their records by themselves do not keep others from being asked.
func TestWhatIsSaidTakesNoRoom(t *testing.T) {
	a, now := newAsks(someLimits()), evening
	for n := range 20 {
		table := tableNamed(t, fmt.Sprintf("bj-%d", n))
		a.know(table, Position{})
		a.present(table, true, 1, now)
		a.hasHead(table, Position{"j", 5}, now)
	}
	for len(a.due(now)) > 0 { // and all are proven
		for table, of := range a.tables {
			if a.answers(table, now) {
				a.kept(table, of.from().Record, Position{"j", 5}, Position{"j", 5}, now)
			}
		}
		now = now.Add(time.Millisecond)
	}
	for n := range 19 {
		if !a.streams(tableNamed(t, fmt.Sprintf("bj-%d", n)), Position{"j", 5}, Position{"j", 6}, now) {
			t.Fatalf("what table %d says is not kept", n)
		}
	}
	last := tableNamed(t, "bj-19")
	if a.streams(last, Position{"j", 6}, Position{"j", 7}, now) {
		t.Fatal("what does not go on is kept")
	}
	if due := a.due(now.Add(time.Second)); len(due) != 1 || due[0].table != last {
		t.Errorf("%v is asked, not the table that lacks something", due)
	}
}

// BenchmarkDue is what a message of one table costs where there are so many.
func BenchmarkDue(b *testing.B) {
	for _, tables := range []int{50, 5000} {
		b.Run(fmt.Sprint(tables), func(b *testing.B) {
			l := someLimits()
			l.most = tables
			a, now := newAsks(l), evening
			names := make([]topic.Table, tables)
			for n := range names {
				names[n] = tableNamed(b, fmt.Sprintf("bj-%d", n))
				a.know(names[n], Position{"j", 5})
				a.present(names[n], false, 1, now)
			}
			for n := 0; b.Loop(); n++ {
				now = now.Add(time.Millisecond)
				a.event(names[n%tables], now)
				a.due(now)
				a.next(now)
				a.present(names[n%tables], false, 1, now)
			}
		})
	}
}
