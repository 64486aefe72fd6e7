package audit_test

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/journaltest"
	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/table/audit"
	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/journal/disk"
)

// TestNothingIsFound: what can befall a table is no fault of its journal.
func TestNothingIsFound(t *testing.T) {
	base := longAgo(t, 1)
	sound := journaltest.Open(t, base)
	const last = "part-000005.jsonl"
	whole := slices.Clip(read(t, base, last))
	for name, happen := range map[string]func(path string){
		"nothing": func(string) {},
		"a write that was cut off in a line": func(path string) {
			write(t, path, last, append(whole, `{"in":"card","t":"2026-11-22T21:00`...))
		},
		"a write that was cut off behind a line": func(path string) {
			write(t, path, last, append(whole, `{"in":"open"}`+"\n"+`{"out":"opened","round":15}`+"\n"...))
		},
		"a write of which a sector is missing": func(path string) {
			const begun = `{"in":"card","t":"2026-11-22T21:00`
			sector := 512 - len(begun) - len(whole)%512
			if sector < 0 {
				sector += 512
			}
			write(t, path, last, append(append(append(whole, begun...), strings.Repeat("0", sector)...),
				make([]byte, 512)...))
		},
		"a write that was cut off behind a frame": func(path string) { // of a batch that goes on
			begin := strings.Index(string(whole), `"more":1`)
			end := begin + strings.Index(string(whole[begin:]), "\n") + 1
			write(t, path, last, whole[:end])
		},
		"the seal at the end is cut off": func(path string) {
			f := journaltest.Open(t, path)
			part := f.Parts[4]
			part.Frames = part.Frames[:len(part.Frames)-1]
			f.Save(journaltest.Leave)
		},
		"parts are compressed": func(path string) {
			packed(t, filepath.Join(path, "part-000001.jsonl"), read(t, path, "part-000001.jsonl"))
			packed(t, filepath.Join(path, "part-000003.jsonl"), read(t, path, "part-000003.jsonl"))
		},
		"a copy that was not finished": func(path string) {
			write(t, path, "part-000006.jsonl.new", []byte(`{"part":6`))
			write(t, path, "notes.txt", []byte("none of the journal's"))
		},
	} {
		path := copyOf(t, base)
		happen(path)
		o := options()
		if name == "nothing" {
			o.Heard = heard(t, sound)
		}
		if report := check(t, path, o); !report.Well() {
			t.Errorf("%s: %s", name, text(report))
		}
	}
}

func read(t *testing.T, path, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(path, name))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func write(t *testing.T, path, name string, text []byte) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(path, name), text, 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestMovedAway: parts that the journal says were moved away are told, and are no fault.
func TestMovedAway(t *testing.T) {
	base := longAgo(t, 1)
	for name, c := range map[string]struct {
		notes []string
		away  []int
		well  bool
	}{
		"on record": {[]string{`{"away":2,"first":%2,"last":%3,"to":"/archive","at":1`}, []int{2}, true},
		"two on record": {[]string{
			`{"away":2,"first":%2,"last":%3,"to":"/archive","at":1`,
			`{"away":3,"first":%3+,"last":%4,"to":"/archive","at":1`,
		}, []int{2, 3}, true},
		"the first one": {[]string{`{"away":1,"first":1,"last":%2,"to":"/archive","at":1`}, []int{1}, true},
		"not on record": {nil, []int{2}, false},
		"one of two on record": {
			[]string{`{"away":3,"first":%3+,"last":%4,"to":"/archive","at":1`},
			[]int{2, 3},
			false,
		},
		"with other records": {[]string{`{"away":2,"first":2,"last":3,"to":"/archive","at":1`}, []int{2}, false},
	} {
		path := copyOf(t, base)
		f := journaltest.Open(t, path)
		before := func(part int) uint64 { return f.Parts[part-1].Header().Record }
		fields := strings.NewReplacer("%2", number(before(2)), "%3+", number(before(3)+1), "%3", number(before(3)),
			"%4", number(before(4)))
		for _, note := range c.notes {
			note = fields.Replace(strings.ReplaceAll(note, `"first":%2`, `"first":`+number(before(2)+1)))
			f.Insert(int64(before(5))+3, &journaltest.Frame{Text: note})
		}
		f.Rechain()
		f.Save(journaltest.Sign)
		for _, part := range c.away {
			if err := os.Remove(filepath.Join(path, f.Parts[part-1].Name)); err != nil {
				t.Fatal(err)
			}
		}
		report := check(t, path, options())
		if len(report.Faults) > 0 == c.well || c.well && len(report.Away) != len(c.away) {
			t.Errorf("%s: away are %v: %s", name, report.Away, text(report))
		}
	}
}

