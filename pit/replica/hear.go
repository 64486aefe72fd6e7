package replica

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/sabot-table/sabot/pit/floor"
	"github.com/sabot-table/sabot/pit/store"
	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/pit/transport"
)

// Options say how the tables are heard. Zero values are the defaults given with the fields.
type Options struct {
	// Reader is the name under which tables are asked.
	Reader string
	// Underway is how many tables are asked at once, which bounds the memory: each answer has 128 KiB, or one
	// record. Default 16.
	Underway int
	// Patience is how long an answer may take. Default 5 s.
	Patience time.Duration
	// Room are the tables that are known beforehand: whatever else is heard, there is a place for each.
	Room []topic.Table
	// Known are tables that are shown as they are kept until they are heard, if that is not long ago.
	Known []topic.Table
	// Tables is how many there may be. Default 1000.
	Tables int
	// Alerts is where alerts are kept; nil for nowhere.
	Alerts Alerts
	// Nodes are several pits on one database; nil for one that is alone.
	Nodes Nodes
	// Brokers says that the broker consists of several nodes, which may lose what a table says unnoticed: that an event
	// was not heard then says nothing of the table.
	Brokers bool
	// Commands hears tables' health, and their answers to commands; nil where none are sent.
	Commands interface {
		Hear(topic string, payload []byte)
	}
	// Live is by what tables are shown as their records have them; without it they are not.
	Live LiveSource
	// Log is the default logger if nil.
	Log *slog.Logger
}

// Ear hears the tables of a site.
type Ear struct {
	options Options
	line    Line
	floor   *floor.Floor
	keeper  Keeper
	inbox   *inbox

	mu      sync.Mutex
	asks    *asks
	waiting backlog
	shows   shows
	heard   hearsay
	outage  outage
	warned  map[topic.Kind]time.Time // when the log last had a message that cannot be read

	asked  chan chan struct{} // each is closed once alerts are kept
	work   chan struct{}      // holds one: there is something of a table to keep
	words  chan struct{}      // holds one: there may be alerts to keep, or what was said of them
	turn   chan struct{}      // holds one: there may be something to ask
	long   chan struct{}      // holds one: a long answer is being read
	tells  chan struct{}      // holds one: a technician is being told
	unkept []floor.Alert      // alerts that are to be kept
	unsaid []floor.Word       // what is to be said to other nodes
	heeded []floor.Word       // what they have said, which is forgotten once it is kept
}

// outage is how the store fails.
type outage struct {
	failing bool // it could not be used
	pause   transport.Backoff
}

// New makes an ear that hears over a line, feeds the floor, and keeps records.
func New(o Options, line Line, f *floor.Floor, keeper Keeper) *Ear {
	if o.Underway == 0 {
		o.Underway = 16
	}
	if o.Patience == 0 {
		o.Patience = 5 * time.Second
	}
	if o.Tables == 0 {
		o.Tables = 1000
	}
	if o.Log == nil {
		o.Log = slog.Default()
	}
	e := &Ear{
		options: o, line: line, floor: f, keeper: keeper, inbox: newInbox(),
		asks: newAsks(limits{
			underway: o.Underway, far: max(1, o.Underway/2), patience: o.Patience, settle: 20 * time.Millisecond,
			most: o.Tables,
		}),
		heard: hearsay{
			told: map[topic.Table][]store.Told{}, events: map[topic.Table]events{}, several: o.Brokers,
		},
		outage: outage{pause: transport.Backoff{Least: 500 * time.Millisecond, Most: 15 * time.Second}},
		asked:  make(chan chan struct{}), work: make(chan struct{}, 1), words: make(chan struct{}, 1),
		turn: make(chan struct{}, 1), long: make(chan struct{}, 1), tells: make(chan struct{}, 1),
		warned: map[topic.Kind]time.Time{}, shows: newShows(o.Live),
	}
	if o.Nodes != nil {
		e.asks.epoch = o.Nodes.Epoch
	}
	for _, table := range o.Room {
		e.asks.of(table)
	}
	return e
}

// Restore gives the floor the alerts that were kept back. It is called once, before Run and before anybody is told
// of alerts: what was before is not news.
func (e *Ear) Restore(ctx context.Context) error {
	if e.options.Alerts == nil {
		return nil
	}
	kept, err := e.options.Alerts.OpenAlerts(ctx)
	if err != nil {
		return fmt.Errorf("read the alerts that were kept: %w", err)
	}
	e.floor.Tick(time.Now()) // people may take alerts up before anything is heard
	e.floor.Restore(kept)
	return nil
}

// KeepAlerts has what became of alerts kept now, and not within the next second. It returns when it is, or when the
// store could not be used, or at the latest with ctx.
func (e *Ear) KeepAlerts(ctx context.Context) {
	kept := make(chan struct{})
	select {
	case e.asked <- kept:
	case <-ctx.Done():
		return
	}
	select {
	case <-kept:
	case <-ctx.Done():
	}
}

