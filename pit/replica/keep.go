package replica

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/sabot-table/sabot/pit/floor"
	"github.com/sabot-table/sabot/pit/store"
	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/table/plaintext"
)

// lastWork is how long what is being kept may take once the pit stops.
const lastWork = 10 * time.Second

// hands is how many tables' answers are kept at once. The store puts into one transaction what comes while it writes
// another one, so many tables wait for its disk, and for its standby, together.
const hands = 128

// keep keeps what tables have answered, and what became of alerts, until the context ends.
func (e *Ear) keep(ctx context.Context) {
	var all sync.WaitGroup
	for range hands {
		all.Go(func() { e.keepTables(ctx) })
	}
	for {
		select {
		case <-e.words:
			e.alerts(ctx)
		case kept := <-e.asked:
			e.alerts(ctx)
			close(kept)
		case <-ctx.Done():
			all.Wait()
			e.alerts(ctx)
			return
		}
	}
}

// keepTables keeps what waits, one after the other.
func (e *Ear) keepTables(ctx context.Context) {
	for {
		select {
		case <-e.work:
		case <-ctx.Done():
			return
		}
		for ctx.Err() == nil && e.keepOne(ctx) {
			ring(e.words)
		}
	}
}

// keepOne keeps one thing of the table whose turn it is, and says whether there was any. A store that fails is tried
// again after a pause.
func (e *Ear) keepOne(ctx context.Context) bool {
	work, stop := context.WithTimeout(context.WithoutCancel(ctx), time.Hour)
	defer stop()
	defer context.AfterFunc(ctx, func() { time.AfterFunc(lastWork, stop) })()
	e.mu.Lock()
	table, got, keep := e.turnOf()
	if keep != nil && e.waiting.more() {
		ring(e.work) // for another hand
	}
	e.mu.Unlock()
	if keep == nil {
		return false
	}
	keep(work)
	e.mu.Lock()
	defer e.mu.Unlock()
	e.waiting.done(table, got)
	if len(e.heard.told[table]) > 0 || e.asks.tables[table].lost() {
		e.waits(table)
	}
	return true
}

// turnOf takes what is to be kept next, of the table whose turn it is; nil for nothing, and while the store has a
// pause. What a table tells of its journal is compared after its answers are kept. The caller holds the lock.
func (e *Ear) turnOf() (table topic.Table, got *answer, keep func(context.Context)) {
	for !time.Now().Before(e.asks.paused) && e.waiting.more() {
		table = e.waiting.next()
		if got = e.waiting.take(table); got != nil {
			return table, got, func(ctx context.Context) { e.append(ctx, *got) }
		}
		t := e.asks.tables[table]
		if t.lost() {
			return table, nil, func(ctx context.Context) { e.locate(ctx, table) }
		}
		if told := e.heard.next(table); told != nil && !t.elsewhere { // else who keeps the table has heard it, too
			return table, nil, func(ctx context.Context) { e.witness(ctx, table, *told) }
		}
		e.waiting.done(table, nil)
	}
	return table, nil, nil
}

// waits gives a table a turn, of which something is to be kept. The caller holds the lock.
func (e *Ear) waits(table topic.Table) {
	e.waiting.add(table)
	ring(e.work)
}

// locate finds out how far a table is kept.
func (e *Ear) locate(ctx context.Context, table topic.Table) {
	has, err := e.position(ctx, table)
	if err != nil {
		e.storeFails(table, err)
		return
	}
	e.change(func() { e.asks.know(table, has) })
}

func (e *Ear) position(ctx context.Context, table topic.Table) (Position, error) {
	journal, record, _, err := e.keeper.Position(ctx, table)
	return Position{journal, record}, err
}

