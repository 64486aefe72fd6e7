package audit_test

import (
	"bytes"
	"crypto/ed25519"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/sabot-table/sabot/internal/testkit/journaltest"
	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/internal/testkit/tier"
	"github.com/sabot-table/sabot/table/audit"
	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/rules"
)

// want is a fault that must be found: its kind, and its record where that is not 0.
type want struct {
	kind   audit.Kind
	record int64
}

// longAgo makes the journal in which faults are planted: five parts of four starts and
// two days, two set-ups, cursors.
func longAgo(t *testing.T, id int) string {
	t.Helper()
	path := filepath.Join(tabletest.FastDir(t), "journal")
	book := profile.Built().With(ownRules(t, "1/5"))
	tab := journaltest.NewTable(t, path, book, journaltest.Key)
	play := func(seed uint64, rounds int) {
		player := journaltest.Busy(seed)
		for range rounds {
			tab.Night(player, 1)
			tab.Sent("pit")
			tab.Flush()
		}
	}
	tab.SetUp(rules.Setup{House: "wiesbaden"})
	play(uint64(id), 3)
	tab.Restart()
	play(uint64(id)+10, 3)
	tab.Pass(24 * time.Hour)
	play(uint64(id)+20, 3)
	tab.Restart()
	tab.SetUp(rules.Setup{House: "own"})
	play(uint64(id)+30, 3)
	tab.Restart()
	play(uint64(id)+40, 2)
	tab.Close()
	return path
}

// heard is the head of a journal, as the pit acknowledged it.
func heard(t *testing.T, f *journaltest.File) journal.Heard {
	t.Helper()
	h := f.Heard
	hash, err := hex.DecodeString(h.Hash)
	if err != nil {
		t.Fatal(err)
	}
	return journal.Heard{ID: h.ID, Record: h.Record, Hash: [32]byte(hash), Event: h.Event}
}

// copyOf copies a journal.
func copyOf(t *testing.T, path string) string {
	t.Helper()
	to := filepath.Join(tabletest.FastDir(t), "journal")
	if err := os.CopyFS(to, os.DirFS(path)); err != nil {
		t.Fatal(err)
	}
	return to
}

// finds says whether a report has a fault, and that what comes before it is as grave.
func finds(r *audit.Report, w want) bool {
	return slices.ContainsFunc(r.Faults, func(f *audit.Finding) bool {
		return f.Kind == w.kind && (w.record == 0 || f.Record == uint64(w.record))
	})
}

// way is what a tamperer does behind his change, and what must be found then whatever it
// was.
type way struct {
	name  string
	anew  bool
	seals journaltest.Seals
	kind  audit.Kind
}

// Without the key nobody can make seals, so that the change is found by them. Who has the
// key is found by what the pit has heard.
var withoutKey = []way{
	{"the seals as they are", true, journaltest.Fit, audit.Seals},
	{"signatures of zeros", true, journaltest.Zero, audit.Seals},
	{"another key behind it", true, journaltest.Foreign, audit.Seals},
	{"another key throughout", true, journaltest.Forge, audit.Seals},
	{"no seals behind it", true, journaltest.Drop, audit.Seals},
	{"no seals and no key at all", true, journaltest.Strip, audit.Seals},
	{"the table's key", true, journaltest.Sign, audit.Head},
}

// rowWith is the number of the first record from a number on whose lines contain a text.
func rowWith(f *journaltest.File, from int64, text string) int64 {
	for _, r := range f.Rows() {
		if r.Seq >= from && strings.Contains(r.Input+r.Outputs, text) {
			return r.Seq
		}
	}
	panic("no record has " + text)
}

func replaced(text, old, new string) string {
	if !strings.Contains(text, old) {
		panic(text + " has no " + old)
	}
	return strings.Replace(text, old, new, 1)
}