// Run hears until the context ends. Before it returns, what is being kept is kept. An error is one that does
// not heal.
func (e *Ear) Run(ctx context.Context) error {
	defer e.join(ctx)()
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var parts sync.WaitGroup
	var err error
	parts.Go(func() {
		defer stop()
		err = e.line.Hear(ctx, e)
	})
	parts.Go(func() { e.read(ctx) })
	parts.Go(func() { e.keep(ctx) })
	parts.Go(func() { e.ask(ctx) })
	parts.Go(func() { e.show(ctx) })
	parts.Wait()
	return err
}

// Connected is for the line.
func (e *Ear) Connected(up bool, why string) {
	e.floor.Link(up, why, time.Now())
	e.change(func() {
		e.heard.connection++
		e.asks.again()
	})
}

// Message is for the line.
func (e *Ear) Message(name string, payload []byte) {
	table, kind, err := topic.Parse(name)
	if err == nil {
		err = errors.Join(e.admits(table), fits(kind, payload))
	}
	switch {
	case err != nil:
		e.unreadable(kind, err)
	case kind == topic.KindRecords && name == table.Records(topic.Stream):
		e.streamed(table, payload)
	case kind == topic.KindRecords:
		e.answered(table, payload)
	case kind == topic.KindAnswer:
		if payload, err = topic.Plainly(payload); err != nil {
			e.unreadable(kind, err)
			return
		}
		e.command(name, payload)
	case kind == topic.KindHealth:
		e.command(name, payload)
		e.inbox.putMessage(name, payload)
	case kind == topic.KindStatus:
		e.inbox.putMessage(name, payload)
	}
}

// admits refuses a table for which there is no place. Those of the room have theirs, whoever else is heard.
func (e *Ear) admits(table topic.Table) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.asks.of(table) == nil {
		return fmt.Errorf("%s is one table more than the pit has room for: list the tables of the room under "+
			"tables, and look at who may write to the broker", table)
	}
	return nil
}

func (e *Ear) command(name string, payload []byte) {
	if e.options.Commands != nil {
		e.options.Commands.Hear(name, payload)
	}
}

// change changes what is known of the tables, after which one may be to be asked.
func (e *Ear) change(what func()) {
	e.mu.Lock()
	what()
	found := len(e.asks.reports) > 0
	e.mu.Unlock()
	if found {
		e.report()
	}
	ring(e.turn)
}

func ring(bell chan struct{}) {
	select {
	case bell <- struct{}{}:
	default:
	}
}

// report tells a technician what cannot be had, and what can again, in the order in which it was found out.
func (e *Ear) report() {
	e.tells <- struct{}{}
	defer func() { <-e.tells }()
	e.mu.Lock()
	reports := e.asks.told()
	e.mu.Unlock()
	for _, r := range reports {
		if r.why == "" {
			e.floor.Clear(r.table, floor.RecordsMissing, time.Now())
			if r.unsure {
				continue
			}
			e.options.Log.Info("the table's records are fetched again", "table", r.table.String())
			continue
		}
		e.floor.Raise(r.table, floor.RecordsMissing, r.why, time.Now())
		e.options.Log.Error("A TABLE'S RECORDS CANNOT BE FETCHED: its rounds are missing here until they can; the "+
			"pit tries again", "table", r.table.String(), "why", r.why)
	}
}

// unreadable logs a message that cannot be read, now and then.
func (e *Ear) unreadable(kind topic.Kind, err error) {
	e.mu.Lock()
	now := time.Now()
	say := now.Sub(e.warned[kind]) >= time.Minute
	if say {
		e.warned[kind] = now
	}
	e.mu.Unlock()
	if say {
		e.options.Log.Warn("a message cannot be used, and is ignored; look at who may write to the tables' topics, "+
			"and at the versions of the tables", "error", err)
	}
}

// read feeds the floor.
func (e *Ear) read(ctx context.Context) {
	second := time.NewTicker(time.Second)
	defer second.Stop()
	for {
		select {
		case <-e.inbox.ready:
			e.readAll()
		case now := <-second.C:
			e.floor.Tick(now)
			ring(e.words)
		case <-ctx.Done():
			return
		}
	}
}

func (e *Ear) readAll() {
	for _, m := range e.inbox.takeMessages() {
		var err error
		if m.payload, err = topic.Plainly(m.payload); err != nil {
			_, kind, _ := topic.Parse(m.topic)
			e.unreadable(kind, err)
			continue
		}
		if err := e.floor.Hear(m.topic, m.payload, time.Now()); err != nil {
			_, kind, _ := topic.Parse(m.topic)
			e.unreadable(kind, err)
			continue
		}
		e.heed(m)
	}
}

