package transcript

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/tabletest"
	"github.com/sabot-table/sabot/table/vocab"
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
		`{"bettor":"Zoë"}`, "{\"bettor\":\"\xff\"}", "{\"bettor\":\"\xed\xa0\x80\"}", "{\"by\":\"\x1f\"}", "{\"by\":\"\x7f\"}",
		`{"seated":true}`, `{"seated":truer}`, `{"in":"open"} `, `{"in":"open",}`, `{"bettors":[[]]}`, `{"by":"\u0041"}`,
	} {
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		quick, strict := NewParser(nil), NewParser(nil)
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
				t.Fatalf("%q: %s is %q in column %d, want %q in %d", line, f, a.raw, a.column, b.raw, b.column)
			}
			if bytes.IndexByte(a.raw, '\\') >= 0 {
				t.Fatalf("%q: %s is taken with an escape in it", line, f)
			}
		}
	})
}

// TestScanTakesWhatIsWritten: the lines of this package's own writer, and those of
// writers that put a space between the parts, do not need the strict reading.
func TestScanTakesWhatIsWritten(t *testing.T) {
	p := NewParser(nil)
	for _, in := range tabletest.Deal(rand.New(rand.NewPCG(3, 1)), 3, 7) {
		in.Time = 1769890500_123456789
		line := AppendInput(nil, &in)
		if _, ok := p.scan(line); !ok {
			t.Errorf("%s is read strictly", line)
		}
	}
	for _, line := range []string{
		`{"in": "stake", "box": 3, "bettor": "Zoë", "wager": "main", "amount": -50, "seated": false}`,
		`{"in": "call", "call": "split", "bettors": ["a", "b"]}`,
	} {
		if _, ok := p.scan([]byte(line)); !ok {
			t.Errorf("%s is read strictly", line)
		}
	}
}

// TestNamed: the tables of names know what the engine's own readers know.
func TestNamed(t *testing.T) {
	var names []string
	for i := range 256 {
		for _, name := range []string{
			field(i).String(), vocab.InputKind(i).String(), vocab.Call(i).String(), vocab.ShoeEvent(i).String(),
			irregularity.Choice(i).String(), vocab.Role(i).String(), vocab.Wager(i).String(), card.Card(i).String(),
		} {
			names = append(names, name, name+"x", "x"+name)
		}
	}
	names = append(names, "TS", "ST", "10", "JOKE", "?")
	agree(t, names, namedFields, findField)
	agree(t, names, namedInputs, vocab.ParseInputKind)
	agree(t, names, namedCalls, vocab.ParseCall)
	agree(t, names, namedEvents, vocab.ParseShoeEvent)
	agree(t, names, namedChoices, irregularity.ParseChoice)
	agree(t, names, namedRoles, parseRole)
	agree(t, names, namedCards, parseCard)
	for _, name := range names {
		got, ok := namedWagers.find([]byte(name))
		if want := vocab.ParseWager(name); want != vocab.WagerUnknown && (got != want || !ok) {
			t.Errorf("wager %q: got %v, %v", name, got, ok)
		}
	}
}

func agree[T enumeration](t *testing.T, names []string, n *named[T], parse func(string) (T, bool)) {
	t.Helper()
	known := 0
	for _, name := range names {
		got, found := n.find([]byte(name))
		want, ok := parse(name)
		if found != ok || ok && got != want {
			t.Errorf("%q: got %v, %v, want %v, %v", name, got, found, want, ok)
		}
		if ok {
			known++
		}
	}
	if known == 0 {
		t.Errorf("none of the names is a %T", *new(T))
	}
}

// TestTimesAreReadTheSameWay: the quicker reader of times takes nothing that
// time.Parse does not, and as the same moment.
func TestTimesAreReadTheSameWay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[0-9]{4}-[01][0-9]-[0-3][0-9]T[0-9]{1,2}:[0-5][0-9]:[0-6][0-9]([.,][0-9]{1,10})?(Z|z|[+-][0-2][0-9]:?[0-5][0-9])?`).Draw(t, "time")
		var quick time.Time
		if quick.UnmarshalText([]byte(text)) != nil {
			return
		}
		if want, err := time.Parse(time.RFC3339Nano, text); err != nil || !quick.Equal(want) {
			t.Fatalf("%s: got %v, want %v, %v", text, quick, want, err)
		}
	})
}
