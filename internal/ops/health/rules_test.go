package health

import (
	"fmt"
	"strings"
)

// alertAfter is how long a reason must hold until somebody is called: a table that stops at once, and a cable that is
// plugged in again is no alert.
var alertAfter = map[Severity]string{Stops: "1m", Degrades: "10m"}

// alertSeverity is how alerts call a severity.
var alertSeverity = map[Severity]string{Stops: "critical", Degrades: "warning"}

// AlertName is what Prometheus calls the alert of a reason.
func (r *Row) AlertName() string {
	var name strings.Builder
	name.WriteString("Sabot")
	for part := range strings.SplitSeq(string(r.Code), "-") {
		name.WriteString(strings.ToUpper(part[:1]) + part[1:])
	}
	return name.String()
}

// AlertRules are the rules by which Prometheus calls somebody for each reason.
func AlertRules() string {
	var text strings.Builder
	text.WriteString(`# Alerts for what a table itself finds wrong, as /health says it. Made from the reasons in
# internal/ops/health: change them there, and run go test ./internal/ops/health -rewrite.
groups:
- name: sabot-health
  rules:
`)
	for i := range Rows {
		r := &Rows[i]
		if !r.Seen() {
			continue
		}
		fmt.Fprintf(&text, `  - alert: %s
    expr: sabot_health_reason{code=%q} == 1
    for: %s
    labels: {severity: %s}
    annotations:
      summary: %q
      description: %q
`, r.AlertName(), r.Code, alertAfter[r.Severity], alertSeverity[r.Severity],
			"{{ $labels.instance }}: "+r.Meaning(), sentence(r.Do()))
	}
	return text.String()
}

// sentence is a text with a large letter before it and a full stop after it.
func sentence(text string) string { return strings.ToUpper(text[:1]) + text[1:] + "." }
