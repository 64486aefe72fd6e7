package transcript

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/sabot-table/sabot/internal/testkit/tabletest"
)

// lines are input lines as this package writes them, and those of the cases.
func lines(t testing.TB) [][]byte {
	var all []byte
	for _, in := range tabletest.Deal(rand.New(rand.NewPCG(3, 1)), 3, 7) {
		all = append(AppendInput(all, &in), '\n')
	}
	files, err := filepath.Glob("testdata/replay/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases under testdata/replay: %v", err)
	}
	for _, path := range files {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for line := range bytes.Lines(data) {
			if bytes.HasPrefix(line, []byte(`{"in"`)) {
				all = append(all, line...)
			}
		}
	}
	return bytes.Split(bytes.TrimSpace(all), []byte("\n"))
}

// FuzzScan: what the quick reading takes, the strict one takes, and finds the same
// fields at the same places.
func FuzzScan(f *testing.F) {
	for _, line := range lines(f) {
		f.Add(line)
	}
	for _, line := range []string{
		`{"in": "open", "t": "2026-01-31T20:15:00Z"}`, `{"in":"open","in":"open"}`, `{}`, `{"in":}`, `{"box":-0}`,
		`{"box":00}`, `{"box":1e3}`, `{"box":1.5}`, `{"bettors":[]}`, `{"bettors":["a", "b"]}`, `{"bettors":["a",]}`,
		`{"bettor":"Zoë"}`, "{\"bettor\":\"\xff\"}", "{\"bettor\":\"\xed\xa0\x80\"}", "{\"by\":\"\x1f\"}",
		"{\"by\":\"\x7f\"}",
		`{"seated":true}`, `{"seated":truer}`, `{"in":"open"} `, `{"in":"open",}`, `{"bettors":[[]]}`,
		`{"by":"\u0041"}`,
	} {
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		quick, strict := &NewParser(nil).inputs, &NewParser(nil).inputs
		given, ok := quick.scan(line)
		if !ok {
			return
		}
		want, err := strict.read(line)
		if err != nil || given != want {
			t.Fatalf("%q: quick reading finds %v, strict reading %v, %v", line, given, want, err)
		}
		for f := range given.all {
			a, b := quick.values[f], strict.values[f]
			if !bytes.Equal(a.raw, b.raw) || a.column != b.column {
				t.Fatalf("%q: %s is %q in column %d, want %q in %d", line, quick.names[f], a.raw, a.column,
					b.raw, b.column)
			}
			if bytes.IndexByte(a.raw, '\\') >= 0 {
				t.Fatalf("%q: %s is taken with an escape in it", line, quick.names[f])
			}
		}
	})
}

// TestScanTakesWhatIsWritten: the lines of this package's own writer, and those of
// writers that put a space between the parts, do not need the strict reading.
func TestScanTakesWhatIsWritten(t *testing.T) {
	s := &NewParser(nil).inputs
	for _, in := range tabletest.Deal(rand.New(rand.NewPCG(3, 1)), 3, 7) {
		in.Time = 1769890500_123456789
		line := AppendInput(nil, &in)
		if _, ok := s.scan(line); !ok {
			t.Errorf("%s is read strictly", line)
		}
	}
	for _, line := range []string{
		`{"in": "stake", "box": 3, "bettor": "Zoë", "wager": "main", "amount": -50, "seated": false}`,
		`{"in": "call", "call": "split", "bettors": ["a", "b"]}`,
	} {
		if _, ok := s.scan([]byte(line)); !ok {
			t.Errorf("%s is read strictly", line)
		}
	}
}

// TestNamed: the tables of names know all names, and no others.
func TestNamed(t *testing.T) {
	names := namesOfAll(&inputs.vocabulary, inputs.lines)
	names = append(names, namesOfAll(&outputs.vocabulary, outputs.lines)...)
	if len(names) < 20 {
		t.Fatalf("there are %d tables of names", len(names))
	}
	for _, list := range names {
		n := namedBy(list)
		for v, name := range list {
			if first := slices.Index(list, name); name != "" {
				if got, ok := n.find([]byte(name)); !ok || int(got) != first {
					t.Errorf("%q is found as %d, %t, want %d", name, got, ok, v)
				}
			}
			for _, other := range []string{name + "x", "x" + name} {
				if _, ok := n.find([]byte(other)); ok != slices.Contains(list, other) {
					t.Errorf("%q is found: %t", other, ok)
				}
			}
		}
	}
}

func namesOfAll[L any](v *vocabulary, lines []line[L]) [][]string {
	all := [][]string{v.names}
	for i := range lines {
		for _, r := range lines[i].by {
			if r != nil && r.Names != nil {
				all = append(all, r.Names)
			}
		}
	}
	return all
}

// TestTimesAreReadTheSameWay: the quicker reader of times takes nothing that
// time.Parse does not, and as the same moment.
func TestTimesAreReadTheSameWay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(
			`[0-9]{4}-[01][0-9]-[0-3][0-9]T[0-9]{1,2}:[0-5][0-9]:[0-6][0-9]([.,][0-9]{1,10})?(Z|z|[+-][0-2][0-9]:?[0-5][0-9])?`).Draw(t, "time")
		var quick time.Time
		if quick.UnmarshalText([]byte(text)) != nil {
			return
		}
		if want, err := time.Parse(time.RFC3339Nano, text); err != nil || !quick.Equal(want) {
			t.Fatalf("%s: got %v, want %v, %v", text, quick, want, err)
		}
	})
}
