package publish

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/pit/transport"
)

// Publisher sends one table's journal to the pit's broker. Run does the work; Stats may be
// called at any time. What it knows of one connection is a session's; here is what outlasts it, one field a duty.
type Publisher struct {
	config    Config
	dialer    dialer
	journal   Journal
	state     State
	condition func() Condition
	topics    struct{ status, state, event, health, totals, alerts, answers, stream string }
	ears      []*ear
	started   time.Time

	// The following fields belong to Run's goroutine.
	reach   reach
	cursor  cursor
	began   uint64 // what the cursor was when the publisher began
	access  access
	repeats repeats
	fetches fetches
	head    head
	fault   journalFault

	replies replies

	retry chan struct{} // holds one: the denied topics should be tried

	mu    sync.Mutex
	stats Stats
}

// reach is how the broker is reached.
type reach struct {
	outage transport.Outage
	tries  uint64 // attempts to connect so far
	will   bool   // connect with a last will
	fresh  bool   // the broker may be another since the last connection, or its access list
}

// head is what the broker has of the journal's.
type head struct {
	heard  Heard // the last that it has acknowledged
	forgot bool  // it was logged that the broker does not say what it remembers
}

// journalFault is the journal's last fault in the log.
type journalFault struct {
	text string
	at   time.Time
}

// replies are what others than the broker wait for.
type replies struct {
	waiting  chan answerTo // to be sent
	underWay *answerTo     // taken up, and not acknowledged; Run's goroutine alone knows it
	resends  chan []byte   // requests for events that came as commands
}

// Stats is the state of a Publisher at one moment.
type Stats struct {
	// Connected says whether the broker has accepted the table's connection.
	Connected bool
	// Acknowledged is the last event up to which the broker has acknowledged everything.
	Acknowledged uint64
	// Lag is how many events the journal has beyond that.
	Lag uint64
	// Reconnects counts the connections after the first.
	Reconnects uint64
	// LastError is the last thing that went wrong, "" if nothing has.
	LastError   string
	LastErrorAt time.Time
	// Denied are the topics that the broker does not let the table publish on, or request
	// on; they are left out.
	Denied []string

	connections uint64
}

// New makes a publisher for the table that config names. condition is called for every
// health message. An error names the setting that is wrong.
func New(config Config, journal Journal, state State, condition func() Condition) (*Publisher, error) {
	if journal == nil || state == nil || condition == nil {
		return nil, errors.New("the MQTT publisher needs a journal, a state and a condition")
	}
	dialer, err := newDialer(&config)
	if err != nil {
		return nil, err
	}
	p := &Publisher{
		config: config, dialer: dialer, journal: journal, state: state, condition: condition, started: time.Now(),
		reach: reach{will: true, outage: transport.Outage{
			Log: config.Log, Up: "MQTT connection to the pit",
			Lost:  "no MQTT connection to the pit; the table continues, and events wait in the journal",
			Still: "still no MQTT connection to the pit", Back: "the MQTT connection to the pit is back",
		}},
		access: newAccess(config.RetryAfter), repeats: repeats{log: config.Log},
		fetches: fetches{log: config.Log}, retry: make(chan struct{}, 1),
		replies: replies{waiting: make(chan answerTo, mostAnswers), resends: make(chan []byte, mostSpans)},
	}
	p.cursor = cursor{journal: journal, failed: p.journalFailed}
	p.topics.status, p.topics.state = config.Table.Topic(topic.KindStatus), config.Table.Topic(topic.KindState)
	p.topics.event, p.topics.health = config.Table.Topic(topic.KindEvent), config.Table.Topic(topic.KindHealth)
	p.topics.totals, p.topics.alerts = config.Table.Topic(topic.KindTotals), config.Table.Alert(topic.Any)
	p.topics.answers, p.topics.stream = config.Table.Answer(topic.Any), config.Table.Records(topic.Stream)
	p.ears = p.newEars()
	return p, nil
}

// Run publishes until the context ends. It then continues, for at most the FlushTimeout,
// until the broker has all events that were in the journal at that moment, and says
// goodbye. An *UnacknowledgedError says how many events the broker has not acknowledged;
// they stay in the journal and are sent when the next publisher runs. Any other error means
// that the journal's cursor cannot be used, and nothing was sent.
//
// A Publisher runs once.
func (p *Publisher) Run(ctx context.Context) error {
	if err := p.loadCursor(); err != nil {
		return err
	}
	for {
		err := p.serve(ctx)
		if ctx.Err() != nil {
			return p.ended(err)
		}
		if p.dialer.Return(err) {
			p.config.Log.Info("an earlier MQTT broker of the list answers again: the table goes back to it",
				"broker", p.dialer.Broker())
			continue
		}
		p.reach.outage.Failed(time.Now(), p.dialer.Broker(), p.dialer.explain(err), "waiting", p.lag())
		p.note(p.dialer.explain(err))
		p.dialer.Failed(err)
		if !p.dialer.Wait(ctx) {
			return p.ended(err)
		}
	}
}

