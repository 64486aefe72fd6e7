package health_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/internal/ops/health"
	"github.com/sabot-table/sabot/internal/ops/metrics"
	"github.com/sabot-table/sabot/internal/testkit/datatest"
	"github.com/sabot-table/sabot/pit/floor"
	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/table/irregularity"
)

// condition is a row of the list in docs/metrics.md.
type condition struct{ code, severity, itself, alert, area, pit string }

// conditions are all that can be wrong with a table, with where each is told.
func conditions(t *testing.T) (all []condition) {
	t.Helper()
	w := httptest.NewRecorder()
	ask := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/metrics", http.NoBody)
	metrics.New(func() metrics.Snapshot { return metrics.Snapshot{} }).Handler().ServeHTTP(w, ask)
	series, rules := w.Body.String(), health.AlertRules()
	for i := range health.Rows {
		row := &health.Rows[i]
		c := condition{code: string(row.Code), severity: string(row.Severity), area: string(row.Area)}
		if strings.Contains(series, fmt.Sprintf(`sabot_health_reason{code=%q,`, row.Code)) {
			c.itself = "yes"
		}
		if strings.Contains(rules, fmt.Sprintf(`sabot_health_reason{code=%q}`, row.Code)) {
			c.alert = row.AlertName()
		}
		if c.itself != "" {
			c.pit = atThePit(t, c.code)
		}
		all = append(all, c)
	}
	return all
}

// atThePit is how the pit tells of a reason that a table has told, "" for nowhere.
func atThePit(t *testing.T, code string) string {
	t.Helper()
	name, err := topic.NewTable("test", "bj-1")
	if err != nil {
		t.Fatal(err)
	}
	told := topic.Health{Version: "1", Shoe: topic.Shoe{Up: true}, Reasons: []string{code}}
	found := floor.Findings([]floor.FleetTable{{Table: name, Health: &told}}, time.Now(), display.English)
	switch where := health.Of(health.Code(code)).AtPit; {
	case len(found) == 0:
		return where
	case where == "" && len(found) == 1 && found[0].Told && string(found[0].Code) == code:
		return "a finding, in these words"
	}
	return ""
}

// TestToldEverywhere: whatever the table itself finds is in its metrics, has an alert and an area of the doctor's, and
// gets to the pit; everything is said in every language.
func TestToldEverywhere(t *testing.T) {
	all := conditions(t)
	for _, c := range all {
		itself := health.Of(health.Code(c.code)).Seen()
		if !slices.Contains(health.Areas, health.Area(c.area)) ||
			itself != (c.itself != "") || itself != (c.alert != "") || itself != (c.pit != "") {
			t.Errorf("%+v is not told everywhere", c)
		}
	}
	for _, language := range display.Spoken() {
		l, _ := display.Speak(language)
		for _, c := range all {
			for _, key := range []string{"reason." + c.code, "remedy." + c.code} {
				if _, there := l.Lookup(key); !there {
					t.Errorf("%s does not say %s", language, key)
				}
			}
		}
		for code := range irregularity.EveryCode {
			if text := l.Named(display.LabelHeld, code); code.Holds() &&
				(text == "" || strings.Contains(text, code.String()) && language != "en") {
				t.Errorf("%s calls what holds a table %q", language, text)
			}
		}
	}
}

// TestListOfConditions keeps the list in the page: of all conditions, and of all that holds a table.
func TestListOfConditions(t *testing.T) {
	var list strings.Builder
	or := func(text string) string {
		if text == "" {
			return "–"
		}
		return text
	}
	list.WriteString("| condition | severity | `/health`, metrics | alert | `sabot doctor`, under | at the pit " +
		"|\n|---|---|---|---|---|---|\n")
	for _, c := range conditions(t) {
		fmt.Fprintf(&list, "| `%s` | %s | %s | %s | %s | %s |\n", c.code, c.severity, or(c.itself), or(c.alert),
			c.area, or(c.pit))
	}
	list.WriteString("\nWhat [holds a table](irregularities.md#what-is-checked) is told as one of two of them, with " +
		"its code. The pit has an alert of each,\n" +
		"but for `storage-failing`, which is in the table's status.\n\n")
	list.WriteString("| told as | what holds the table |\n|---|---|\n")
	for _, of := range []health.Code{"record-doubted", "held"} {
		var codes []string
		for code := range irregularity.EveryCode {
			if code.Holds() && health.Judge(health.Facts{SetUp: true, Held: code}).Holds(of) {
				codes = append(codes, "`"+code.String()+"`")
			}
		}
		fmt.Fprintf(&list, "| `%s` | %s |\n", of, strings.Join(codes, ", "))
	}
	datatest.List(t, "../../../docs/metrics.md", "<!-- conditions -->\n", "<!-- end of conditions -->", list.String())
}
