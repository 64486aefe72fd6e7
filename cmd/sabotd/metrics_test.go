package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/internal/ops/health"
	"github.com/sabot-table/sabot/internal/ops/metrics"
	"github.com/sabot-table/sabot/internal/testkit/brokertest"
	"github.com/sabot-table/sabot/internal/testkit/processes"
	"github.com/sabot-table/sabot/internal/testkit/system"
)

// get is what a page of the table answers.
func get(t *testing.T, url string) (status int, body string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(text)
}

// scraped is the value of each series that the table exports, by its name with its labels.
func scraped(t *testing.T, p *processes.Process) (text string, values map[string]string) {
	t.Helper()
	status, text := get(t, p.URL+"metrics")
	if status != http.StatusOK {
		t.Fatalf("the metrics are answered with %d: %s", status, text)
	}
	values = map[string]string{}
	for line := range strings.Lines(text) {
		if name, value, is := strings.Cut(strings.TrimSpace(line), "} "); is {
			values[name+"}"] = value
		} else if name, value, is := strings.Cut(strings.TrimSpace(line), " "); is && name != "#" {
			values[name] = value
		}
	}
	return text, values
}

// reported is the table's health.
func reported(t *testing.T, p *processes.Process) (status int, r health.Report) {
	t.Helper()
	status, text := get(t, p.URL+"health")
	r, err := health.Read([]byte(text))
	if err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return status, r
}

