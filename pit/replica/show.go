package replica

import (
	"context"
	"fmt"
	"time"

	"github.com/sabot-table/sabot/pit/topic"
)

// shows has the floor show each table as its records have it: as they are heard, not as they are kept. What was not
// heard of them is read once it is kept, by this pit or by another one.
type shows struct {
	source  LiveSource
	bell    chan struct{} // holds one: there may be something to show
	waiting backlog
	heads   map[topic.Table]topic.Head // that were heard since
	kept    map[topic.Table]bool       // of which more is kept since
	// tables are for the one goroutine that shows them, as are those that are to be counted, and failed: when one could
	// not be read last.
	tables    map[topic.Table]*Table
	uncounted map[topic.Table]bool
	failed    map[topic.Table]time.Time
	// resume is when the store is read again that has not answered.
	resume time.Time
}

func newShows(source LiveSource) shows {
	return shows{
		source: source, bell: make(chan struct{}, 1), heads: map[topic.Table]topic.Head{},
		kept:   map[topic.Table]bool{},
		tables: map[topic.Table]*Table{}, failed: map[topic.Table]time.Time{}, uncounted: map[topic.Table]bool{},
	}
}

const (
	// mostCounted is how many kept records are counted between two looks at what is heard.
	mostCounted = 500
	// readAgain is when a table is read again that could not be read, or any where that has taken longer than
	// slowFailure.
	readAgain, slowFailure = 10 * time.Second, time.Second
	// lately is since when a table has recorded something that may still be there.
	lately = 7 * 24 * time.Hour
)

// heardHead notes a table's last record; the caller holds the lock.
func (e *Ear) heardHead(table topic.Table, head topic.Head) {
	e.shows.heads[table] = head
	e.keptMore(table)
}

// keptMore notes that more of a table is kept; the caller holds the lock.
func (e *Ear) keptMore(table topic.Table) {
	e.shows.kept[table] = true
	ring(e.shows.bell)
}

// toShow takes records; the caller holds the lock. What there is no room for is read once it is kept.
func (e *Ear) toShow(a answer) {
	if e.shows.source.Records != nil && e.shows.waiting.holds(a.table, a.payload) {
		e.shows.waiting.put(a)
		ring(e.shows.bell)
	}
}

// show shows tables until the context ends.
func (e *Ear) show(ctx context.Context) {
	if e.shows.source.Records == nil {
		return
	}
	for _, table := range e.options.Known {
		if ctx.Err() == nil && e.reads() {
			e.reading(table, func(t *Table) error { return t.Kept(ctx, time.Now().Add(-lately)) })
		}
	}
	second := time.NewTicker(time.Second)
	defer second.Stop()
	for more := false; ctx.Err() == nil; {
		all := false
		if !more {
			select {
			case <-e.shows.bell:
			case <-second.C: // another pit may have kept what this one lacks
				all = true
			case <-ctx.Done():
				return
			}
		}
		for e.showNext() {
		}
		more = e.showKept(ctx, all)
	}
}

// showNext shows the records that were heard first, and says whether there were any.
func (e *Ear) showNext() bool {
	e.mu.Lock()
	got := e.shows.waiting.first()
	var heads map[topic.Table]topic.Head // of one's own: others write to those of shows as soon as the lock is free
	if len(e.shows.heads) > 0 {
		heads, e.shows.heads = e.shows.heads, map[topic.Table]topic.Head{}
	}
	e.mu.Unlock()
	for table, head := range heads {
		e.liveTable(table).Head(head)
	}
	if got == nil {
		return false
	}
	r, err := got.records()
	if err != nil {
		e.unreadable(topic.KindRecords, err)
		return true
	}
	if !got.streamed {
		delete(e.shows.failed, got.table) // it may have said what was missing
	}
	e.showing(got.table, func(t *Table) error {
		if t.Hear(r, got.streamed); t.Behind() {
			e.mu.Lock()
			e.keptMore(got.table) // perhaps: what was heard may be behind what is
			e.mu.Unlock()
		}
		return nil
	})
	return true
}

// showing does something with a table, and gives the floor its news. Whoever may write to the broker could have a table
// say what no table's program has recorded: what fails of it is begun anew, after a while.
func (e *Ear) showing(table topic.Table, what func(*Table) error) {
	defer func() {
		if why := recover(); why != nil {
			delete(e.shows.tables, table)
			e.showFails(table, fmt.Errorf("its records are none of a table: %v", why))
		}
	}()
	t := e.liveTable(table)
	if err := what(t); err != nil {
		e.showFails(table, err)
	}
	e.shown(table, t)
}

func (e *Ear) showFails(table topic.Table, err error) {
	e.shows.failed[table] = time.Now()
	e.unreadable("", fmt.Errorf("how %s stands cannot be read: %w", table, err))
}

func (e *Ear) liveTable(table topic.Table) *Table {
	t := e.shows.tables[table]
	if t == nil {
		t = NewTable(table, e.shows.source)
		e.shows.tables[table] = t
	}
	return t
}

// shown gives the floor a table's news.
func (e *Ear) shown(table topic.Table, t *Table) {
	if d := t.News(); d != nil {
		if err := e.floor.Deal(table, d, time.Now()); err != nil {
			e.unreadable(topic.KindRecords, err)
		}
	}
}

// showKept reads what is kept of tables whose records were not heard, and counts one of them for a moment. It says
// whether there are more to count.
func (e *Ear) showKept(ctx context.Context, all bool) (more bool) {
	e.mu.Lock()
	due := e.shows.kept
	e.shows.kept = map[topic.Table]bool{}
	e.mu.Unlock()
	if all {
		for table := range e.shows.tables {
			due[table] = true
		}
	}
	now := time.Now()
	for table := range due {
		if ctx.Err() != nil || now.Sub(e.shows.failed[table]) < readAgain || !e.reads() {
			continue
		}
		delete(e.shows.failed, table)
		e.shows.uncounted[table] = true
		e.reading(table, func(t *Table) error {
			if t.Behind() {
				return t.CatchUp(ctx)
			}
			return nil
		})
	}
	for table := range e.shows.uncounted {
		if !e.reads() {
			return false
		}
		delete(e.shows.uncounted, table)
		e.reading(table, func(t *Table) error {
			more, err := t.Count(ctx, now, mostCounted)
			if more {
				e.shows.uncounted[table] = true
			}
			return err
		})
		if e.shows.uncounted[table] {
			break
		}
	}
	return len(e.shows.uncounted) > 0
}

// reads says whether the store is read: not for a while, where it has not answered.
func (e *Ear) reads() bool { return !time.Now().Before(e.shows.resume) }

// reading does something with a table for which the store is read, and then shows what was heard meanwhile: a database
// that does not answer holds nobody up for long.
func (e *Ear) reading(table topic.Table, what func(*Table) error) {
	began := time.Now()
	e.showing(table, what)
	if now := time.Now(); e.shows.failed[table].After(began) && now.Sub(began) >= slowFailure {
		e.shows.resume = now.Add(readAgain)
	}
	for e.showNext() {
	}
}
