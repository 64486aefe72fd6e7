package health

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/sabot-table/sabot/internal/testkit/datatest"
	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/table/irregularity"
)

func ptr[T any](v T) *T { return &v }

// now is when everything here happens.
var today = time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)

// well is a table with which nothing is wrong, although its computer tells everything.
func well() Facts {
	return Facts{
		Now: today, SetUp: true, Open: true, ShoeUp: true, Pit: &Pit{Up: true}, FreeMin: 500 << 20,
		Computer: Computer{
			DiskFree: ptr[uint64](20 << 30), DiskSize: ptr[uint64](29 << 30), JournalBytes: ptr[uint64](1 << 20),
			JournalDay: ptr[uint64](1 << 20),
			Celsius:    ptr[uint64](61), Power: &Power{}, Wear: &Wear{Percent: 20},
			Synchronized: ptr(true),
			Certificate:  ptr(today.AddDate(1, 0, 0)),
			Backup: &Backups{
				Wanted:     true,
				BackupMark: BackupMark{Good: &GoodBackup{At: today.Add(-time.Hour)}},
			},
		},
	}
}

// TestReasons: each reason holds alone where its cause does, is said with what was found, and decides whether the table
// is ready.
func TestReasons(t *testing.T) {
	trouble := func(code string) *topic.Trouble {
		return &topic.Trouble{Code: code, Since: today, Text: "the disk hangs"}
	}
	covered := map[Code]bool{}
	for _, c := range []struct {
		code Code
		what string
		do   func(*Facts)
	}{
		{"first-start", "at http://127.0.0.1:8080/", func(f *Facts) {
			f.SetUp, f.Asks = false, "http://127.0.0.1:8080/"
		}},
		{"configuration-lost", "/var/lib/sabot/journal", func(f *Facts) {
			f.SetUp, f.Left = false, "/var/lib/sabot/journal"
		}},
		{"starting", "", func(f *Facts) { f.SetUp = false }},
		{"storage-failing", "the disk hangs", func(f *Facts) { f.Trouble = trouble(topic.TroubleFailing) }},
		{"storage-slow", "the disk hangs", func(f *Facts) { f.Trouble = trouble(topic.TroubleSlow) }},
		{"journal-unreadable", "torn", func(f *Facts) { f.Journal = errors.New("torn") }},
		{"record-doubted", "journal-new", func(f *Facts) { f.Held = irregularity.JournalNew }},
		{"held", "foreign-card", func(f *Facts) { f.Held = irregularity.ForeignCard }},
		{"shoe-offline", "no port", func(f *Facts) {
			f.ShoeUp, f.ShoeLost = false, &topic.Fault{Time: today, Text: "no port"}
		}},
		{"shoe-offline", "", func(f *Facts) { f.ShoeUp = false }},
		{"panel-missing", "GPIO5, GPIO6", func(f *Facts) { f.Panel = []string{"GPIO5", "GPIO6"} }},
		{"pit-offline", "refused", func(f *Facts) { f.Pit = &Pit{Why: &topic.Fault{Time: today, Text: "refused"}} }},
		{"pit-denied", "a/b", func(f *Facts) { f.Pit.Denied = []string{"a/b"} }},
		{"pit-behind", "5001 events wait", func(f *Facts) { f.Pit.Waiting = 5001 }},
		{"disk-low", "500 MB are free", func(f *Facts) { f.Computer.DiskFree = ptr[uint64](500_000_000) }},
		{"disk-full-soon", "21474 MB are free, enough for 10.0 days", func(f *Facts) {
			f.Computer.JournalDay = ptr[uint64](2 << 30)
		}},
		{"card-worn", "90 percent of its life are used up", func(f *Facts) { f.Computer.Wear.Percent = 90 }},
		{"card-worn", "20 percent of its life are used up", func(f *Facts) { f.Computer.Wear.Urgent = true }},
		{"backup-late", "none was made yet", func(f *Facts) { f.Computer.Backup.Good = nil }},
		{"backup-late", "the last is of 2026-11-20 12:00 UTC, on /media/stick", func(f *Facts) {
			f.Computer.Backup.Good = &GoodBackup{At: today.AddDate(0, 0, -3), To: "/media/stick"}
		}},
		{"hot", "80 °C", func(f *Facts) { f.Computer.Celsius = ptr[uint64](80) }},
		{"undervoltage", "now", func(f *Facts) { f.Computer.Power.Low = true }},
		{"undervoltage", "not now, but since it started", func(f *Facts) { f.Computer.Power.WasLow = true }},
		{"throttled", "", func(f *Facts) { f.Computer.Power.Slowed = true }},
		{"clock-unsynchronized", "", func(f *Facts) { f.Computer.Synchronized = ptr(false) }},
		{"certificate-ends", "on 2026-12-22", func(f *Facts) { f.Computer.Certificate = ptr(today.AddDate(0, 0, 29)) }},
	} {
		f := well()
		c.do(&f)
		r := Judge(f)
		covered[c.code] = true
		if len(r.Reasons) != 1 || r.Reasons[0].Code != c.code || r.Reasons[0].What != c.what {
			t.Errorf("%s, %q: it says %+v", c.code, c.what, r.Reasons)
			continue
		}
		if stops := Of(c.code).Severity == Stops; r.Ready == stops || !r.Live {
			t.Errorf("%s: live %v, ready %v", c.code, r.Live, r.Ready)
		}
		text, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := Read(text); err != nil || !again.Holds(c.code) {
			t.Errorf("%s is read as %+v, %v", text, again, err)
		}
	}
	for _, row := range Rows {
		if row.Seen() && !covered[row.Code] {
			t.Errorf("nothing here causes %s", row.Code)
		}
	}
}