// Stats returns the publisher's current state.
func (p *Publisher) Stats() Stats {
	p.mu.Lock()
	stats := p.stats
	p.mu.Unlock()
	last, _, err := p.journal.Last()
	if err != nil {
		stats.LastError, stats.LastErrorAt = fmt.Sprintf("read the journal's last event: %v", err), time.Now()
	}
	if last > stats.Acknowledged {
		stats.Lag = last - stats.Acknowledged
	}
	return stats
}

// serve handles one connection, from dialling to its end.
func (p *Publisher) serve(ctx context.Context) error {
	p.reach.tries++
	now := time.Now()
	link, err := p.dialer.connect(ctx, p.lastWill(now))
	if ctx.Err() != nil && err != nil {
		return ctx.Err()
	}
	p.judgeWill(err, now)
	if err != nil {
		p.reach.fresh = true
		return err
	}
	p.connected(true)
	defer p.connected(false)
	defer func() { p.reach.will = true }()
	defer func() { p.cursor.keep(p.acknowledged()) }()
	err = newSession(p, link, now).run(ctx)
	if _, back := errors.AsType[transport.Earlier](err); err == nil || back {
		link.part()
		return err
	}
	link.drop()
	return err
}

// Retry has the topics that the broker denies tried again at once: its access list may have
// been corrected. It may be called at any time.
func (p *Publisher) Retry() {
	select {
	case p.retry <- struct{}{}:
	default:
	}
}

// ended is the error of Run at its end.
func (p *Publisher) ended(cause error) error {
	if waiting := p.lag(); waiting > 0 {
		return &UnacknowledgedError{Events: waiting}
	}
	interrupted := errors.Is(cause, context.Canceled) || errors.Is(cause, context.DeadlineExceeded)
	if cause != nil && !p.reach.outage.Lasts() && !interrupted {
		return fmt.Errorf("the MQTT broker has all events, but the goodbye failed: %w", cause)
	}
	return nil
}

// loadCursor reads where to start publishing.
func (p *Publisher) loadCursor() error {
	cursor, err := p.journal.Cursor(CursorName)
	if err != nil {
		return fmt.Errorf("read the cursor %q in the journal: %w", CursorName, err)
	}
	last, _, err := p.journal.Last()
	if err != nil {
		return fmt.Errorf("read the journal's last event: %w", err)
	}
	if cursor > last {
		return fmt.Errorf("the cursor %q in the journal is at event %d, but the journal ends with %d: "+
			"events were lost from it; verify the journal, then set the cursor to an event that it has", CursorName,
			cursor, last)
	}
	p.cursor.noted, p.cursor.durable, p.cursor.tried, p.began = cursor, cursor, cursor, cursor
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stats.Acknowledged = cursor
	return nil
}

// journalFailed notes a fault of the journal, and logs it unless it has just been logged.
func (p *Publisher) journalFailed(err error) {
	p.note(err)
	now := time.Now()
	if err.Error() != p.fault.text || now.Sub(p.fault.at) >= transport.SummaryEvery {
		p.config.Log.Error("the MQTT publisher has trouble with the journal, and tries again", "error", err)
		p.fault.text, p.fault.at = err.Error(), now
	}
}

// lag is how many events the broker has not acknowledged.
func (p *Publisher) lag() uint64 {
	last, _, err := p.journal.Last()
	if err != nil {
		p.journalFailed(fmt.Errorf("read the journal's last event: %w", err))
	}
	if acknowledged := p.acknowledged(); last > acknowledged {
		return last - acknowledged
	}
	return 0
}

func (p *Publisher) acknowledged() uint64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.stats.Acknowledged
}

func (p *Publisher) setAcknowledged(event uint64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stats.Acknowledged = event
}

func (p *Publisher) connected(up bool) {
	p.mu.Lock()
	p.stats.Connected = up
	if up {
		p.stats.Reconnects = p.stats.connections
		p.stats.connections++
	}
	p.mu.Unlock()
	if p.config.Connected != nil {
		p.config.Connected(up)
	}
}

// note keeps an error for Stats.
func (p *Publisher) note(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stats.LastError, p.stats.LastErrorAt = err.Error(), time.Now()
}
