package replica

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sabot-table/sabot/internal/testkit/bubble"
	"github.com/sabot-table/sabot/pit/floor"
	"github.com/sabot-table/sabot/pit/store"
	"github.com/sabot-table/sabot/pit/topic"
)

// fakeLine is a line to tables in the same process. Tables answer as real ones do.
type fakeLine struct {
	mu     sync.Mutex
	to     Listener // nil while there is no connection
	tables map[topic.Table]*fakeTable
	cut    chan struct{}
}

// fakeTable is a table with a journal of records of two lines.
type fakeTable struct {
	line    *fakeLine
	name    topic.Table
	boot    uint64
	journal string
	frames  [][]json.RawMessage
	first   uint64 // the number of the first frame, less one
	gap     *topic.Gap
	former  *topic.Former
	mute    bool // it does not answer
	streams bool // it says its records by itself
	garbled bool
	asked   int
}

func newLine() *fakeLine { return &fakeLine{tables: map[topic.Table]*fakeTable{}} }

func (l *fakeLine) table(t testing.TB, name string) *fakeTable {
	tab := &fakeTable{line: l, name: tableNamed(t, name), boot: 1, journal: strings.Repeat("ab", 16), streams: true}
	l.tables[tab.name] = tab
	return tab
}

func (l *fakeLine) Hear(ctx context.Context, to Listener) error {
	for ctx.Err() == nil {
		l.mu.Lock()
		l.to, l.cut = to, make(chan struct{})
		cut := l.cut
		l.mu.Unlock()
		to.Connected(true, "")
		select {
		case <-cut:
		case <-ctx.Done():
			return nil
		}
		l.mu.Lock()
		l.to = nil
		l.mu.Unlock()
		to.Connected(false, "the connection was lost")
		bubble.Pass(time.Second)
	}
	return nil
}

func (l *fakeLine) Say(name string, payload []byte) error {
	table, _, err := topic.Parse(name)
	if err != nil {
		return err
	}
	fetch, err := topic.ParseFetch(payload)
	if err != nil {
		return err
	}
	l.mu.Lock()
	tab := l.tables[table]
	l.mu.Unlock()
	go func() {
		bubble.Pass(10 * time.Millisecond)
		tab.answer(fetch)
	}()
	return nil
}

func (l *fakeLine) send(name string, payload []byte) {
	l.mu.Lock()
	to := l.to
	l.mu.Unlock()
	if to != nil {
		to.Message(name, payload)
	}
}

func (tab *fakeTable) head() topic.Head {
	return topic.Head{ID: tab.journal, Record: tab.first + uint64(len(tab.frames)), Hash: strings.Repeat("00", 32)}
}

// record records so many more.
func (tab *fakeTable) record(count int) {
	tab.line.mu.Lock()
	for range count {
		n := tab.first + uint64(len(tab.frames)) + 1
		tab.frames = append(tab.frames, []json.RawMessage{
			json.RawMessage(fmt.Sprintf(`{"in":"card","nth":%d,"of":"%s"}`, n, tab.journal)),
			json.RawMessage(fmt.Sprintf(`{"record":%d,"hash":"%064x"}`, n, n)),
		})
	}
	tab.line.mu.Unlock()
	if tab.streams {
		tab.say(topic.Fetch{Reader: topic.Stream, Journal: tab.journal, After: tab.head().Record - uint64(count)})
	}
}

// health says what a table says as it connects, in its order: that it is there, and how it is.
func (tab *fakeTable) health() {
	tab.line.mu.Lock()
	head := tab.head()
	tab.line.mu.Unlock()
	tab.line.send(tab.name.Topic(topic.KindStatus), topic.AppendStatus(nil, topic.Status{
		Site: tab.name.Site(), Table: tab.name.Name(), Online: true, Reason: topic.ReasonConnected, Boot: tab.boot,
		Connection: 1, Time: time.Now(),
	}))
	tab.line.send(tab.name.Topic(topic.KindHealth), topic.AppendHealth(nil, topic.Health{
		Site: tab.name.Site(), Table: tab.name.Name(), Boot: tab.boot, Time: time.Now(),
		Journal: topic.Journal{Head: &head},
	}))
}

func (tab *fakeTable) answer(f topic.Fetch) {
	tab.line.mu.Lock()
	tab.asked++
	tab.line.mu.Unlock()
	tab.say(f)
}

