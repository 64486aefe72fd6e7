package metrics

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// Times measures how long things take. Its methods may be called from any goroutine; they allocate nothing. A nil Times
// measures nothing.
type Times struct{ view, durable, pit, sync prometheus.Histogram }

// timing is one thing that is measured.
type timing struct {
	name, help string
	buckets    []float64
	in         func(*Times) *prometheus.Histogram
}

var (
	// fast are times within the table, slow those with a network in between.
	fast = []float64{.0001, .00025, .0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 10}
	slow = []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 60, 600, 3600}
)

// timings are all times, in the order of docs/metrics.md.
var timings = []timing{
	{"sabot_card_view_seconds", "From a card's arrival at the computer until the screens are given a view with it", fast, func(t *Times) *prometheus.Histogram { return &t.view }},
	{"sabot_card_durable_seconds", "From a card's arrival until it is on the disk, and its shoe may forget it", fast, func(t *Times) *prometheus.Histogram { return &t.durable }},
	{"sabot_card_pit_seconds", "From when the table took a card until the pit's broker has acknowledged it; while the broker is away, that long", slow, func(t *Times) *prometheus.Histogram { return &t.pit }},
	{"sabot_journal_sync_seconds", "How long the disk took to make a write to the journal durable", fast, func(t *Times) *prometheus.Histogram { return &t.sync }},
}

func newTimes(on *prometheus.Registry) *Times {
	t := &Times{}
	for _, one := range timings {
		h := prometheus.NewHistogram(prometheus.HistogramOpts{Name: one.name, Help: one.help + ".", Buckets: one.buckets})
		on.MustRegister(h)
		*one.in(t) = h
	}
	return t
}

// View measures from a card's arrival until it is in a view.
func (t *Times) View(took time.Duration) {
	t.observe(func(t *Times) prometheus.Histogram { return t.view }, took)
}

// Durable measures from a card's arrival until it is on the disk.
func (t *Times) Durable(took time.Duration) {
	t.observe(func(t *Times) prometheus.Histogram { return t.durable }, took)
}

// Pit measures until the broker has acknowledged a card.
func (t *Times) Pit(took time.Duration) {
	t.observe(func(t *Times) prometheus.Histogram { return t.pit }, took)
}

// Sync measures a wait for the disk.
func (t *Times) Sync(took time.Duration) {
	t.observe(func(t *Times) prometheus.Histogram { return t.sync }, took)
}

func (t *Times) observe(which func(*Times) prometheus.Histogram, took time.Duration) {
	if t != nil {
		which(t).Observe(max(took, 0).Seconds()) // a clock that was put back measures nothing below
	}
}