// TestEveryHold: whatever holds a table is a reason, and what concerns its record stops it.
func TestEveryHold(t *testing.T) {
	for code := range irregularity.EveryCode {
		f := well()
		f.Held = code
		r := Judge(f)
		switch {
		case !code.Holds():
		case len(r.Reasons) != 1 || r.Reasons[0].What != code.String():
			t.Errorf("%v: it says %+v", code, r.Reasons)
		case r.Ready == code.OfRecord():
			t.Errorf("%v: ready %v", code, r.Ready)
		}
	}
}

// TestWell: nothing is said of a table with which nothing is wrong, of a closed one without its shoe, and of a computer
// that tells nothing.
func TestWell(t *testing.T) {
	closed, bare := well(), well()
	closed.Open, closed.ShoeUp = false, false
	bare.Pit, bare.Computer = nil, Computer{}
	for name, f := range map[string]Facts{"well": well(), "closed": closed, "bare": bare} {
		if r := Judge(f); !r.Ready || len(r.Reasons) != 0 {
			t.Errorf("%s: it says %+v", name, r)
		}
	}
}

// TestRows: every row says what to do, under a code that can be a label.
func TestRows(t *testing.T) {
	code := regexp.MustCompile(`^[a-z]+(-[a-z]+)*$`)
	seen := map[Code]bool{}
	for _, row := range Rows {
		if !code.MatchString(string(row.Code)) || seen[row.Code] || row.Meaning() == "" || row.Do() == "" ||
			alertAfter[row.Severity] == "" && row.Severity != Advises {
			t.Errorf("the row %q is not whole", row.Code)
		}
		seen[row.Code] = true
	}
	for _, row := range Rows {
		if row.Seen() && row.Severity == Advises {
			t.Errorf("%s is an advice, and /health has only what is wrong", row.Code)
		}
	}
	if Of("gone") != nil {
		t.Error("a reason that is none has a row")
	}
}

// FuzzRead: whatever is sent in place of a report is refused or read.
func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"live":true,"ready":false,"reasons":[{"code":"hot","severity":"degrades","meaning":"m","do":"d"}]}`))
	f.Add([]byte(`{"live":true,"reasons":null}`))
	f.Add([]byte(`[]`))
	f.Fuzz(func(t *testing.T, text []byte) {
		if r, err := Read(text); err == nil && !r.Live || err != nil && (r.Ready || len(r.Reasons) > 0) {
			t.Errorf("%q is read as %+v, %v", text, r, err)
		}
	})
}

// TestWritten keeps the list of reasons in the page, and the alert rules.
func TestWritten(t *testing.T) {
	var list strings.Builder
	list.WriteString("| reason | severity | what it means | what to do |\n|---|---|---|---|\n")
	for _, row := range Rows {
		if row.Seen() {
			fmt.Fprintf(&list, "| `%s` | %s | %s | %s |\n", row.Code, row.Severity, row.Meaning(), row.Do())
		}
	}
	datatest.List(t, "../../../docs/metrics.md", "<!-- reasons -->\n", "<!-- end -->", list.String())
	same(t, "../../../deploy/prometheus/sabot-health.rules.yaml", AlertRules())
}

// same compares a file, or writes it.
func same(t *testing.T, path, want string) {
	t.Helper()
	if flag.Lookup("rewrite").Value.String() == "true" {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != want {
		t.Errorf("%s is not what the rows say, %v: run go test ./internal/ops/health -rewrite", path, err)
	}
}
