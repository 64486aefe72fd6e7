package metrics

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sabot-table/sabot/internal/ops/health"
	"github.com/sabot-table/sabot/internal/testkit/datatest"
)

func ptr[T any](v T) *T { return &v }

// everything is a table that tells all there is.
func everything() Snapshot {
	f := health.Facts{
		SetUp: true, ShoeUp: true, Open: true, Pit: &health.Pit{Up: true, Waiting: 3},
		Computer: health.Computer{
			DiskFree: ptr[uint64](100), DiskSize: ptr[uint64](200), JournalBytes: ptr[uint64](20),
			JournalDay: ptr[uint64](10), Celsius: ptr[uint64](61),
			Power: &health.Power{WasLow: true}, Wear: &health.Wear{Percent: 30}, Synchronized: ptr(true),
			Certificate: ptr(time.Unix(1800000000, 0)),
			Backup: &health.Backups{BackupMark: health.BackupMark{Good: &health.GoodBackup{At: time.Unix(1790000000,
				0)}}},
		},
	}
	told := reflect.ValueOf(&f.Computer).Elem()
	for i := range told.NumField() { // whatever else a computer may tell
		if one := told.Field(i); one.IsNil() {
			one.Set(reflect.New(one.Type().Elem()))
		}
	}
	return Snapshot{
		Site: "test", Table: "bj-1", Version: `v1 "x"`, Boot: 4, Open: true, Facts: f, Report: health.Judge(f),
		Queued: ptr[uint64](2),
		Counts: Counts{
			Rounds: 7, Irregularities: map[string]uint64{"unread-card": 1},
			TrayCounts: map[string]uint64{"opening": 2}, Slips: map[string]uint64{"asked": 3},
			Differ: 2,
		},
		Tray: new(bool), UnderWay: map[string]uint64{"fill": 1, "credit": 0},
		Shoe: map[string]uint64{"frames": 9},
	}
}

func ask(t *testing.T, m *Metrics) string {
	t.Helper()
	r, w := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/metrics", http.NoBody), httptest.NewRecorder()
	m.Handler().ServeHTTP(w, r)
	if w.Code != http.StatusOK {
		t.Fatalf("the answer is %d: %s", w.Code, w.Body)
	}
	return w.Body.String()
}

func TestEverything(t *testing.T) {
	m := New(everything)
	m.View(3 * time.Millisecond)
	m.Durable(-time.Second) // the clock was put back
	text := ask(t, m)
	for _, one := range All() {
		if !strings.Contains(text, "# HELP "+one.Name+" "+one.Meaning+".\n# TYPE "+one.Name+" "+one.Type+"\n") {
			t.Errorf("%s is not told", one.Name)
		}
	}
	for _, line := range []string{
		`sabot_info{site="test",table="bj-1",version="v1 \"x\""} 1`, "sabot_rounds_total 7",
		`sabot_irregularities_total{code="unread-card"} 1`,
		`sabot_tray_counts_total{event="opening"} 2`, `sabot_tray_slips_total{event="asked"} 3`,
		`sabot_tray_slips_under_way{kind="fill"} 1`, "sabot_tray_known 0", "sabot_tray_differences_total 2",
		`sabot_shoe_link_total{counter="frames"} 9`, "sabot_pit_queue_events 3", "sabot_disk_left_seconds 864000",
		"sabot_flash_worn_ratio 0.3", "sabot_backup_timestamp_seconds 1.79e+09",
		`sabot_undervoltage{when="since-start"} 1`, `sabot_undervoltage{when="now"} 0`,
		"sabot_card_view_seconds_count 1", "sabot_card_durable_seconds_sum 0",
		`sabot_health_reason{code="undervoltage",severity="degrades"} 1`,
		`sabot_health_reason{code="hot",severity="degrades"} 0`,
	} {
		if !strings.Contains(text, line+"\n") {
			t.Errorf("it does not say %s in\n%s", line, text)
		}
	}
}

