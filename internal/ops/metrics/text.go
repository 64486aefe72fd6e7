package metrics

import (
	"strconv"
	"strings"

	"github.com/sabot-table/sabot/internal/ops/health"
)

// text is what Prometheus reads, in version 0.0.4 of its format:
// https://prometheus.io/docs/instrumenting/exposition_formats.
type text struct{ written []byte }

// kind is what can be done with the values of a metric.
type kind string

const (
	gauge   kind = "gauge"
	counter kind = "counter"
)

// emit tells one value, with the values of the row's labels.
type emit = health.Emit

// row is one metric that is read from something when it is asked for.
type row[From any] struct {
	name   string
	kind   kind
	labels []string
	// help is the meaning, for people, with the unit; without a full stop.
	help string
	read func(*From, emit)
}

// tell writes rows. One of whose values nothing is known is left out.
func tell[From any](t *text, rows []row[From], from *From) {
	for _, r := range rows {
		begun := false
		r.read(from, func(value float64, values ...string) {
			if !begun {
				t.family(r.name, r.help, r.kind)
				begun = true
			}
			t.sample(r.name, r.labels, values, value)
		})
	}
}

var (
	escapedHelp  = strings.NewReplacer(`\`, `\\`, "\n", `\n`)
	escapedLabel = strings.NewReplacer(`\`, `\\`, "\n", `\n`, `"`, `\"`)
)

// family begins a metric.
func (t *text) family(name, help string, k kind) {
	t.add("# HELP ", name, " ", escapedHelp.Replace(help), ".\n# TYPE ", name, " ", string(k), "\n")
}

// sample writes one value of a metric. Labels come in the order of their names.
func (t *text) sample(name string, labels, values []string, value float64) {
	t.add(name)
	for i, label := range labels {
		t.add([]string{"{", ","}[min(i, 1)], label, `="`, escapedLabel.Replace(values[i]), `"`)
	}
	if len(labels) > 0 {
		t.add("}")
	}
	t.add(" ", number(value), "\n")
}

func (t *text) add(parts ...string) {
	for _, part := range parts {
		t.written = append(t.written, part...)
	}
}

func number(value float64) string { return strconv.FormatFloat(value, 'g', -1, 64) }
