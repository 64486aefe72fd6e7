// Package metrics says what happens at a table and on its computer in the form that Prometheus reads, and reads it.
// Each series is a row; docs/metrics.md lists them.
package metrics

import "net/http"

// Metrics are those of one table.
type Metrics struct {
	*Times
	look func() Snapshot
	// asking has a place for each who asks at the same time.
	asking chan struct{}
}

// atOnce is how many may ask at the same time; others are told to come again.
const atOnce = 4

// New returns the metrics of a table that look describes, whenever somebody asks for them.
func New(look func() Snapshot) *Metrics {
	return &Metrics{Times: newTimes(), look: look, asking: make(chan struct{}, atOnce)}
}

// Handler answers who asks for the metrics.
func (m *Metrics) Handler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		select {
		case m.asking <- struct{}{}:
			defer func() { <-m.asking }()
		default:
			http.Error(w, "too many ask for the metrics at once: come again in a moment", http.StatusServiceUnavailable)
			return
		}
		w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
		_, _ = w.Write(m.text()) // who leaves before the end has nothing to be told
	})
}

// text is all series at this moment.
func (m *Metrics) text() []byte {
	var t text
	table, own := m.look(), lookAtProgram()
	for i := range timings {
		t.family(timings[i].name, timings[i].help, "histogram")
		m.of[i].tell(&t, timings[i])
	}
	tell(&t, rows, &table)
	tell(&t, readings, &table.Facts.Computer)
	own.tellPauses(&t)
	tell(&t, programRows, &own)
	return t.written
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
		list = append(list, Series{r.name, string(r.kind), r.help, r.labels})
	}
	for _, r := range readings {
		list = append(list, Series{r.name, string(r.kind), r.help, r.labels})
	}
	return list
}