// TestPrometheusReads has Prometheus' own tool check the form of all that is told, and reads it as the doctor does.
func TestPrometheusReads(t *testing.T) {
	m := New(func() Snapshot {
		s := everything()
		s.Table, s.Version = "Tisch \"7\"\n ä\\b, {x}=", "v1"
		return s
	})
	m.Sync(40 * time.Millisecond)
	m.Sync(100 * time.Millisecond)
	m.Sync(3 * time.Minute)
	text := ask(t, m)
	tool := exec.CommandContext(t.Context(), "promtool", "check", "metrics")
	tool.Stdin = strings.NewReader(text)
	if said, err := tool.CombinedOutput(); err != nil {
		t.Errorf("%v: %s in\n%s", err, said, text)
	}
	read, err := ReadText([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if name := read.Label("sabot_info", "table"); name != "Tisch \"7\"\n ä\\b, {x}=" {
		t.Errorf("the table is %q", name)
	}
	if over, all, mean := read.Above("sabot_journal_sync_seconds", .1); over != 1 || all != 3 || mean < 60 ||
		mean > 60.1 {
		t.Errorf("%d of %d were above, %v on average", over, all, mean)
	}
	for _, name := range []string{
		"go_info", "go_goroutines", "go_gc_duration_seconds_count", "go_memstats_heap_inuse_bytes",
		"process_cpu_seconds_total",
		"process_open_fds", "process_max_fds", "process_resident_memory_bytes", "process_start_time_seconds",
	} {
		if value, known := read.Value(name); !known || value < 0 || value == 0 && !strings.Contains(name, "_count") &&
			!strings.Contains(name, "_cpu_") {
			t.Errorf("%s is %v, %v", name, value, known)
		}
	}
}

// TestTooManyAsk: who asks while four others are answered is told to come again.
func TestTooManyAsk(t *testing.T) {
	var asking, done sync.WaitGroup
	more := make(chan struct{})
	m := New(func() Snapshot {
		asking.Done()
		<-more
		return everything()
	})
	for range atOnce {
		asking.Add(1)
		done.Go(func() { ask(t, m) })
	}
	asking.Wait()
	w := httptest.NewRecorder()
	m.Handler().ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/metrics", http.NoBody))
	if w.Code != http.StatusServiceUnavailable {
		t.Errorf("the fifth is answered %d", w.Code)
	}
	close(more)
	done.Wait()
}

// TestNoMetrics: what is not of their form is refused with its line.
func TestNoMetrics(t *testing.T) {
	for text, want := range map[string]string{
		"a 1\n\n# x\nb": "line 4 of the metrics: \"b\" is no series and its value",
		"a one":         "a has the value \"one\"",
		"{x=\"1\"} 1":   "is no series",
		"a{x=1} 1":      "the label x has no value in quotes",
		"a{x='1'} 1":    "the label x has no value in quotes",
		"a{x=\"1\" 1":   "are no labels",
		"a{":            "are no labels",
	} {
		if read, err := ReadText([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q is read as %v, %v", text, read, err)
		}
	}
}

// FuzzReadText: no answer of another program makes the doctor fail, and what is taken has names.
func FuzzReadText(f *testing.F) {
	f.Add("sabot_info{site=\"a\",table=\"b\\n\"} 1 1700000000\n# TYPE x gauge\nx NaN\n")
	f.Add("x_bucket{le=\"+Inf\"} 3\nx_sum 1e9\nx_count 3\n")
	f.Fuzz(func(t *testing.T, text string) {
		read, err := ReadText([]byte(text))
		for _, one := range read {
			if one.Name == "" || err != nil {
				t.Errorf("%+v, %v", one, err)
			}
		}
		read.Above("x", 1)
	})
}

// TestUnknown: of what is not known there is no series.
func TestUnknown(t *testing.T) {
	text := ask(t, New(func() Snapshot { return Snapshot{Report: health.Judge(health.Facts{})} }))
	unknown := []string{"sabot_pit_", "sabot_shoe_queue"}
	for _, one := range health.Readings {
		unknown = append(unknown, one.Name)
	}
	for _, name := range unknown {
		if strings.Contains(text, "\n"+name) {
			t.Errorf("it tells %s", name)
		}
	}
	if !strings.Contains(text, "sabot_ready 0\n") {
		t.Error("a table that is not set up is ready")
	}
}

// TestNothingAllocates: what is measured while cards are dealt takes no memory.
func TestNothingAllocates(t *testing.T) {
	m := New(everything)
	if n := testing.AllocsPerRun(1000, func() {
		m.View(time.Millisecond)
		m.Durable(time.Millisecond)
		m.Pit(time.Second)
		m.Sync(time.Millisecond)
	}); n > 0 {
		t.Errorf("it takes %v allocations", n)
	}
	(*Times)(nil).View(time.Second) // measures nothing
}

// TestList keeps the list in the page.
func TestList(t *testing.T) {
	var list strings.Builder
	list.WriteString("| series | type | labels | meaning |\n|---|---|---|---|\n")
	for _, one := range All() {
		fmt.Fprintf(&list, "| `%s` | %s | %s | %s |\n", one.Name, one.Type, strings.Join(one.Labels, ", "), one.Meaning)
	}
	datatest.List(t, "../../../docs/metrics.md", "<!-- series -->\n", "<!-- end of series -->", list.String())
}