// TestPlantedInRecords plants faults in records and in the lines beside them, and in the
// headers of parts. Each is found by the chain where it was left as it was, with its
// record; by the seals where the chain was computed anew; and by what the pit has heard
// where somebody had the key.
func TestPlantedInRecords(t *testing.T) {
	base := longAgo(t, 1)
	sound := journaltest.Open(t, base)
	card := rowWith(sound, 30, `"in":"card"`)
	settled := rowWith(sound, 30, `"out":"settled"`)
	ended := rowWith(sound, 30, `"out":"finished"`)
	second := rowWith(sound, 2, `"in":"setup"`)
	begin := func(part int) int64 { return int64(sound.Parts[part-1].Header().Record) + 1 }
	last := begin(3) - 1
	header := func(part int, edit func(*journal.Header)) func(*journaltest.File) {
		return func(f *journaltest.File) { f.Parts[part-1].Edit = edit }
	}
	changes := []struct {
		name  string
		plant func(*journaltest.File)
		// left is what is found with the chain as it was.
		left want
		// sealed says that it is a seal that was changed: who makes seals anew has to leave
		// that.
		sealed bool
	}{
		{"an input", func(f *journaltest.File) { f.Row(card).Input += " " }, want{audit.Chain, card}, false},
		{"an answer", func(f *journaltest.File) {
			f.Row(settled).Outputs = replaced(f.Row(settled).Outputs, `"won":`, `"won":1`)
		}, want{audit.Chain, settled}, false},
		{"a line of an answer taken out", func(f *journaltest.File) {
			_, f.Row(settled).Outputs, _ = strings.Cut(f.Row(settled).Outputs, "\n")
		}, want{audit.Chain, settled}, false},
		{"a time", func(f *journaltest.File) { f.Row(card).At++ }, want{audit.Chain, card}, false},
		{"a round's number", func(f *journaltest.File) { f.Row(card).Round++ }, want{audit.Chain, card}, false},
		{"a number of the shoe", func(f *journaltest.File) { f.Row(card).ShoeSeq++ }, want{audit.Chain, card}, false},
		{"what is carried", func(f *journaltest.File) {
			f.Row(ended).Carry = json.RawMessage(replaced(string(f.Row(ended).Carry), `"round":`, `"round":1`))
		}, want{audit.Chain, ended}, false},
		{
			"a checkpoint taken away", func(f *journaltest.File) { f.Row(ended).Carry = nil },
			want{audit.Chain, ended},
			false,
		},
		{
			"a fingerprint of rules", func(f *journaltest.File) { f.Row(second).Rules = strings.Repeat("ab", 32) },
			want{audit.Chain, second},
			false,
		},
		{
			"a set-up",
			func(f *journaltest.File) { f.Row(second).Input = replaced(f.Row(second).Input, "own", "baden") },
			want{audit.Chain, second},
			false,
		},
		{"a record taken out", func(f *journaltest.File) { f.Drop(card, card) }, want{audit.Missing, card}, false},
		{"the first record taken out", func(f *journaltest.File) { f.Drop(1, 1) }, want{audit.Missing, 1}, false},
		{
			"the last record of a part taken out", func(f *journaltest.File) { f.Drop(last, last) },
			want{audit.Chain, 0},
			false,
		},
		{
			"many records taken out", func(f *journaltest.File) { f.Drop(card, card+20) },
			want{audit.Missing, card},
			false,
		},
		{"a record twice", func(f *journaltest.File) { f.Copy(card, card) }, want{audit.Chain, card}, false},
		{"two records in each other's place", func(f *journaltest.File) {
			a, b := f.Row(card), f.Row(card+1)
			*a, *b = *b,
				*a
		}, want{audit.Missing, card}, false},
		{"a record of nobody", func(f *journaltest.File) {
			row := *f.Row(ended)
			row.Input, row.Outputs, row.Carry, row.Seq = `{"in":"open"}`, "", nil, ended+1
			f.Insert(ended, &journaltest.Frame{Row: &row})
		}, want{audit.Chain, 0}, false},
		{"a cursor moved", func(f *journaltest.File) {
			one := f.Line(2, `{"cursor"`)
			one.Text = one.Text[:len(one.Text)-1] // a digit less
		}, want{audit.Chain, 0}, false},
		{
			"a cursor set back", func(f *journaltest.File) { f.Line(2, `{"cursor"`).Text = `{"cursor":"pit","event":1` },
			want{audit.Chain, 0},
			false,
		},
		{"a cursor renamed", func(f *journaltest.File) {
			one := f.Line(2, `{"cursor"`)
			one.Text = replaced(one.Text, `pit`, `tip`)
		}, want{audit.Chain, 0}, false},
		{"a cursor taken out", func(f *journaltest.File) {
			unwanted := f.Line(2, `{"cursor"`)
			f.Remove(func(one *journaltest.Frame) bool { return one == unwanted })
		}, want{audit.Chain, 0}, false},
		{"a cursor put in", func(f *journaltest.File) {
			f.Insert(ended,
				&journaltest.Frame{Text: `{"cursor":"tip","event":3`})
		}, want{audit.Chain, 0}, false},
		{"a line of no kind", func(f *journaltest.File) {
			f.Insert(ended,
				&journaltest.Frame{Text: `{"comment":"all is well"`})
		}, want{audit.Chain, 0}, false},
		{"the text of rules", func(f *journaltest.File) {
			one := f.Line(0, `{"rules"`)
			one.Text = replaced(one.Text, `"House":"`, `"House":"x`)
		}, want{audit.Chain, 0}, false},
		{"the text of rules taken out", func(f *journaltest.File) {
			unwanted := f.Line(1, `{"rules"`)
			f.Remove(func(one *journaltest.Frame) bool { return one == unwanted })
		}, want{audit.Chain, 0}, false},
		{"a part that is away, on record", func(f *journaltest.File) {
			f.Insert(ended, &journaltest.Frame{Text: `{"away":1,"first":1,"last":20,"to":"/archive","at":1`})
		}, want{audit.Chain, 0}, false},
		{
			"a header's program", header(3, func(h *journal.Header) { h.Program = "sabotd other" }),
			want{audit.Chain, begin(3)},
			false,
		},
		{"a header's start", header(4, func(h *journal.Header) { h.Boot++ }), want{audit.Chain, begin(4)}, false},
		{"a header's time", header(3, func(h *journal.Header) { h.At++ }), want{audit.Chain, begin(3)}, false},
		{
			"a header's reason", header(3, func(h *journal.Header) { h.Why = "a start" }),
			want{audit.Chain, begin(3)},
			false,
		},
		{"a header's set-up", header(3, func(h *journal.Header) {
			h.Setup.Input = json.RawMessage(replaced(string(h.Setup.Input), "wiesbaden", "baden"))
		}), want{audit.Chain, begin(3)}, false},
		{
			"a header's checkpoint", header(3, func(h *journal.Header) { h.Checkpoint-- }),
			want{audit.Chain, begin(3)},
			false,
		},
		{"a header's round", header(3, func(h *journal.Header) { h.Round++ }), want{audit.Chain, begin(3)}, false},
		{
			"a header's shoe", header(3, func(h *journal.Header) { h.Shoe = &[2]uint32{h.Shoe[0], h.Shoe[1] + 1} }),
			want{audit.Chain, begin(3)},
			false,
		},
		{
			"a header's rules", header(3, func(h *journal.Header) { h.Rules = strings.Repeat("ab", 32) }),
			want{audit.Chain, begin(3)},
			false,
		},
		{
			"a header's cursor", header(3, func(h *journal.Header) { h.Cursors["pit"]-- }),
			want{audit.Chain, begin(3)},
			false,
		},
		{
			"a header's cursors taken out", header(3, func(h *journal.Header) { h.Cursors = nil }),
			want{audit.Chain, begin(3)},
			false,
		},
		{
			"a header's last record", header(3, func(h *journal.Header) { h.Record++ }),
			want{audit.Chain, begin(3)},
			false,
		},
		{"a header's last event", header(3, func(h *journal.Header) { h.Event++ }), want{audit.Chain, begin(3)}, false},
		{
			"a header's end of the part before", header(3, func(h *journal.Header) { h.Ends -= 10 }),
			want{audit.Chain, 0},
			false,
		},
		{
			"a header that allows for more", header(3, func(h *journal.Header) { h.Over = 1 << 40 }),
			want{audit.Chain, 0},
			false,
		},
		{
			"a header that repeats nothing", header(4, func(h *journal.Header) { h.Again = "" }),
			want{audit.Chain, 0},
			false,
		},
		{"a header that repeats something else", header(2, func(h *journal.Header) {
			h.Again = replaced(h.Again, `"event":`, `"event":1`)
		}), want{audit.Chain, begin(2)}, false},
		{
			"a header that repeats half of it", header(2, func(h *journal.Header) {
				h.Again = h.Again[:len(h.Again)/2]
			}),
			want{audit.Missing, begin(2)},
			false,
		},
		{
			"a header that follows another hash",
			header(3, func(h *journal.Header) { h.After = strings.Repeat("ab", 32) }),
			want{audit.Chain, begin(3)},
			false,
		},
		{
			"a header without the key", header(3, func(h *journal.Header) { h.Key = "" }),
			want{audit.Chain, begin(3)},
			false,
		},
		{
			"a header of another journal", header(3, func(h *journal.Header) { h.Journal = strings.Repeat("ab", 16) }),
			want{audit.Chain, begin(3)},
			false,
		},
		{
			"a header that excuses a loss", header(3, func(h *journal.Header) { h.Lost = "a mouse ate it" }),
			want{audit.Chain, begin(3)},
			false,
		},
		{
			"a header that was above", header(3, func(h *journal.Header) { h.Above = &[2]uint64{1, 1} }),
			want{audit.Chain, begin(3)},
			false,
		},
		{
			"a header that began a journal", header(3,
				func(h *journal.Header) { h.Former = &journal.Former{Why: "why not"} }),
			want{audit.Chain, begin(3)},
			false,
		},
		{
			"a header that leaves a part out", header(4, func(h *journal.Header) { h.Before = 2 }),
			want{audit.Chain, 0},
			false,
		},
		{"seals taken out of the middle", func(f *journaltest.File) {
			unwanted := f.Seal(2)
			f.Remove(func(one *journaltest.Frame) bool { return one == unwanted })
		}, want{audit.Chain, 0}, false},
		{"a seal's time", func(f *journaltest.File) { f.Seal(2).Seal.At++ }, want{audit.Chain, 0}, true},
		{"a seal's record", func(f *journaltest.File) { f.Seal(2).Seal.Seal-- }, want{audit.Chain, 0}, true},
		{
			"a seal's signature", func(f *journaltest.File) { f.Seal(2).Seal.Signature = strings.Repeat("00", 64) },
			want{audit.Chain, 0},
			true,
		},
		{"a seal's key", func(f *journaltest.File) {
			f.Seal(2).Seal.Key = journal.PublicLine(journaltest.Other.Public().(ed25519.PublicKey))
		}, want{audit.Chain, 0}, true},
	}
	count := 0
	plant := func(name string, w way, planting func(*journaltest.File), wanted want) {
		t.Helper()
		count++
		path := copyOf(t, base)
		f := journaltest.Open(t, path)
		planting(f)
		if w.anew {
			f.Rechain()
		}
		f.Save(w.seals)
		o := options()
		if w.kind == audit.Head {
			o.Heard = heard(t, sound)
		}
		report := check(t, path, o)
		cut := w.kind == audit.Head && finds(report, want{audit.Behind, 0}) // there are fewer records now
		if report.Well() || !finds(report, wanted) && !cut {
			t.Errorf("%s, %s: record %d is not told as %s:\n%s", name, w.name, wanted.record, wanted.kind, text(report))
		}
	}
	for i, c := range changes {
		plant(c.name, way{"the chain as it was", false, journaltest.Leave, c.left.kind}, c.plant, c.left)
		for k, w := range withoutKey {
			if (i+k)%tier.Times(8, 1) != 0 { // make test takes each change with some of the ways, in turn
				continue
			}
			if c.sealed && (w.seals == journaltest.Sign || c.name == "a seal's record") {
				continue
			}
			plant(c.name, w, c.plant, want{w.kind, 0})
		}
	}
	t.Logf("%d faults", count)
}