// say says the records after one.
func (tab *fakeTable) say(f topic.Fetch) {
	tab.line.mu.Lock()
	r := topic.Records{
		Site: tab.name.Site(), Table: tab.name.Name(), Boot: tab.boot, Journal: tab.journal,
		Head: tab.head(), After: f.After,
	}
	if f.Journal != tab.journal {
		r.After, r.Former = 0, tab.former
	}
	from := r.After
	if from < tab.first {
		r.Gap, from = tab.gap, tab.first
	}
	if from < r.Head.Record {
		r.Records = tab.frames[from-tab.first : min(from-tab.first+100, uint64(len(tab.frames)))]
	}
	mute := tab.mute
	payload := topic.AppendRecords(nil, r)
	tab.line.mu.Unlock()
	if tab.garbled {
		payload = payload[:len(payload)/2]
	}
	if !mute {
		tab.line.send(tab.name.Records(f.Reader), payload)
	}
}

// memory keeps records in memory.
type memory struct {
	mu     sync.Mutex
	kept   map[topic.Table]map[string]map[uint64]string // by journal and number
	has    map[topic.Table]Position
	broken error
	doubt  error
	open   bool // whether a doubt is not accepted
	heads  int
	alerts map[string]floor.Alert
}

func newMemory() *memory {
	return &memory{
		kept: map[topic.Table]map[string]map[uint64]string{}, has: map[topic.Table]Position{},
		alerts: map[string]floor.Alert{},
	}
}

func (m *memory) Position(_ context.Context, table topic.Table) (journal string, record uint64, hash [32]byte,
	err error,
) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.has[table].Journal, m.has[table].Record, hash, m.broken
}

func (m *memory) Append(_ context.Context, b *store.Batch) (head uint64, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := cmp.Or(m.broken, m.doubt); err != nil {
		return 0, err
	}
	if m.kept[b.Table] == nil {
		m.kept[b.Table] = map[string]map[uint64]string{}
	}
	journal := m.kept[b.Table][b.Journal]
	if journal == nil {
		journal = map[uint64]string{}
		m.kept[b.Table][b.Journal] = journal
		m.has[b.Table] = Position{Journal: b.Journal}
	}
	next := b.After + 1
	if b.Gap != nil {
		next = b.Gap.Last + 1
	}
	for _, frame := range b.Frames {
		if had, is := journal[next]; is && had != string(frame) {
			return 0, &store.RewrittenError{Table: b.Table, Journal: b.Journal, Record: next}
		}
		journal[next] = string(frame)
		m.has[b.Table] = Position{b.Journal, next}
		next++
	}
	return m.has[b.Table].Record, nil
}

func (m *memory) Witness(context.Context, topic.Table, topic.Head, time.Time) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.heads++
	return m.broken
}

func (m *memory) Told(context.Context, topic.Table, store.Told) error { return nil }

func (m *memory) Unfit(context.Context, error) bool { return false }

func (m *memory) Doubted(_ context.Context, _ topic.Table) (bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.open, nil
}

func (m *memory) KeepAlerts(_ context.Context, alerts []floor.Alert) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, a := range alerts {
		m.alerts[a.ID] = a
	}
	return m.broken
}

func (m *memory) OpenAlerts(context.Context) (list []floor.Alert, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, a := range m.alerts {
		list = append(list, a)
	}
	return list, nil
}

func (m *memory) broke(err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.broken = err
}

// house is a pit in a bubble of simulated time.
type house struct {
	*testing.T
	line  *fakeLine
	store *memory
	// keeper stands before the store, if anything does.
	keeper Keeper
	floor  *floor.Floor
	ear    *Ear
	stop   func()
}

func newHouse(t *testing.T) *house {
	h := &house{T: t, line: newLine(), store: newMemory()}
	return h
}

