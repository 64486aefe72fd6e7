package totals

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/recall"
)

const (
	// readEvery is how often new records are read, at most: a round takes many of them.
	readEvery = time.Second
	// lastLook is how long the last look may take.
	lastLook = time.Second
	// retryAfter is the pause after a fault of the journal.
	retryAfter = time.Minute
)

// Counter keeps a table's totals up to date.
type Counter struct {
	journal *journal.Journal
	rules   *recall.Recall
	begins  time.Duration
	now     func() time.Time
	log     *slog.Logger

	mu      sync.Mutex
	latest  topic.Totals
	known   bool
	changed chan struct{}
}

// New makes a counter of a journal. begins is when a gaming day begins, after midnight by the
// clock of the host.
func New(j *journal.Journal, rules *recall.Recall, begins time.Duration, now func() time.Time,
	log *slog.Logger,
) *Counter {
	return &Counter{journal: j, rules: rules, begins: begins, now: now, log: log, changed: make(chan struct{})}
}

// Latest returns the totals, without site, table and boot; false before they are counted.
func (c *Counter) Latest() (topic.Totals, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.latest, c.known
}

// Changed returns a channel that is closed when there are newer totals than at the call.
func (c *Counter) Changed() <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.changed
}

// Run counts until ctx ends, and then what the journal got since the last look. Nothing that goes
// wrong stops the table: it is logged, and tried again.
func (c *Counter) Run(ctx context.Context) {
	var counting *Count
	defer func() {
		if counting != nil {
			last, stop := context.WithTimeout(context.WithoutCancel(ctx), lastLook)
			defer stop()
			_, _ = c.catchUp(last, counting) // what fails is counted at the next start
		}
	}()
	failed := false
	for {
		appended := c.journal.Changed()
		next, err := c.catchUp(ctx, counting)
		if ctx.Err() != nil {
			counting = next
			return
		}
		counting = next
		pause := readEvery
		if err != nil {
			if !failed {
				c.log.Error("the table's totals cannot be counted for the pit; run sabot journal verify", "err", err)
			}
			counting, pause, appended = nil, retryAfter, nil
		}
		failed = err != nil
		if !c.wait(ctx, appended, pause, err != nil) {
			return
		}
	}
}

// catchUp counts what the journal has: without a count, or with one of another gaming day, from
// the beginning of the day.
func (c *Counter) catchUp(ctx context.Context, counting *Count) (*Count, error) {
	if start := DayOf(c.now(), c.begins); counting == nil || !counting.start.Equal(start) {
		var err error
		if counting, err = Begin(c.journal.Reader, c.rules, start); err != nil {
			return nil, err
		}
	}
	for rec, err := range c.journal.Records(counting.record + 1) {
		if err == nil {
			err = counting.Record(&rec)
		}
		if err != nil {
			return nil, err
		}
		if ctx.Err() != nil {
			break
		}
	}
	if news, changed := counting.News(); changed {
		c.show(news)
	}
	return counting, nil
}

func (c *Counter) show(t topic.Totals) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.latest, c.known = t, true
	close(c.changed)
	c.changed = make(chan struct{})
}

// wait waits until there is more to count: the journal has grown, or the gaming day is over. It
// is false once ctx has ended.
func (c *Counter) wait(ctx context.Context, appended <-chan struct{}, pause time.Duration, failed bool) bool {
	rest := time.NewTimer(pause)
	defer rest.Stop()
	select {
	case <-rest.C:
	case <-ctx.Done():
		return false
	}
	if failed {
		return true
	}
	now := c.now()
	tomorrow := DayOf(DayOf(now, c.begins).Add(36*time.Hour), c.begins)
	over := time.NewTimer(tomorrow.Sub(now))
	defer over.Stop()
	select {
	case <-appended:
	case <-over.C:
	case <-ctx.Done():
		return false
	}
	return true
}
