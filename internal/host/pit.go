package host

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/internal/totals"
	"github.com/sabot-table/sabot/pit/publish"
	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/pit/transport"
	"github.com/sabot-table/sabot/table/journal"
)

// pit is the connection to the floor. It is nil for a table without a broker.
type pit struct {
	publisher *publish.Publisher
	commands  *commands
	jackpot   *meterEar
	state     *pitState
	heard     *heardKeeper
	totals    *totals.Counter
	log       *slog.Logger
}

func (d *Daemon) openPit() (*pit, error) {
	c := d.config.MQTT
	if c.Broker == "" {
		d.log.Warn("no MQTT broker is configured: the pit hears nothing of this table until mqtt.broker is set")
		return nil, nil
	}
	name, err := topic.NewTable(d.config.Site, d.config.Table)
	if err != nil {
		return nil, err
	}
	password, err := d.brokerPassword()
	if err != nil {
		return nil, err
	}
	state := newPitState(d.kept.journal)
	heard := newHeardKeeper(d.config.Journal.Path, d.log)
	taken, err := d.openCommands(name)
	if err != nil {
		return nil, err
	}
	meter, err := d.openJackpot(name)
	if err != nil {
		return nil, err
	}
	announce, announced, err := d.openHome(name)
	if err != nil {
		return nil, err
	}
	counter := totals.New(d.kept.journal, d.kept.recorded, time.Duration(d.config.Journal.DayBegins),
		d.given.outside.now(), d.log)
	with := publish.Config{
		Table: name, Boot: d.Boot(), Version: d.program.version,
		Config: transport.Config{
			Broker: c.Broker, Username: c.Username, Password: password, ClientID: c.ClientID, CAFile: c.CAFile,
			Dial: d.given.outside.Broker,
		},
		Window: c.Window, CardHeard: d.program.metrics.Pit,
		Connected: d.pitConnected, Denied: d.pitDenied, Heard: heard.hear, Prove: d.prove,
		Remembered: d.remembered, Fetch: d.fetch, Totals: counter,
		Announce: announce, Announced: announced, Log: d.log,
	}
	if taken != nil {
		with.Command = taken.heard
	}
	if meter != nil {
		with.Jackpot = meter.hears
	}
	d.given.haste.hurry(&with)
	publisher, err := publish.New(with, source{d.kept.journal, state}, state, d.condition)
	if err != nil {
		return nil, fmt.Errorf("the connection to the pit: %w", err)
	}
	d.pitConnected(false)
	if taken != nil {
		taken.resend, taken.answer = publisher.Resend, publisher.Answer
	}
	return &pit{
		publisher: publisher, commands: taken, jackpot: meter, state: state, heard: heard, totals: counter, log: d.log,
	}, nil
}

// brokerPassword reads the broker's password, and notes whom it is for.
func (d *Daemon) brokerPassword() (string, error) {
	password, err := d.config.MQTT.Password()
	if err != nil {
		return "", err
	}
	unusable, err := d.config.NoteSecrets()
	if unusable != nil {
		d.log.Error("A FILE OF THE TABLE IS NOT WHAT IT WROTE: it was put aside, and the table goes on without it",
			"err", unusable, "then", "the broker's password is told to the broker that the configuration names")
	}
	if err != nil {
		d.log.Warn("whom the broker's password is for could not be noted: the next configuration may name another "+
			"broker for it unnoticed", "err", err)
	}
	return password, nil
}

// takes is how the table does with commands, nil where it takes none.
func (p *pit) takes() *topic.Commands {
	if p == nil {
		return nil
	}
	return p.commands.health()
}

// runCommands carries out what the pit tells the table to do, until ctx ends.
func (p *pit) runCommands(ctx context.Context) {
	if p != nil {
		p.commands.run(ctx)
	}
}

// runJackpot hears what is in the jackpot that the table plays for with others, until ctx ends.
func (p *pit) runJackpot(ctx context.Context) {
	if p != nil {
		p.jackpot.run(ctx)
	}
}

// pitConnected shows the dealer whether the pit is connected.
func (d *Daemon) pitConnected(up bool) {
	d.shows.screen.change(func() {
		d.shows.screen.pitUp = up
		d.shows.screen.showPit()
	})
}