// start starts a pit over the same store.
func (h *house) start() {
	h.floor = floor.New(floor.Options{})
	h.ear = New(Options{Reader: "pit", Alerts: h.store, Log: slog.New(slog.DiscardHandler)}, h.line, h.floor,
		cmp.Or[Keeper](h.keeper, h.store))
	if err := h.ear.Restore(h.Context()); err != nil {
		h.Error(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- h.ear.Run(ctx) }()
	h.stop = func() {
		cancel()
		if err := <-done; err != nil {
			h.Error(err)
		}
	}
	synctest.Wait()
}

// wait lets time pass; tables report their health.
func (h *house) wait(d time.Duration) {
	for end := time.Now().Add(d); time.Now().Before(end); {
		for _, tab := range h.line.tables {
			tab.health()
		}
		bubble.Settle(min(10*time.Second, time.Until(end)))
	}
}

// complete compares what is kept of a table with its journal.
func (h *house) complete(tab *fakeTable) {
	h.Helper()
	h.store.mu.Lock()
	defer h.store.mu.Unlock()
	kept := h.store.kept[tab.name][tab.journal]
	if len(kept) != len(tab.frames) {
		h.Errorf("%s has %d records, the store %d", tab.name, len(tab.frames), len(kept))
	}
	for i, lines := range tab.frames {
		want := string(lines[0]) + "\n" + string(lines[1]) + "\n"
		if n := tab.first + uint64(i) + 1; kept[n] != want {
			h.Fatalf("%s: record %d is kept as %q, want %q", tab.name, n, kept[n], want)
		}
	}
}

func (h *house) alerts(want string) {
	h.Helper()
	var got []string
	for _, a := range h.floor.Alerts() {
		one := a.Code
		if a.Standing > 0 {
			one += " stands"
		}
		got = append(got, one)
	}
	if strings.Join(got, "; ") != want {
		h.Errorf("alerts: %q, want %q", strings.Join(got, "; "), want)
	}
}

// TestLive: what happens at a table is kept within a tenth of a second.
func TestLive(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		tab := h.line.table(t, "bj-1")
		h.start()
		h.wait(time.Second)
		for range 50 {
			tab.record(3)
			bubble.Settle(100 * time.Millisecond)
			h.complete(tab)
		}
		h.alerts("")
		h.stop()
		if h.store.heads == 0 {
			t.Error("no head of the journal was witnessed")
		}
	})
}

// TestAnEarlierTable says no records by itself: it is asked with each health, and nothing is missing.
func TestAnEarlierTable(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		tab := h.line.table(t, "bj-1")
		tab.streams = false
		h.start()
		for range 5 {
			tab.record(30)
			h.wait(time.Second)
			h.complete(tab)
		}
		h.alerts("")
		h.stop()
	})
}

// TestADayAway: a pit that was away fetches everything, and so does one with an empty store.
func TestADayAway(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		tables := []*fakeTable{h.line.table(t, "bj-1"), h.line.table(t, "bj-2"), h.line.table(t, "bj-3")}
		for _, empty := range []bool{false, false, true} {
			if empty {
				h.store = newMemory()
			}
			for i, tab := range tables {
				tab.record(5000 * i)
			}
			h.start()
			h.wait(time.Minute)
			for _, tab := range tables {
				h.complete(tab)
			}
			h.stop()
		}
	})
}

// TestKilledAgainAndAgain: a pit that dies at any moment has each record once.
func TestKilledAgainAndAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		tab := h.line.table(t, "bj-1")
		tab.record(3000)
		for n := range 50 {
			h.start()
			go tab.health()
			bubble.Pass(time.Duration(7*n) * time.Millisecond)
			tab.record(2)
			h.stop()
		}
		h.start()
		h.wait(30 * time.Second)
		h.complete(tab)
		h.stop()
	})
}

// TestTheLineIsCut: nothing is missing, and only the pit itself is in trouble.
func TestTheLineIsCut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		tab := h.line.table(t, "bj-1")
		h.start()
		for range 50 {
			h.wait(500 * time.Millisecond)
			close(h.line.cut)
			tab.record(10)
			synctest.Wait()
			if standing := h.floor.Tiles()[0].Standing; standing != floor.Unknown {
				t.Errorf("without a connection the table is %s", standing)
			}
			bubble.Settle(1100 * time.Millisecond)
		}
		h.wait(20 * time.Second)
		h.complete(tab)
		h.alerts("")
		h.stop()
	})
}

// TestTheStoreFails: the tables are left alone, somebody is told, and afterwards nothing is missing.
func TestTheStoreFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		tab := h.line.table(t, "bj-1")
		h.start()
		h.wait(time.Second)
		h.store.broke(errors.New("no space left on the device"))
		tab.record(500)
		h.wait(time.Hour)
		h.alerts("store-failing stands")
		if text := h.floor.Alerts()[0].Text; !strings.Contains(text, "no space left") {
			t.Errorf("the alert says %q", text)
		}
		h.store.broke(nil)
		h.wait(time.Minute)
		h.complete(tab)
		h.alerts("store-failing")
		h.stop()
		if len(h.store.alerts) != 1 {
			t.Errorf("alerts kept: %v", h.store.alerts)
		}
		h.start()
		h.alerts("store-failing")
		h.stop()
	})
}

