package replica

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sabot-table/sabot/internal/testkit/bubble"
	"github.com/sabot-table/sabot/pit/floor"
	"github.com/sabot-table/sabot/pit/store"
	"github.com/sabot-table/sabot/pit/topic"
)

// slowStore is a store that takes its time, for as many as come at once, and for one table for ever.
type slowStore struct {
	*memory
	takes time.Duration
	never topic.Table

	mu      sync.Mutex
	keeping map[topic.Table]bool
	twice   bool // something of one table was kept while something else of it was
	tried   []time.Time
}

func (s *slowStore) Append(ctx context.Context, b *store.Batch) (uint64, error) {
	defer s.begin(b.Table)()
	s.mu.Lock()
	s.tried = append(s.tried, time.Now())
	s.mu.Unlock()
	if b.Table == s.never {
		<-ctx.Done()
		return 0, ctx.Err()
	}
	bubble.Pass(s.takes)
	return s.memory.Append(ctx, b)
}

func (s *slowStore) Witness(ctx context.Context, table topic.Table, head topic.Head, at time.Time) error {
	defer s.begin(table)()
	bubble.Pass(s.takes)
	return s.memory.Witness(ctx, table, head, at)
}

// begin notes that something of a table is being kept, and returns what ends that.
func (s *slowStore) begin(table topic.Table) (end func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.twice = s.twice || s.keeping[table]
	s.keeping[table] = true
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.keeping[table] = false
	}
}

// slowHouse is a house of some tables over a slow store, which has asked each of them.
func slowHouse(t *testing.T, tables int, takes time.Duration) (*house, *slowStore) {
	h := newHouse(t)
	s := &slowStore{memory: h.store, takes: takes, keeping: map[topic.Table]bool{}}
	h.keeper = s
	for n := range tables {
		h.line.table(t, fmt.Sprintf("bj-%d", n))
	}
	h.start()
	h.wait(30 * time.Second)
	return h, s
}

// TestTablesAreKeptTogether: a store that is slow for each is slow once for all tables. Of one table nothing overtakes
// anything.
func TestTablesAreKeptTogether(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h, s := slowHouse(t, 20, 100*time.Millisecond)
		for range 10 {
			for _, tab := range h.line.tables {
				tab.record(3)
			}
			bubble.Settle(150 * time.Millisecond) // in which one after the other only two would be kept
		}
		for _, tab := range h.line.tables {
			h.complete(tab)
			if tab.asked > 2 {
				t.Errorf("%s was asked %d times for what it had said", tab.name, tab.asked)
			}
		}
		if s.twice {
			t.Error("of one table two things were kept at once")
		}
		h.stop()
	})
}

// TestOneTableHoldsUpNoOther: what the store never ends with of one table is waited for by that one alone, and only for
// a while where the pit stops.
func TestOneTableHoldsUpNoOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h, s := slowHouse(t, 5, time.Millisecond)
		s.never = tableNamed(t, "bj-0")
		for range 10 {
			for _, tab := range h.line.tables {
				tab.record(1)
			}
			bubble.Settle(20 * time.Millisecond)
		}
		for _, tab := range h.line.tables {
			if tab.name != s.never {
				h.complete(tab)
			}
		}
		stopped := time.Now()
		h.stop()
		if took := time.Since(stopped); took > 2*lastWork {
			t.Errorf("the pit stopped after %v", took)
		}
	})
}

// TestLongAnswersAreReadInTurn: what is read of an answer may be many times as long. While a long one is being read,
// another one waits, and short ones do not.
func TestLongAnswersAreReadInTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h, _ := slowHouse(t, 2, time.Millisecond)
		long, short := h.line.tables[tableNamed(t, "bj-0")], h.line.tables[tableNamed(t, "bj-1")]
		h.ear.long <- struct{}{}
		long.line.mu.Lock()
		long.frames = append(long.frames, []json.RawMessage{
			json.RawMessage(`{"in":"` + strings.Repeat("x", shortAnswer) + `"}`),
			json.RawMessage(fmt.Sprintf(`{"record":1,"hash":"%064x"}`, 1)),
		})
		long.line.mu.Unlock()
		for range 5 {
			short.record(1)
			h.wait(100 * time.Millisecond)
		}
		h.complete(short)
		h.store.mu.Lock()
		kept := len(h.store.kept[long.name][long.journal])
		h.store.mu.Unlock()
		if kept > 0 {
			t.Errorf("%d records of a long answer were read meanwhile", kept)
		}
		<-h.ear.long
		h.wait(time.Minute)
		h.complete(long)
		h.stop()
	})
}

// slowLog is a log whose first line takes a while.
type slowLog struct {
	slog.Handler
	later atomic.Bool
}

func (l *slowLog) Handle(context.Context, slog.Record) error {
	if !l.later.Swap(true) {
		bubble.Pass(time.Second)
	}
	return nil
}

// TestTheLastReportStands: where one goroutine tells of a table that its records cannot be had, and another one right
// after it that they can, it ends with that.
func TestTheLastReportStands(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := floor.New(floor.Options{})
		e := New(Options{Reader: "pit", Log: slog.New(&slowLog{Handler: slog.Default().Handler()})}, newLine(), f,
			newMemory())
		one, two := tableNamed(t, "bj-1"), tableNamed(t, "bj-2")
		go e.change(func() {
			e.asks.of(one).tell(e.asks, "it does not answer")
			e.asks.of(two).tell(e.asks, "it does not answer")
		})
		synctest.Wait()
		go e.change(func() { e.asks.of(two).tell(e.asks, "") })
		bubble.Settle(2 * time.Second)
		if !f.Stands(one, floor.RecordsMissing) || f.Stands(two, floor.RecordsMissing) {
			t.Errorf("of the one %t stands, of the other %t", f.Stands(one, floor.RecordsMissing),
				f.Stands(two, floor.RecordsMissing))
		}
	})
}

// TestOneOutageForAllHands: many hands that meet one outage of the store wait as long as one would, and try it again
// together, not each for itself.
func TestOneOutageForAllHands(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h, s := slowHouse(t, hands, 100*time.Millisecond)
		s.broke(errors.New("away"))
		s.tried = nil
		for _, tab := range h.line.tables {
			tab.record(1)
		}
		bubble.Settle(3 * time.Second)
		s.broke(nil)
		h.wait(20 * time.Second)
		for _, tab := range h.line.tables {
			h.complete(tab)
		}
		together := 0
		for _, at := range s.tried {
			if at.Equal(s.tried[0]) {
				together++
			}
		}
		if again := s.tried[together].Sub(s.tried[0]); together != hands || again > 2*time.Second {
			t.Errorf("%d hands have tried the store at once, and again after %v", together, again)
		}
		h.stop()
	})
}