// pitDenied shows the dealer whether the broker denies topics; the log and the pit's health
// name them.
func (d *Daemon) pitDenied(topics []string) {
	d.shows.screen.change(func() {
		d.shows.screen.pitDenied = len(topics) > 0
		d.shows.screen.showPit()
	})
}

// run publishes until ctx ends, and a little longer for what is still to be sent. Nothing
// that goes wrong with the pit stops the table.
func (p *pit) run(ctx context.Context) {
	if p == nil {
		return
	}
	var keeping sync.WaitGroup
	keeping.Go(p.heard.run)
	counting, stop := context.WithCancel(ctx)
	defer stop()
	counted := make(chan struct{})
	keeping.Go(func() {
		defer close(counted)
		p.totals.Run(counting)
	})
	err := p.publisher.Run(ending(ctx, counted))
	stop()
	close(p.heard.heads)
	keeping.Wait()
	if _, left := errors.AsType[*publish.UnacknowledgedError](err); left {
		p.log.Warn("the pit was not told everything: the rest is sent after the next start", "err", err)
	} else if err != nil {
		p.log.Error("the pit is told nothing: the table continues, but put this right and start the daemon again",
			"err", err)
	}
}

// ending is a context that ends after another one, once all is counted.
func ending(ctx context.Context, counted <-chan struct{}) context.Context {
	later, stop := context.WithCancel(context.WithoutCancel(ctx))
	context.AfterFunc(ctx, func() {
		<-counted
		stop()
	})
	return later
}

// fetch reads what a reader fetches from the journal.
func (d *Daemon) fetch(f topic.Fetch) (topic.Records, error) {
	return publish.Fetched(d.kept.journal, f)
}

// RetryPit has the topics that the broker denies tried again at once.
func (d *Daemon) RetryPit() {
	if d.pit != nil {
		d.pit.publisher.Retry()
	}
}

// changed passes on a view whose events are all durable, and what keeps the table from
// recording more.
func (p *pit) changed(v display.View, trouble *topic.Trouble) {
	if p != nil {
		p.state.show(v, trouble)
	}
}

// troubled passes on what keeps the table from recording.
func (p *pit) troubled(trouble *topic.Trouble) {
	if p != nil {
		p.state.fail(trouble)
	}
}

// condition is what the publisher itself cannot know about the table's health.
func (d *Daemon) condition() publish.Condition {
	up, why := d.shoe.link.look()
	c := publish.Condition{
		Shoe: d.shoeHealth(), Opening: d.opening(), Computer: d.program.computer.told(),
		Commands: d.pit.takes(),
	}
	for _, reason := range d.Health().Reasons {
		c.Reasons = append(c.Reasons, string(reason.Code))
	}
	_, c.LastError = d.kept.storage.look()
	if fault := d.panel.lines.look(); fault != nil && (c.LastError == nil || fault.Time.After(c.LastError.Time)) {
		c.LastError = fault
	}
	if _, fault := d.shows.away.look(); fault != nil && (c.LastError == nil || fault.Time.After(c.LastError.Time)) {
		c.LastError = fault
	}
	if !up && why.err != nil && (c.LastError == nil || why.at.After(c.LastError.Time)) {
		c.LastError = &topic.Fault{Time: why.at, Text: why.err.Error()}
	}
	seq, hash, err := d.kept.journal.Head()
	if err != nil {
		c.LastError = &topic.Fault{Time: time.Now(), Text: err.Error()}
		return c
	}
	c.Away, c.AwayBefore = d.kept.putAway.now.Load(), d.kept.putAway.before
	c.Head = &topic.Head{ID: d.kept.journal.ID(), Record: seq, Hash: hex.EncodeToString(hash[:])}
	return c
}

// opening is whether the table is open, who deals and the limits, nil before it is set up.
func (d *Daemon) opening() *topic.Opening {
	v, _ := d.Board.Look()
	if v.Currency == "" {
		return nil
	}
	return &topic.Opening{
		Open: !v.Opening.Closed, By: v.Opening.By, Dealer: v.Shift.Dealer,
		Currency: v.Currency, Min: uint64(v.Min), BoxMax: uint64(v.BoxMax),
	}
}