// promtool runs Prometheus' own tool.
func promtool(t *testing.T, in string, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "promtool", args...)
	cmd.Stdin = strings.NewReader(in)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("promtool %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

const (
	rulesFile     = "../../deploy/prometheus/sabot.rules.yaml"
	healthRules   = "../../deploy/prometheus/sabot-health.rules.yaml"
	rulesTest     = "../../deploy/prometheus/sabot.rules.test.yaml"
	dashboardFile = "../../deploy/grafana/sabot-table.json"
)

// seriesIn finds the names of the table's series.
var seriesIn = regexp.MustCompile(`\bsabot_[a-z_]+`)

// labelsIn finds the values of labels that a query names.
var labelsIn = regexp.MustCompile(`\b(code|counter)=~?\\?"([a-z_|-]+)\\?"`)

// TestMetrics: what a running table exports is what its page, its dashboard and its alert rules say; times are
// measured, and rounds counted.
func TestMetrics(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	process := w.start()
	w.check(w.deal(3).finish(), 3)
	var text string
	var values map[string]string
	// A simulated shoe that is held up counts as away for a while, as on record.
	brokertest.Until(t, "three rounds are counted, the pit has all, and the shoe is there", func() bool {
		text, values = scraped(t, process)
		return values["sabot_rounds_total"] == "3" && values["sabot_pit_queue_events"] == "0" &&
			values["sabot_shoe_up"] == "1" &&
			values[`sabot_health_reason{code="shoe-offline",severity="degrades"}`] == "0" &&
			values[`sabot_irregularities_total{code="shoe-offline"}`] == w.lossesOfTheShoe()
	})
	promtool(t, text, "check", "metrics")
	cards := values["sabot_cards_total"]
	for name, want := range map[string]string{
		"sabot_card_view_seconds_count": cards, "sabot_card_durable_seconds_count": cards,
		"sabot_card_pit_seconds_count": cards,
		"sabot_ready":                  "1", "sabot_pit_connected": "1", "sabot_open": "1", "sabot_boot": "1",
	} {
		if values[name] != want {
			t.Errorf("%s is %q, not %q", name, values[name], want)
		}
	}
	if values["sabot_journal_sync_seconds_count"] == "0" || values["sabot_disk_free_bytes"] == "" || cards == "0" {
		t.Errorf("no write, disk or card was seen in\n%s", text)
	}
	exportsWhatIsUsed(t, text)
	if status, r := reported(t, process); status != http.StatusOK || !r.Ready {
		t.Errorf("the health is answered with %d: %+v", status, r)
	}
	process.Stop()
}

// lossesOfTheShoe is how often the journal has that the shoe is away.
func (w *world) lossesOfTheShoe() string {
	_, outputs := w.records()
	return fmt.Sprint(strings.Count(outputs, `{"out":"irregular","code":"shoe-offline"`))
}

// exportsWhatIsUsed compares what a table exports with the list of its metrics, and with what dashboard and rules use.
func exportsWhatIsUsed(t *testing.T, text string) {
	t.Helper()
	var listed []string
	for _, one := range metrics.All() {
		listed = append(listed, one.Name)
	}
	var exported []string
	for line := range strings.Lines(text) {
		if rest, is := strings.CutPrefix(line, "# TYPE sabot_"); is {
			name, _, _ := strings.Cut(rest, " ")
			exported = append(exported, "sabot_"+name)
		}
	}
	for _, name := range exported {
		if !slices.Contains(listed, name) {
			t.Errorf("%s is exported, and not in the list", name)
		}
	}
	for _, file := range []string{rulesFile, healthRules, dashboardFile} {
		used, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		names := seriesIn.FindAllString(string(used), -1)
		if len(names) == 0 {
			t.Errorf("%s uses nothing of the table", file)
		}
		for _, label := range labelsIn.FindAllStringSubmatch(string(used), -1) {
			for value := range strings.SplitSeq(label[2], "|") {
				if !strings.Contains(text, label[1]+`="`+value+`"`) {
					t.Errorf("%s asks for the %s %q, which no table exports", file, label[1], value)
				}
			}
		}
		for _, name := range names {
			for _, part := range []string{"_bucket", "_count", "_sum"} {
				if base, is := strings.CutSuffix(name, part); is && slices.Contains(listed, base) {
					name = base
				}
			}
			if !slices.Contains(listed, name) {
				t.Errorf("%s uses %s, which no table exports", file, name)
			}
		}
	}
	for _, name := range listed {
		if !slices.Contains(exported, name) && !onlyThere(name) {
			t.Errorf("%s is in the list, and not exported", name)
		}
	}
}

// onlyThere says whether a series is exported only by a computer that tells it, or once a tray was counted: every one
// has a disk and a journal.
func onlyThere(name string) bool {
	if name == "sabot_tray_known" {
		return true
	}
	return !strings.HasPrefix(name, "sabot_disk_") && !strings.HasPrefix(name, "sabot_journal_") &&
		slices.ContainsFunc(health.Readings, func(r health.Reading) bool { return r.Name == name })
}

// TestHealthReasons: without a broker that answers and without a shoe the table is ready, and says what it lacks; with
// a disk that fails it is not.
func TestHealthReasons(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	w.gate.Shut()
	process := w.start()
	w.shoe.Close()
	brokertest.Until(t, "the table says what it lacks", func() bool {
		status, r := reported(t, process)
		return status == http.StatusOK && r.Ready && r.Holds("pit-offline") && r.Holds("shoe-offline")
	})
	_, values := scraped(t, process)
	for _, code := range []string{"pit-offline", "shoe-offline"} {
		if values[`sabot_health_reason{code="`+code+`",severity="degrades"}`] != "1" {
			t.Errorf("the metrics do not say %s", code)
		}
	}
	process.Stop()
}

// TestAlertRules: Prometheus takes the rules, and they do what their own test expects.
func TestAlertRules(t *testing.T) {
	promtool(t, "", "check", "rules", system.File(t, rulesFile), system.File(t, healthRules))
	promtool(t, "", "test", "rules", system.File(t, rulesTest))
}

// TestDashboard: Grafana's file is whole: each panel has a title, a place, a query, and words on what to do.
func TestDashboard(t *testing.T) {
	text, err := os.ReadFile(dashboardFile)
	if err != nil {
		t.Fatal(err)
	}
	var board struct {
		Title, UID    string
		SchemaVersion int
		Panels        []struct {
			ID                       int
			Title, Type, Description string
			GridPos                  struct{ H, W, X, Y int }
			Targets                  []struct{ Expr string }
		}
	}
	if err := json.Unmarshal(text, &board); err != nil {
		t.Fatal(err)
	}
	seen := map[int]bool{}
	asked := strings.NewReplacer("$__rate_interval", "5m", "$__range", "24h", "$table", ".*")
	queries := strings.Builder{}
	queries.WriteString("groups:\n- name: panels\n  rules:\n")
	for _, p := range board.Panels {
		if p.Type == "row" {
			continue
		}
		if p.Title == "" || p.Description == "" || p.GridPos.W == 0 || p.GridPos.X+p.GridPos.W > 24 ||
			len(p.Targets) == 0 || seen[p.ID] {
			t.Errorf("the panel %q is not whole", p.Title)
		}
		seen[p.ID] = true
		for i, target := range p.Targets {
			fmt.Fprintf(&queries, "  - record: panel_%d_%d\n    expr: %q\n", p.ID, i, asked.Replace(target.Expr))
		}
	}
	file := filepath.Join(t.TempDir(), "panels.yaml")
	write(t, file, queries.String())
	promtool(t, "", "check", "rules", file)
	if board.Title == "" || board.UID == "" || len(seen) == 0 {
		t.Error("the dashboard is empty")
	}
}
