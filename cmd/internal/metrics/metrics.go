// Package metrics says what happens at a table and on its computer in the form that Prometheus reads. Each series is a row;
// docs/metrics.md lists them.
package metrics

import (
	"net/http"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// Metrics are those of one table.
type Metrics struct {
	*Times
	registry *prometheus.Registry
	look     func() Snapshot
	rows     []described
}

type described struct {
	row
	desc *prometheus.Desc
}

// New returns the metrics of a table that look describes, whenever somebody asks for them.
func New(look func() Snapshot) *Metrics {
	m := &Metrics{registry: prometheus.NewRegistry(), look: look}
	for _, r := range rows {
		m.rows = append(m.rows, described{r, prometheus.NewDesc(r.name, r.help+".", r.labels, nil)})
	}
	m.Times = newTimes(m.registry)
	m.registry.MustRegister(m, collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// atOnce is how many may ask at the same time; others are told to come again.
const atOnce = 4

// Handler answers who asks for the metrics.
func (m *Metrics) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{MaxRequestsInFlight: atOnce, ErrorHandling: promhttp.ContinueOnError})
}

// Describe lists the series for the registry.
func (m *Metrics) Describe(to chan<- *prometheus.Desc) {
	for _, r := range m.rows {
		to <- r.desc
	}
}

// Collect reads the series.
func (m *Metrics) Collect(to chan<- prometheus.Metric) {
	now := m.look()
	for _, r := range m.rows {
		r.read(&now, func(value float64, labels ...string) {
			to <- prometheus.MustNewConstMetric(r.desc, r.kind, value, labels...)
		})
	}
}

// Series is one metric, as docs/metrics.md lists it.
type Series struct {
	Name, Type, Meaning string
	Labels              []string
}

// All lists the metrics of a table, without those of Go and of the process.
func All() (list []Series) {
	for _, t := range timings {
		list = append(list, Series{Name: t.name, Type: "histogram", Meaning: t.help})
	}
	for _, r := range rows {
		kind := "gauge"
		if r.kind == counter {
			kind = "counter"
		}
		list = append(list, Series{r.name, kind, r.help, r.labels})
	}
	return list
}