// shoeHealth is which shoe deals, by the record, and how it does.
func (d *Daemon) shoeHealth() topic.Shoe {
	up, last := d.shoe.link.look()
	view, _ := d.Board.Look()
	now, is := d.shoe.driver.Condition(), view.Shoe
	s := topic.Shoe{
		Up: up, Counters: d.shoe.driver.Counters(), Port: d.config.Shoe.Port,
		Maker: is.Maker, Serial: is.Serial, Firmware: is.Firmware, Packs: is.Packs, LoadedBy: is.LoadedBy,
		Queued: now.Queued,
	}
	if c := now.Confidence; c != nil {
		s.Confidence = &topic.Confidence{Cards: c.Cards, Min: c.Min, Mean: c.Mean, Low: c.Low}
	}
	if last.err != nil {
		s.LastDown = &topic.Fault{Time: last.since, Text: last.err.Error()}
	}
	return s
}

// source is the journal as the publisher reads it. Nothing in it waits for a write to the
// journal: the pit must hear of a write that hangs.
type source struct {
	*journal.Journal
	state *pitState
}

// Events returns the events after the numbered one, in order.
func (o source) Events(after uint64, limit int) ([]topic.Record, error) {
	events, err := o.Journal.Events(after, limit)
	return publish.Records(events), err
}

// Last returns the number and time of the newest event that the runner has reported.
func (o source) Last() (uint64, time.Time, error) {
	last := o.state.lastEvent()
	if last == 0 {
		return 0, time.Time{}, nil
	}
	events, err := o.Journal.Events(last-1, 1)
	if err != nil || len(events) == 0 {
		return last, time.Time{}, err
	}
	return last, time.Unix(0, events[0].At), nil
}

// pitState is the newest durable view, encoded as JSON only when it is needed, and what
// keeps the table from recording more.
type pitState struct {
	journal *journal.Journal

	mu      sync.Mutex
	view    display.View
	last    uint64 // the last event that view contains
	at      time.Time
	trouble *topic.Trouble
	changed chan struct{}
}

func newPitState(j *journal.Journal) *pitState {
	_, next := j.Next()
	return &pitState{journal: j, last: next - 1, changed: make(chan struct{})}
}

func (s *pitState) show(v display.View, trouble *topic.Trouble) {
	_, next := s.journal.Next()
	s.change(func() { s.view, s.last, s.at, s.trouble = v, next-1, time.Now(), trouble })
}

// fail leaves the view as it is: what the table has taken since is not durable.
func (s *pitState) fail(trouble *topic.Trouble) { s.change(func() { s.trouble = trouble }) }

func (s *pitState) change(what func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	what()
	close(s.changed)
	s.changed = make(chan struct{})
}

func (s *pitState) lastEvent() uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.last
}

// Trouble returns what keeps the table from recording; nil is nothing.
func (s *pitState) Trouble() *topic.Trouble {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.trouble
}

// Latest returns the newest view; false while there is none.
func (s *pitState) Latest() (topic.Snapshot, bool) {
	s.mu.Lock()
	view, last, at, trouble := s.view, s.last, s.at, s.trouble
	s.mu.Unlock()
	if at.IsZero() {
		return topic.Snapshot{}, false
	}
	if trouble != nil {
		view = withTrouble(view, trouble)
		if trouble.Since.After(at) {
			at = trouble.Since
		}
	}
	text, err := json.Marshal(view)
	if err != nil {
		panic(err) // a View is plain data and always encodes
	}
	return topic.Snapshot{Sequence: last, Time: at, View: text, Alerts: alertsOf(view)}, true
}

// alertsOf writes a view's alerts one by one.
func alertsOf(v display.View) map[string][]byte {
	list := map[string][]byte{}
	for _, a := range v.Alerts {
		text, err := json.Marshal(a)
		if err != nil {
			panic(err) // an Alert is plain data and always encodes
		}
		list[a.Code.String()] = text
	}
	return list
}

// Changed returns a channel that is closed when there is a newer view.
func (s *pitState) Changed() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.changed
}