// failing is a folder in which a wait for the disk fails once.
type failing struct {
	disk.Disk
	fail *int
}

func (d failing) Create(name string) (disk.File, error) {
	f, err := d.Disk.Create(name)
	return failingFile{f, d.fail}, err
}

type failingFile struct {
	disk.File
	fail *int
}

func (f failingFile) Sync() error {
	if *f.fail--; *f.fail == 0 {
		return errors.New("the disk did not confirm")
	}
	return f.File.Sync()
}

// TestFailedSync: whichever wait for the disk fails, the part that is begun for that is no
// fault of the journal.
func TestFailedSync(t *testing.T) {
	entry := func(n int) journal.Entry {
		return journal.Entry{
			At: int64(n), Input: []byte(`{"in":"undo"}`),
			Outputs: []byte(`{"out":"rejected","why":"nothing-to-undo"}` + "\n"),
		}
	}
	for fail := 2; fail < 12; fail++ {
		path := tabletest.FastDir(t)
		left := fail
		j, err := journal.OpenOn(failing{disk.Folder(path), &left}, path, journal.Options{
			Program: journaltest.Program, Key: journaltest.Key, Beside: disk.Folder(tabletest.FastDir(t)),
		})
		if err != nil {
			t.Fatal(err)
		}
		for n := range 6 {
			if err := j.Append([]journal.Entry{entry(n)}); err != nil {
				t.Fatal(err)
			}
		}
		if err := j.Close(); err != nil {
			t.Fatal(err)
		}
		report := check(t, path, options())
		for _, f := range report.Faults {
			if f.Kind != audit.Answer && f.Kind != audit.Input { // nothing was set up
				t.Errorf("the %d. wait failed: %s", fail, text(report))
				break
			}
		}
	}
}

// TestFloodHidesNothing: a fault of another kind is in the list, however many there are
// of one.
func TestFloodHidesNothing(t *testing.T) {
	path := longAgo(t, 1)
	f := journaltest.Open(t, path)
	for _, row := range f.Rows() {
		if row.Seq < 300 {
			row.At += 1
			row.Outputs = strings.ReplaceAll(row.Outputs, `"won":`, `"won":1`)
		}
	}
	f.Parts[3].Edit = func(h *journal.Header) { h.Boot++ }
	f.Row(350).ShoeSeq += 1000
	f.Rechain()
	f.Save(journaltest.Fit)
	report := check(t, path, options())
	for i, kind := range []audit.Kind{audit.Seals, audit.Boots, audit.Answer, audit.Column, audit.ShoeNumber} {
		if !finds(report, want{kind, 0}) {
			t.Errorf("%s is not in the list:\n%s", kind, text(report))
		}
		if i == 0 && report.Faults[0].Kind != kind {
			t.Errorf("the gravest is %s", report.Faults[0].Kind)
		}
	}
	if report.MoreFaults == 0 {
		t.Error("that was no flood")
	}
}

// TestHugeRecord: a record of 300 MB is refused by its length, and does not fill the
// memory.
func TestHugeRecord(t *testing.T) {
	path := longAgo(t, 1)
	f, err := os.OpenFile(filepath.Join(path, "part-000005.jsonl"), os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString(`{"in":"`); err != nil {
		t.Fatal(err)
	}
	block := []byte(strings.Repeat("x", 1<<20))
	for range 300 {
		if _, err := f.Write(block); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := f.WriteString("\"}\n"); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	report := check(t, path, options())
	runtime.ReadMemStats(&after)
	if !finds(report, want{audit.Chain, 0}) || len(report.Faults) != 1 {
		t.Errorf("%s", text(report))
	}
	if most := after.Sys - before.Sys; most > 100<<20 {
		t.Errorf("it took %d MB", most>>20)
	}
}