// append keeps an answer.
func (e *Ear) append(ctx context.Context, got answer) {
	table := got.table
	r, batch, err := e.batchOf(got)
	if err != nil {
		e.unusable(table, err)
		return
	}
	head := Position{r.Journal, r.Head.Record}
	e.mu.Lock()
	before := e.asks.tables[table].has
	missed := got.streamed && before != (Position{r.Journal, r.After}) || r.After > before.Record ||
		r.After > 0 && r.Journal != before.Journal // such as a late answer to a look
	if missed {
		e.asks.missed(table, time.Now())
	}
	e.mu.Unlock()
	if missed {
		ring(e.turn)
		return
	}
	kept, err := e.keeper.Append(ctx, batch)
	if errors.Is(err, store.ErrElsewhere) {
		e.change(func() { e.asks.passed(table, time.Now()) })
		return
	}
	switch doubt := e.doubt(table, err); {
	case doubt == nil && e.keeper.Unfit(ctx, err):
		e.unusable(table, err)
		return
	case doubt == nil && err != nil:
		e.storeFails(table, err)
		return
	case doubt != nil && !doubt.kept:
		e.relocate(ctx, table, head)
		return
	}
	e.change(func() {
		e.asks.kept(table, r.After, Position{r.Journal, kept}, head, time.Now())
		e.keptMore(table)
	})
	e.storeWorks()
	if err == nil {
		e.accepted(ctx, table)
	}
	e.lacks(table, before, r)
}

// shortAnswer is how many bytes an answer has that any hand reads at any time. What is read of a made-up one may take
// forty times its bytes: of longer ones there is one at a time.
const shortAnswer = 64 << 10

// batchOf reads what is to be kept of an answer.
func (e *Ear) batchOf(got answer) (r topic.Records, batch *store.Batch, err error) {
	if len(got.payload) > shortAnswer {
		e.long <- struct{}{}
		defer func() { <-e.long }()
	}
	if r, err = got.records(); err != nil {
		return r, nil, err
	}
	batch, err = store.BatchOf(r)
	return r, batch, err
}

// accepted ends the doubts about a table's journal, once a named person has accepted it: that it goes on without a
// contradiction proves nothing.
func (e *Ear) accepted(ctx context.Context, table topic.Table) {
	if !e.floor.Stands(table, floor.JournalRewritten) && !e.floor.Stands(table, floor.JournalRolledBack) {
		return
	}
	switch open, err := e.keeper.Doubted(ctx, table); {
	case err != nil:
		e.storeFails(table, err)
	case !open:
		e.floor.Clear(table, floor.JournalRewritten, time.Now())
		e.floor.Clear(table, floor.JournalRolledBack, time.Now())
	}
}

// unusable notes that a table's answer cannot be kept. It is asked again, more and more rarely.
func (e *Ear) unusable(table topic.Table, err error) {
	e.change(func() { e.asks.unreadable(table, "its answer cannot be used: "+brief(err.Error()), time.Now()) })
	e.unreadable(topic.KindRecords, err)
}

// brief is a text in which a table has its say, for an alert: it shows nothing but itself, and is no page.
func brief(text string) string {
	const most = 500
	if runes := []rune(text); len(runes) > most {
		text = string(runes[:most]) + "…"
	}
	return plaintext.Visible(text)
}

// relocate asks the store how far a table is kept of which it did not keep an answer.
func (e *Ear) relocate(ctx context.Context, table topic.Table, head Position) {
	has, err := e.position(ctx, table)
	if err != nil {
		e.storeFails(table, err)
		return
	}
	e.change(func() {
		e.asks.know(table, has)
		e.asks.doubted(table, head, time.Now())
	})
	e.storeWorks()
}