// heed takes from a message what must be asked for.
func (e *Ear) heed(m message) {
	table, kind, err := topic.Parse(m.topic)
	if err != nil {
		return // the floor has said so
	}
	now := time.Now()
	switch kind {
	case topic.KindStatus:
		var s topic.Status
		if json.Unmarshal(m.payload, &s) == nil {
			e.change(func() { e.asks.present(table, s.Online, s.Boot, now) })
		}
	case topic.KindHealth:
		var h topic.Health
		if json.Unmarshal(m.payload, &h) == nil && h.Journal.Head != nil {
			head := *h.Journal.Head
			if err := h.CheckJournal(); err != nil {
				e.unreadable(kind, fmt.Errorf("the journal of %s: %w", table, err))
				return
			}
			e.change(func() {
				e.asks.hasHead(table, Position{head.ID, head.Record}, now)
				if e.asks.tables[table] != nil { // and not one too many
					e.heard.health(table, &h)
					e.waits(table)
					e.heardHead(table, head)
				}
			})
		}
	}
}

// answered takes an answer, if one is expected.
func (e *Ear) answered(table topic.Table, payload []byte) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if !e.waiting.holds(table, payload) {
		return // it is asked again
	}
	if e.asks.looks(table, time.Now()) {
		e.toShow(answer{table: table, payload: payload})
		ring(e.turn)
		return
	}
	if e.asks.answers(table, time.Now()) {
		e.waiting.put(answer{table: table, payload: payload})
		e.toShow(answer{table: table, payload: payload})
		ring(e.work)
	}
}

// streamed takes records that a table says by itself. They are kept if they go on where the store ends.
func (e *Ear) streamed(table topic.Table, payload []byte) {
	var r struct {
		Journal string
		After   uint64
		Gap     *topic.Gap
		Records []json.RawMessage
	}
	err := json.Unmarshal(payload, &r)
	e.mu.Lock()
	defer e.mu.Unlock()
	defer ring(e.turn)
	if err != nil || r.Gap != nil {
		e.asks.event(table, time.Now()) // an answer says what is wrong
		return
	}
	after, last := Position{r.Journal, r.After}, Position{r.Journal, r.After + uint64(len(r.Records))}
	e.heard.stream(table, after, last, r.Records)
	e.toShow(answer{table, payload, true})
	if e.waiting.holds(table, payload) && e.asks.streams(table, after, last, time.Now()) {
		e.waiting.put(answer{table, payload, true})
		ring(e.work)
	}
}

// ask asks tables for what the store lacks.
func (e *Ear) ask(ctx context.Context) {
	wait := time.NewTimer(0)
	defer wait.Stop()
	for {
		now := time.Now()
		e.mu.Lock()
		list := e.asks.due(now)
		next := e.asks.next(now)
		for _, table := range e.asks.lost() {
			e.waits(table)
		}
		found := len(e.asks.reports) > 0
		e.mu.Unlock()
		if found {
			e.report()
		}
		for _, q := range list {
			payload := topic.AppendFetch(nil,
				topic.Fetch{Reader: e.options.Reader, Journal: q.Journal, After: q.Record})
			// Where there is no connection, all is asked again over the next one.
			_ = e.line.Say(q.table.Topic(topic.KindFetch), payload)
		}
		later := time.Hour
		if !next.IsZero() {
			later = max(0, time.Until(next))
		}
		wait.Reset(later)
		select {
		case <-wait.C:
		case <-e.turn:
		case <-ctx.Done():
			return
		}
	}
}

// Progress is how far a table's records are kept.
type Progress struct {
	Table topic.Table
	Has   Position
	// Head is the table's last record, zero while it is not known.
	Head Position
	// Asked says that the table was asked and has not answered yet, or that its answer is being kept.
	Asked bool
	// Missing is why its records cannot be had, "" while they can.
	Missing string
	// Elsewhere says that another node keeps its records: how far, the database knows, and Has does not.
	Elsewhere bool
}

// Complete says whether everything is kept that the table is known to have.
func (p Progress) Complete() bool { return p.Head != (Position{}) && p.Has == p.Head && !p.Asked }

// Behind is how many records are lacking, as far as is known.
func (p Progress) Behind() uint64 {
	switch {
	case p.Head.Journal != p.Has.Journal:
		return p.Head.Record
	case p.Head.Record > p.Has.Record:
		return p.Head.Record - p.Has.Record
	}
	return 0
}

// Progress is how far each table's records are kept.
func (e *Ear) Progress() (list []Progress) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, t := range e.asks.tables {
		list = append(list, Progress{t.table, t.has, t.head, t.stage != idle, t.missing, t.elsewhere})
	}
	return list
}
