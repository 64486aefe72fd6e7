package metrics

import (
	"slices"
	"sync/atomic"
	"time"
)

// Times measures how long things take. Its methods may be called from any goroutine; they allocate nothing. A nil Times
// measures nothing.
type Times struct{ of []histogram }

// timing is one thing that is measured.
type timing struct {
	name, help string
	// bounds are those of the buckets, in seconds, rising.
	bounds []float64
}

var (
	// fast are times within the table, slow those with a network in between.
	fast = []float64{.0001, .00025, .0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 10}
	slow = []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 60, 600, 3600}
)

// The places of the timings in their list.
const (
	viewed = iota
	durable
	heard
	synced
)

// timings are all times, in the order of docs/metrics.md.
var timings = []timing{
	viewed: {
		"sabot_card_view_seconds", "From a card's arrival at the computer until the screens are given a view with it",
		fast,
	},
	durable: {
		"sabot_card_durable_seconds", "From a card's arrival until it is on the disk, and its shoe may forget it", fast,
	},
	heard: {
		"sabot_card_pit_seconds",
		"From when the table took a card until the pit's broker has acknowledged it; while the broker is away, " +
			"that long", slow,
	},
	synced: {"sabot_journal_sync_seconds", "How long the disk took to make a write to the journal durable", fast},
}

// histogram counts what took how long.
type histogram struct {
	bounds []float64
	// counts are those of the buckets, of which the last has what took longer than all bounds.
	counts []atomic.Uint64
	// took is the sum, in nanoseconds.
	took atomic.Int64
}

func newTimes() *Times {
	t := &Times{make([]histogram, len(timings))}
	for i := range t.of {
		bounds := timings[i].bounds
		t.of[i].bounds, t.of[i].counts = bounds, make([]atomic.Uint64, len(bounds)+1)
	}
	return t
}

// View measures from a card's arrival until it is in a view.
func (t *Times) View(took time.Duration) { t.observe(viewed, took) }

// Durable measures from a card's arrival until it is on the disk.
func (t *Times) Durable(took time.Duration) { t.observe(durable, took) }

// Pit measures until the broker has acknowledged a card.
func (t *Times) Pit(took time.Duration) { t.observe(heard, took) }

// Sync measures a wait for the disk.
func (t *Times) Sync(took time.Duration) { t.observe(synced, took) }

func (t *Times) observe(which int, took time.Duration) {
	if t == nil {
		return
	}
	h := &t.of[which]
	took = max(took, 0) // a clock that was put back measures nothing below
	bucket, _ := slices.BinarySearch(h.bounds, took.Seconds())
	h.counts[bucket].Add(1)
	h.took.Add(int64(took))
}

// bucketLabel is the label with the bound of a bucket.
var bucketLabel = []string{"le"}

// tell writes what was counted: each bucket has what those before it have, too.
func (h *histogram) tell(t *text, of timing) {
	took, all := time.Duration(h.took.Load()), uint64(0)
	for i := range h.counts {
		all += h.counts[i].Load()
		bound := "+Inf"
		if i < len(h.bounds) {
			bound = number(h.bounds[i])
		}
		t.sample(of.name+"_bucket", bucketLabel, []string{bound}, float64(all))
	}
	t.sample(of.name+"_sum", nil, nil, took.Seconds())
	t.sample(of.name+"_count", nil, nil, float64(all))
}