// TestWhatCannotBeHad is told to a technician, and to nobody any more once it can.
func TestWhatCannotBeHad(t *testing.T) {
	for name, spoil := range map[string]func(*fakeTable, bool){
		"no answer":      func(tab *fakeTable, on bool) { tab.mute = on },
		"half an answer": func(tab *fakeTable, on bool) { tab.garbled = on },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h := newHouse(t)
				tab := h.line.table(t, "bj-1")
				spoil(tab, true)
				tab.record(5)
				h.start()
				h.wait(10 * time.Minute)
				h.alerts("records-missing stands")
				spoil(tab, false)
				h.wait(10 * time.Minute)
				h.complete(tab)
				h.alerts("records-missing")
				h.stop()
			})
		})
	}
}

// TestRecordsThatAreGone: a table says which it has not any more.
func TestRecordsThatAreGone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		tab := h.line.table(t, "bj-1")
		tab.first, tab.gap = 40, &topic.Gap{First: 1, Last: 40, Why: topic.GapAway, Text: "they are in the archive"}
		tab.record(5)
		h.start()
		h.wait(time.Minute)
		h.complete(tab)
		h.alerts("records-missing")
		if text := h.floor.Alerts()[0].Text; !strings.Contains(text, "records 1 to 40") ||
			!strings.Contains(text, "archive") {
			t.Errorf("the alert says %q", text)
		}
		h.stop()
	})
}

// TestAnotherJournal: the former one stays, and what of it was never fetched is named.
func TestAnotherJournal(t *testing.T) {
	for fetched, want := range map[bool]string{true: "", false: "records-missing"} {
		synctest.Test(t, func(t *testing.T) {
			h := newHouse(t)
			tab := h.line.table(t, "bj-1")
			tab.record(50)
			h.start()
			h.wait(20 * time.Second)
			h.complete(tab)
			former, frames := tab.journal, tab.frames
			if !fetched {
				tab.mute = true
				tab.record(7)
			}
			h.line.mu.Lock()
			tab.former = &topic.Former{Journal: former, Record: uint64(len(tab.frames)), Why: "it was damaged"}
			tab.journal, tab.frames, tab.mute = strings.Repeat("cd", 16), nil, false
			h.line.mu.Unlock()
			tab.record(9)
			h.wait(30 * time.Second)
			h.complete(tab)
			h.alerts(want)
			if kept := h.store.kept[tab.name][former]; len(kept) != len(frames) {
				t.Errorf("of the former journal %d records are kept, of %d", len(kept), len(frames))
			}
			h.stop()
		})
	}
}

// TestADoubt raises its alert, which stands until somebody has accepted the journal, also while it goes on well.
func TestADoubt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		tab := h.line.table(t, "bj-1")
		h.start()
		h.store.doubt = &store.RolledBackError{Table: tab.name, Journal: tab.journal, Had: 9, Has: 3}
		tab.record(5)
		h.wait(time.Hour)
		h.alerts("journal-rolled-back stands")
		h.store.doubt, h.store.open = nil, true
		tab.record(1)
		h.wait(time.Minute)
		h.complete(tab)
		h.alerts("journal-rolled-back stands")
		h.store.open = false
		tab.record(1)
		h.wait(time.Minute)
		h.complete(tab)
		h.alerts("journal-rolled-back")
		h.stop()
	})
}

// TestNobodyElseFills: records that nobody asked for, or of another table, are not kept.
func TestNobodyElseFills(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		tab, other := h.line.table(t, "bj-1"), h.line.table(t, "bj-2")
		h.start()
		h.wait(20 * time.Second)
		former := tab.journal
		tab.line.mu.Lock()
		tab.journal = strings.Repeat("ee", 16)
		tab.line.mu.Unlock()
		tab.answer(topic.Fetch{Reader: "pit", Journal: former})
		payload := topic.AppendRecords(nil, topic.Records{
			Site: "wiesbaden", Table: "bj-1", Boot: 1,
			Journal: tab.journal, Head: tab.head(), Records: [][]json.RawMessage{},
		})
		other.mute = true
		other.record(1)
		bubble.Pass(100 * time.Millisecond)
		h.line.send(other.name.Records("pit"), payload)
		synctest.Wait()
		if _, kept := h.store.kept[tab.name][tab.journal]; kept {
			t.Errorf("kept: %v", h.store.kept)
		}
		h.stop()
	})
}