// TestPlantedInFiles plants faults in the files of parts, of which the chain is left as it
// was. The pit has heard of the end.
func TestPlantedInFiles(t *testing.T) {
	base := longAgo(t, 1)
	other := longAgo(t, 2)
	sound := journaltest.Open(t, base)
	begin := func(part int) int64 { return int64(sound.Parts[part-1].Header().Record) + 1 }
	name := func(path string, part int) string { return filepath.Join(path, fmt.Sprintf("part-%06d.jsonl", part)) }
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	read := func(path string, part int) []byte {
		text, err := os.ReadFile(name(path, part))
		must(err)
		return text
	}
	write := func(path string, part int, text []byte) { must(os.WriteFile(name(path, part), text, 0o600)) }
	appended := func(part int, text string) func(string) {
		return func(path string) { write(path, part, append(read(path, part), text...)) }
	}
	cases := []struct {
		name  string
		plant func(path string)
		want  want
	}{
		{"the first part is gone", func(path string) { must(os.Remove(name(path, 1))) }, want{audit.Missing, 0}},
		{"a part is gone", func(path string) { must(os.Remove(name(path, 3))) }, want{audit.Missing, 0}},
		{
			"two parts are gone", func(path string) { must(first(os.Remove(name(path, 3)), os.Remove(name(path, 2)))) },
			want{audit.Missing, 0},
		},
		{"the last part is gone", func(path string) { must(os.Remove(name(path, 5))) }, want{audit.Behind, 0}},
		{
			"the last two parts are gone",
			func(path string) { must(first(os.Remove(name(path, 5)), os.Remove(name(path, 4)))) },
			want{audit.Behind, 0},
		},
		{"all parts but the first are gone", func(path string) {
			must(first(os.Remove(name(path, 5)), os.Remove(name(path, 4)), os.Remove(name(path, 3)),
				os.Remove(name(path, 2))))
		}, want{audit.Behind, 0}},
		{"the end is cut off behind a round", func(path string) {
			f := journaltest.Open(t, path)
			f.Cut(rowWith(f, begin(5)+5, `"in":"open"`))
			f.Save(journaltest.Leave)
		}, want{audit.Behind, 0}},
		{"the end is cut off behind a record", func(path string) {
			f := journaltest.Open(t, path)
			f.Cut(rowWith(f, begin(5)+5, `"in":"card"`))
			f.Save(journaltest.Leave)
		}, want{audit.Behind, 0}},
		{"the end is cut off, and closed anew", func(path string) {
			f := journaltest.Open(t, path)
			f.Cut(rowWith(f, begin(5)+5, `"in":"open"`))
			f.Rechain()
			f.Save(journaltest.Leave)
		}, want{audit.Behind, 0}},
		{"the end is cut off in a record", func(path string) {
			text := read(path, 5)
			write(path, 5,
				text[:len(text)-2000])
		}, want{audit.Behind, 0}},
		{"a finished part is cut off", func(path string) {
			text := read(path, 2)
			write(path, 2,
				text[:len(text)-2000])
		}, want{audit.Chain, 0}},
		{"a finished part is cut off behind a frame", func(path string) {
			text := read(path, 2)
			write(path, 2, text[:bytes.LastIndex(text[:len(text)/2], []byte("\"}\n"))+3])
		}, want{audit.Chain, 0}},
		{"a part is empty", func(path string) { write(path, 2, nil) }, want{audit.Missing, 0}},
		{
			"a part has nothing but its header",
			func(path string) { text := read(path, 3); write(path, 3, text[:bytes.IndexByte(text, '\n')+1]) },
			want{audit.Chain, 0},
		},
		{
			"a part is zeros", func(path string) { write(path, 3, make([]byte, len(read(path, 3)))) },
			want{audit.Missing, begin(3)},
		},
		{
			"a sector is zeros", func(path string) {
				text := read(path, 3)
				clear(text[2048:2560])
				write(path, 3, text)
			},
			want{audit.Chain, 0},
		},
		{"a byte of a part is another", func(path string) {
			text := read(path, 3)
			text[len(text)/2] ^= 1
			write(path,
				3, text)
		}, want{audit.Chain, 0}},
		{"a byte of a header is another", func(path string) {
			text := read(path, 3)
			text[20] ^= 1
			write(path, 3,
				text)
		}, want{audit.Missing, begin(3)}},
		{
			"a byte of the newest header is another",
			func(path string) { text := read(path, 5); text[20] ^= 1; write(path, 5, text) },
			want{audit.Missing, begin(5)},
		},
		{"a line is put behind a finished part", appended(2, "{\"in\":\"open\"}\n"), want{audit.Chain, begin(3) - 1}},
		{"a byte is put behind a finished part", appended(3, "\n"), want{audit.Chain, begin(4) - 1}},
		{"a frame is put behind a finished part", func(path string) {
			text := read(path, 3)
			end := text[bytes.LastIndex(text[:len(text)-1], []byte("\n"))+1:]
			write(path, 3, append(text, end...))
		}, want{audit.Chain, begin(4) - 1}},
		{"a line is put behind the end", appended(5, "all is well\n"), want{audit.Chain, 0}},
		{
			"a record is put behind the end", appended(5, `{"in":"open"}`+"\n"+
				`{"record":9999,"event":1,"at":1,"round":1,"hash":"`+strings.Repeat("ab", 32)+"\"}\n"),
			want{audit.Missing, 0},
		},
		{"the last frame is put in twice", func(path string) {
			text := read(path, 5)
			end := text[bytes.LastIndex(text[:len(text)-1], []byte("\n"))+1:]
			write(path, 5, append(text, end...))
		}, want{audit.Chain, 0}},
		{"a line longer than any", appended(5, strings.Repeat("x", 9<<20)), want{audit.Chain, 0}},
		{"two parts have each other's names", func(path string) {
			a, b := read(path, 2), read(path, 3)
			write(path, 2, b)
			write(path, 3, a)
		}, want{audit.Missing, begin(2)}},
		{"a part is there twice", func(path string) { write(path, 6, read(path, 5)) }, want{audit.Missing, 0}},
		{"a part is another journal's", func(path string) { write(path, 3, read(other, 3)) }, want{audit.Chain, 0}},
		{
			"the last part is another journal's", func(path string) { write(path, 5, read(other, 5)) },
			want{audit.Chain, 0},
		},
		{"all parts are another journal's", func(path string) {
			for part := range 5 {
				write(path, part+1, read(other, part+1))
			}
		}, want{audit.Head, 0}},
		{"an older copy is put back", func(path string) {
			must(os.Remove(name(path, 5)))
			text := read(path, 4)
			write(path, 4, text[:len(text)-1])
		}, want{audit.Behind, 0}},
		{"a part is put behind the end", func(path string) {
			text := bytes.Replace(read(path, 5), []byte(`"part":5`), []byte(`"part":6`), 1)
			write(path, 6, text)
		}, want{audit.Missing, 0}},
		{"a compressed part is another", func(path string) {
			packed(t, name(path, 2), bytes.Replace(read(path, 2), []byte(`"amount":`), []byte(`"amount":1`), 1))
		}, want{audit.Chain, 0}},
		{"a compressed part is cut off", func(path string) {
			packed(t, name(path, 2), read(path, 2))
			text, err := os.ReadFile(name(path, 2) + ".zst")
			must(err)
			must(os.WriteFile(name(path, 2)+".zst", text[:len(text)/2], 0o600))
		}, want{audit.Missing, begin(2)}},
	}
	for _, c := range cases {
		path := copyOf(t, base)
		c.plant(path)
		o := options()
		o.Heard = heard(t, sound)
		report := check(t, path, o)
		if report.Well() || !finds(report, c.want) {
			t.Errorf("%s: record %d is not told as %s:\n%s", c.name, c.want.record, c.want.kind, text(report))
		}
	}
	t.Logf("%d faults", len(cases))
}

// first is the first error.
func first(list ...error) error {
	for _, err := range list {
		if err != nil {
			return err
		}
	}
	return nil
}

// packed puts a compressed part in the place of one that is not.
func packed(t *testing.T, name string, text []byte) {
	t.Helper()
	enc, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := first(os.WriteFile(name+".zst", enc.EncodeAll(text, nil), 0o600), os.Remove(name)); err != nil {
		t.Fatal(err)
	}
}

func number(n uint64) string { return fmt.Sprint(n) }
