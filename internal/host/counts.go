package host

import (
	"bytes"
	"context"
	"log/slog"
	"maps"
	"sync"
	"time"

	"github.com/sabot-table/sabot/internal/ops/metrics"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/vocab"
)

const (
	// countEvery is how often new events are counted, at most.
	countEvery = time.Second
	// countAtOnce is how many events are read at once.
	countAtOnce = 256
)

// counter counts what has happened since the daemon started. It reads the journal, beside the table: nobody waits for
// it.
type counter struct {
	journal *journal.Journal
	log     *slog.Logger
	after   uint64 // the last event that is counted; only run uses it
	// again says that the round under way was counted when it was finished first, before its payment was taken back.
	again bool

	mu  sync.Mutex
	now metrics.Counts
}

// newCounter counts the events that the journal does not have yet.
func newCounter(j *journal.Journal, log *slog.Logger) *counter {
	_, next := j.Next()
	c := &counter{journal: j, log: log, after: next - 1, now: metrics.Counts{
		Irregularities: map[string]uint64{}, TrayCounts: map[string]uint64{}, Slips: map[string]uint64{},
	}}
	for event := range vocab.EveryCountEvent {
		c.now.TrayCounts[event.String()] = 0
	}
	for step := range vocab.EverySlipStep {
		c.now.Slips[step.String()] = 0
	}
	for code := range irregularity.EveryCode {
		c.now.Irregularities[code.String()] = 0
	}
	return c
}

// run counts until ctx ends. What cannot be read is said once, and tried again.
func (c *counter) run(ctx context.Context) {
	failed := false
	for {
		appended := c.journal.Changed()
		err := c.catchUp()
		if err != nil && !failed && ctx.Err() == nil {
			c.log.Error("the table's events cannot be counted for its metrics; run sabot journal verify", "err", err)
		}
		if failed = err != nil; failed {
			appended = nil
		}
		pause := time.NewTimer(countEvery)
		select {
		case <-ctx.Done():
		case <-pause.C:
		}
		pause.Stop()
		if ctx.Err() != nil {
			return
		}
		if appended == nil {
			continue
		}
		select {
		case <-ctx.Done():
			return
		case <-appended:
		}
	}
}

// catchUp counts what the journal has.
func (c *counter) catchUp() error {
	for {
		events, err := c.journal.Events(c.after, countAtOnce)
		if err != nil || len(events) == 0 {
			return err
		}
		c.add(events)
		c.after = events[len(events)-1].Number
	}
}

// beginning is how a line of an output begins.
func beginning(of vocab.Kind, then string) []byte {
	return []byte(`{"out":"` + of.String() + `"` + then)
}

var (
	beginDealt     = beginning(vocab.Dealt, "")
	beginFinished  = beginning(vocab.Finished, "")
	beginUndone    = beginning(vocab.Undone, "")
	beginIrregular = beginning(vocab.Irregular, `,"code":"`)
	beginCounted   = beginning(vocab.Counted, `,"event":"`)
	beginFill      = beginning(vocab.TrayMoved, `,"in":"fill","event":"`)
	beginCredit    = beginning(vocab.TrayMoved, `,"in":"credit","event":"`)

	ofRound    = []byte(`,"round":`)
	difference = []byte(`,"difference":`)
	agrees     = []byte(`,"difference":0,`)
)

// countNamed counts a line that begins so, by the name that follows, as far as that is known.
func countNamed(counted map[string]uint64, line, begin []byte) bool {
	rest, is := bytes.CutPrefix(line, begin)
	if is {
		name, _, _ := bytes.Cut(rest, []byte(`"`))
		if n, known := counted[string(name)]; known {
			counted[string(name)] = n + 1
		}
	}
	return is
}

func (c *counter) add(events []journal.Event) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i := range events {
		line := events[i].Line
		if bytes.HasPrefix(line, beginCounted) && bytes.Contains(line, difference) && !bytes.Contains(line, agrees) {
			c.now.Differ++
		}
		switch {
		case countNamed(c.now.Irregularities, line, beginIrregular), countNamed(c.now.TrayCounts, line, beginCounted),
			countNamed(c.now.Slips, line, beginFill), countNamed(c.now.Slips, line, beginCredit):
		case bytes.HasPrefix(line, beginDealt):
			c.now.Cards++
		case bytes.HasPrefix(line, beginUndone) && bytes.Contains(line, ofRound):
			c.again = true
		case bytes.HasPrefix(line, beginFinished):
			if !c.again {
				c.now.Rounds++
			}
			c.again = false
		}
	}
}

// told is what was counted so far.
func (c *counter) told() metrics.Counts {
	c.mu.Lock()
	defer c.mu.Unlock()
	told := c.now
	told.Irregularities, told.TrayCounts = maps.Clone(told.Irregularities), maps.Clone(told.TrayCounts)
	told.Slips = maps.Clone(told.Slips)
	return told
}