// lacks tells a technician of records that the table cannot give. It is told once, and stays until it is seen.
func (e *Ear) lacks(table topic.Table, before Position, r topic.Records) {
	var text string
	switch g, f := r.Gap, r.Former; {
	case g != nil && g.Why != topic.GapUnused:
		text = fmt.Sprintf("records %d to %d of journal %s are missing here: %s", g.First, g.Last, r.Journal, g.Text)
	case f != nil && f.Journal == before.Journal && f.Record > before.Record:
		text = fmt.Sprintf("records %d to %d of its former journal %s are missing here: fill them in from the "+
			"folder that was set aside, with sabot-pit refill", before.Record+1, f.Record, f.Journal)
	default:
		return
	}
	now := time.Now()
	e.floor.Raise(table, floor.RecordsMissing, brief(text), now)
	e.floor.Clear(table, floor.RecordsMissing, now)
	e.options.Log.Warn("a table cannot give all of its records: fill them in with sabot-pit refill, from its "+
		"archive or a journal that was set aside",
		"table", table.String(), "missing", text)
}

// doubt raises the alert of an error that is a doubt, which it returns; nil for any other.
func (e *Ear) doubt(table topic.Table, err error) *doubt {
	d := doubtOf(err)
	if d == nil || d.code == "" {
		return d
	}
	now := time.Now()
	e.floor.Raise(table, d.code, brief(err.Error()), now)
	if d.once {
		e.floor.Clear(table, d.code, now)
	}
	e.options.Log.Error("A TABLE'S RECORD IS IN DOUBT: keep its journal folder as it is, and audit it", "table",
		table.String(), "error", err)
	return d
}

// witness compares what a table tells of its journal with what is known.
func (e *Ear) witness(ctx context.Context, table topic.Table, told store.Told) {
	err := e.keeper.Witness(ctx, table, told.Head, told.At)
	if err == nil || doubtOf(err) != nil {
		err = cmp.Or(err, e.keeper.Told(ctx, table, told))
	}
	switch {
	case err == nil:
		e.storeWorks()
	case errors.Is(err, store.ErrElsewhere):
	case e.doubt(table, err) != nil:
	case e.keeper.Unfit(ctx, err):
		e.unreadable(topic.KindHealth, err)
	default:
		e.storeFails(table, err)
	}
}

// storeFails notes that the store cannot be used: nobody is asked for a while. Tables keep what they have.
func (e *Ear) storeFails(table topic.Table, err error) {
	e.floor.Raise(topic.Table{}, floor.StoreFailing, err.Error(), time.Now())
	e.change(func() {
		if !e.outage.failing {
			e.options.Log.Error("THE PIT'S DATABASE CANNOT BE USED: the tables play on, and the pit fetches what is "+
				"missing once the database works again", "error", err)
		}
		e.outage.failing = true
		until := e.asks.paused
		if !time.Now().Before(until) { // and not what several hands have met at once
			until = time.Now().Add(e.outage.pause.Next())
			time.AfterFunc(time.Until(until), func() { ring(e.work) })
		}
		e.asks.pause(table, until)
	})
}

func (e *Ear) storeWorks() {
	e.mu.Lock()
	failed := e.outage.failing
	e.outage.failing = false
	e.outage.pause.Reset()
	e.mu.Unlock()
	if failed {
		e.floor.Clear(topic.Table{}, floor.StoreFailing, time.Now())
		e.options.Log.Info("the pit's database works again")
	}
}

// alerts keeps what became of alerts.
func (e *Ear) alerts(ctx context.Context) {
	if e.options.Alerts == nil {
		return
	}
	e.unkept = append(e.unkept, e.floor.Unkept()...)
	if ctx.Err() == nil && e.resting() {
		return
	}
	work, stop := context.WithTimeout(context.WithoutCancel(ctx), lastWork)
	defer stop()
	if len(e.unkept) > 0 && e.reached() {
		if err := e.options.Alerts.KeepAlerts(work, e.unkept); err != nil {
			e.unkept = e.unkept[max(0, len(e.unkept)-mostUnkept):]
			e.storeFails(topic.Table{}, err)
			return
		}
		e.unkept = nil
	}
	if err := e.say(work); err != nil {
		e.storeFails(topic.Table{}, err)
	}
}

// mostUnkept is how many alerts wait for a store that fails.
const mostUnkept = 10_000

// resting says whether the store has a pause.
func (e *Ear) resting() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return time.Now().Before(e.asks.paused)
}
