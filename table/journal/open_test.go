package journal

import (
	"bytes"
	"crypto/ed25519"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/disktest"
)

// twoStarts is a disk with two parts, and the names of what they are called in tests.
// Part 1 has the records 1 to 4 in two writes, part 2 has 5 to 9 in three, of which 6 and 9
// end a round.
func twoStarts(t testing.TB, o Options) *disktest.Disk {
	t.Helper()
	d := disktest.New(1)
	j := openOn(t, d, o)
	mustAppend(t, j, cardEntry(1), cardEntry(2))
	mustAppend(t, j, cardEntry(3), cardEntry(4))
	j = openOn(t, d.Kill(), o)
	d = j.disk.(*disktest.Disk)
	mustAppend(t, j, cardEntry(5), carrying(cardEntry(6), `{"round":1}`))
	mustAppend(t, j, cardEntry(7))
	mustAppend(t, j, cardEntry(8), carrying(cardEntry(9), `{"round":2}`))
	return d.Kill()
}

// lastWrite is where the last write of a part begins.
func lastWrite(t testing.TB, text []byte) (at int) {
	t.Helper()
	next := 0
	for rest := text; len(rest) > 0; {
		f, err := cutFrame(rest)
		must(t, err)
		next += len(f.text)
		if rest = rest[len(f.text):]; !f.more && len(rest) > 0 {
			at = next
		}
	}
	return at
}

// TestOpen opens journals to which something has happened. A torn end is dropped; a journal
// that does not fit is set aside untouched, and the new one continues above its numbers.
func TestOpen(t *testing.T) {
	const first, last = "part-000001.jsonl", "part-000002.jsonl"
	edit := func(name string, how func(b []byte) []byte) func(*testing.T, *disktest.Disk) {
		return func(t *testing.T, d *disktest.Disk) {
			text, err := d.Hands().Read(name)
			must(t, err)
			must(t, d.Hands().Replace(name, how(bytes.Clone(text))))
		}
	}
	inLast := func(at func(b []byte, begin int) []byte) func(*testing.T, *disktest.Disk) {
		return func(t *testing.T, d *disktest.Disk) {
			edit(last, func(b []byte) []byte { return at(b, lastWrite(t, b)) })(t, d)
		}
	}
	flip := func(text string, from, to string) func(*testing.T, *disktest.Disk) {
		return edit(text, func(b []byte) []byte {
			if !bytes.Contains(b, []byte(from)) {
				t.Fatalf("no %s in %s", from, text)
			}
			return bytes.Replace(b, []byte(from), []byte(to), 1)
		})
	}
	// otherCard changes the first card after the header, which repeats some, too.
	otherCard := func(b []byte) []byte {
		i := bytes.IndexByte(b, '\n')
		return append(b[:i:i], bytes.Replace(b[i:], []byte("TH"), []byte("2H"), 1)...)
	}
	for _, c := range []struct {
		name    string
		spoil   func(*testing.T, *disktest.Disk)
		next    uint64 // the next record
		dropped bool
		aside   string // why it is set aside, "" if it is continued
	}{
		{"nothing", func(*testing.T, *disktest.Disk) {}, 10, false, ""},
		{"a byte short", inLast(func(b []byte, _ int) []byte { return b[:len(b)-10] }), 8, true, ""},
		{
			"a frame short", inLast(func(b []byte, at int) []byte {
				return b[:at+bytes.Index(b[at:], beginRecord)+30]
			}),
			8, true, "",
		},
		{"first frame of two", inLast(func(b []byte, at int) []byte {
			f, _ := cutFrame(b[at:])
			return b[:at+len(f.text)]
		}), 8, true, ""},
		{"never begun", inLast(func(b []byte, at int) []byte { return b[:at] }), 8, false, ""},
		{"one byte of it", inLast(func(b []byte, at int) []byte { return b[:at+1] }), 8, true, ""},
		{"its end zero", inLast(func(b []byte, at int) []byte { clear(b[(at/512+1)*512:]); return b }), 8, true, ""},
		{"all zero", inLast(func(b []byte, at int) []byte { clear(b[at:]); return b }), 8, true, ""},
		{
			"a sector zero", inLast(func(b []byte, at int) []byte {
				clear(b[(at/512+1)*512 : (at/512+2)*512])
				return b
			}),
			8, true, "",
		},
		{
			"zeros, not a sector", inLast(func(b []byte, at int) []byte { clear(b[at+100 : at+110]); return b }), 10,
			false, "record 8",
		},
		{
			"a bit in the last write", inLast(func(b []byte, at int) []byte { b[at+10] ^= 1; return b }), 10, false,
			"record 8 or what",
		},
		{"a card in the last write", inLast(func(b []byte, at int) []byte {
			i := at + bytes.Index(b[at:], []byte("TH"))
			copy(b[i:], "2H")
			return b
		}), 10, false, "record 8 or what comes before it does not fit its hash"},
		{"a card in the middle", edit(last, otherCard), 10, false, "record 5 or what"},
		{"torn, and rot before", inLast(func(b []byte, at int) []byte {
			return append(otherCard(b), `{"in":"ca`...)
		}), 10, false, "record 5"},
		{"rot, and torn after it", inLast(func(b []byte, at int) []byte {
			b[at+30] ^= 1
			return append(b, `{"in":"ca`...)
		}), 10, false, "8"},
		{"a record taken out", inLast(func(b []byte, at int) []byte {
			i := bytes.Index(b, beginIn)
			f, _ := cutFrame(b[i:])
			return append(b[:i], b[i+len(f.text):]...)
		}), 10, false, "record 5 is missing"},
		{
			"header changed", flip(last, `"why":"a start"`, `"why":"a stair"`), 10, false,
			"its header does not fit its hash",
		},
		{
			"a newer format, by accident", flip(last, `"format":3`, `"format":4`), 10, false,
			"its header does not fit its hash",
		},
		{
			"no header", edit(last, func(b []byte) []byte { return b[bytes.Index(b, beginIn):] }), 10, false,
			"not a header",
		},
		{"half a header", edit(last, func(b []byte) []byte { return b[:200] }), 5, false, "no header"},
		{"empty", edit(last, func([]byte) []byte { return nil }), 5, false, "no header"},
		{
			"garbage", edit(last, func(b []byte) []byte { return bytes.Repeat([]byte("garbage\n"), 1000) }), 5, false,
			"not a whole frame",
		},
		{
			"under another number", func(t *testing.T, d *disktest.Disk) { must(t, d.Hands().Move(last, partName(3))) },
			10, false, "holds part 2",
		},
		{
			"the part before is missing", func(t *testing.T, d *disktest.Disk) { must(t, d.Hands().Delete(first)) }, 10,
			false, "nothing says that it was moved away",
		},
		{
			"the part before is changed", edit(first, func(b []byte) []byte { b[lastWrite(t, b)-10] ^= 1; return b }),
			10,
			false, "does not end with the hash",
		},
		{"the part before is longer", func(t *testing.T,
			d *disktest.Disk,
		) {
			must(t, d.Hands().Append(first, []byte("x")))
		}, 10, false, "says that it ends at"},
		{
			"the part before is shorter", edit(first, func(b []byte) []byte { return b[:500] }), 10, false,
			"says that it ends at",
		},
		{"a part of another journal", func(t *testing.T, d *disktest.Disk) {
			text, err := twoStarts(t, Options{}).Hands().Read(first)
			must(t, err)
			must(t, d.Hands().Replace(first, text))
		}, 10, false, "does not end with the hash"},
		{"the last part gone", func(t *testing.T, d *disktest.Disk) { must(t, d.Hands().Delete(last)) }, 5, false, ""},
		{"an unfinished part", func(_ *testing.T,
			d *disktest.Disk,
		) {
			d.Hands().Put(partName(3)+draftEnd, []byte("half"))
		}, 10, false, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := twoStarts(t, Options{})
			c.spoil(t, d)
			wantOpened(t, d, c.next, c.dropped, c.aside, Options{})
		})
	}
}

// wantOpened opens a journal and expects it to be continued, or set aside.
func wantOpened(t *testing.T, d *disktest.Disk, next uint64, dropped bool, aside string, o Options) {
	t.Helper()
	before := map[string]string{}
	for _, name := range d.Hands().Names() {
		if strings.HasPrefix(name, "sim.") {
			continue // the key of the codes moves on
		}
		text, err := d.Hands().Read(name)
		must(t, err)
		before[name] = string(text)
	}
	last := next - 1
	if o.Heard.ID != "" && aside != "" {
		next += heardRoom // the pit may have heard of more
	}
	j := openOn(t, d, o)
	opening := j.Opening()
	if seq, _ := j.Next(); seq != next {
		t.Errorf("the next record is %d, want %d", seq, next)
	}
	if (opening.Dropped > 0) != dropped {
		t.Errorf("%d bytes were dropped", opening.Dropped)
	}
	if (opening.Former != nil) != (aside != "") || opening.New != (aside != "") {
		t.Fatalf("the opening is %+v, %+v", opening, opening.Former)
	}
	if aside != "" {
		if !strings.Contains(opening.Former.Why, aside) || opening.Former.Folder == "" ||
			opening.Former.Record != last {
			t.Errorf("what is said of the former journal is %+v, want %q", opening.Former, aside)
		}
		for name, text := range before {
			if got, err := d.Hands().Read(opening.Former.Folder + "/" + name); err != nil || string(got) != text {
				t.Errorf("%s was not set aside as it was: %v", name, err)
			}
		}
	}
	if seq, _, err := j.Head(); err != nil || aside != "" && seq != 0 || aside == "" && seq != last {
		t.Errorf("the head is %d (%v)", seq, err)
	}
	mustAppend(t, j, cardEntry(1))
	must(t, j.Verify(t.Context(), nil))
	for rec, err := range j.Records(next) {
		if must(t, err); rec.Seq != next {
			t.Errorf("the appended record is %d", rec.Seq)
		}
	}
	must(t, j.Verify(t.Context(), nil))
	again := openOn(t, d.PowerCut(1), o)
	if seq, _ := again.Next(); seq != next+1 || again.Opening().Former != nil {
		t.Errorf("the next start goes on with %d: %+v", seq, again.Opening())
	}
}

// TestWriteTooLarge: a last write that is longer than any can be is none: no header could repeat it.
func TestWriteTooLarge(t *testing.T) {
	d := disktest.New(1)
	j := openOn(t, d, Options{})
	mustAppend(t, j, cardEntry(1))
	b := new(batch)
	b.begin(&j.tail)
	for n := 2; len(b.text) <= mostBatch; n++ {
		e := cardEntry(n)
		b.record(&e)
	}
	b.end()
	must(t, d.Hands().Append(partName(1), b.text))
	wantOpened(t, d, b.state.seq+1, false, "no write has more than", Options{})
}

// TestSetAsideAtOnce: journals that are set aside within a millisecond have folders of their own.
func TestSetAsideAtOnce(t *testing.T) {
	d := disktest.New(1)
	j := openOn(t, d, Options{})
	for n := range 3 {
		mustAppend(t, j, cardEntry(n))
		name := j.current.name
		text, err := d.Hands().Read(name)
		must(t, err)
		must(t, d.Hands().Rot(name, 8*lastWrite(t, text)))
		mustClose(t, j)
		j = openOn(t, d, Options{})
	}
	var folders []string
	for _, one := range j.state().aside {
		folders = append(folders, one.Folder)
	}
	first := slices.Min(folders)
	if want := []string{first + "-3", first + "-2", first}; !slices.Equal(folders, want) {
		t.Errorf("set aside are %q, want %q", folders, want)
	}
}

// TestOpenSealed opens sealed journals to which something has happened.
func TestOpenSealed(t *testing.T) {
	o := Options{Key: testKey}
	const last = "part-000002.jsonl"
	for _, c := range []struct {
		name  string
		spoil func(t *testing.T, b []byte) []byte
		next  uint64
		drops bool
		aside string
	}{
		{"nothing", func(_ *testing.T, b []byte) []byte { return b }, 10, false, ""},
		{"the last seal torn", func(_ *testing.T, b []byte) []byte { return b[:len(b)-20] }, 8, true, ""},
		{
			"the last seal zero", func(_ *testing.T, b []byte) []byte { clear(b[len(b)/512*512:]); return b },
			8, true, "",
		},
		{"the first seal changed", func(_ *testing.T,
			b []byte,
		) []byte {
			return bytes.Replace(b, beginSeal, []byte(`{"seaL":`), 1)
		}, 10, false, "damaged"},
		{
			"all computed anew, with another key", func(t *testing.T, b []byte) []byte {
				return rewritten(t, b, someKey)
			},
			10, false, "the journal was rewritten",
		},
		{
			"all computed anew, without seals", func(t *testing.T, b []byte) []byte { return rewritten(t, b, nil) }, 10,
			false, "the journal was rewritten",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := twoStarts(t, o)
			text, err := d.Hands().Read(last)
			must(t, err)
			must(t, d.Hands().Replace(last, c.spoil(t, text)))
			wantOpened(t, d, c.next, c.drops, c.aside, o)
		})
	}
}

// releaseKey is the key of the journals that releases have left.
var releaseKey = ed25519.NewKeyFromSeed([]byte("the key of a table in the tests!"))

// ofFormat2 is a disk with a journal as programs wrote it before frames had codes.
func ofFormat2(t *testing.T) *disktest.Disk {
	t.Helper()
	d := disktest.New(1)
	text, err := os.ReadFile("../audit/testdata/releases/2026-11-format-2/part-000001.jsonl")
	must(t, err)
	d.Hands().Put(partName(1), text)
	return d
}

// TestOpenSealedWithoutCodes: a journal of an earlier format is continued, and frames have codes from then on. Where
// its frames have none, its seals show what was rewritten.
func TestOpenSealedWithoutCodes(t *testing.T) {
	o := Options{Key: releaseKey}
	text := inFile(t, ofFormat2(t), 1)
	for _, c := range []struct {
		name, aside string
		text        []byte
	}{
		{"nothing", "", text},
		{"all computed anew, with another key", "a seal that is not this table's", rewritten(t, text, someKey)},
		{"all computed anew, without seals", "its beginning is not sealed", rewritten(t, text, nil)},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := ofFormat2(t)
			r := readOn(t, d)
			head, _, err := r.Head()
			must(t, err)
			must(t, d.Hands().Replace(partName(1), c.text))
			wantOpened(t, d, head+1, false, c.aside, o)
			p, err := readOn(t, d).shelf.get(2)
			if must(t, err); p.coded() != 1 || p.Format != 3 {
				t.Errorf("the part that was begun has the format %d, and its first frame the number %d",
					p.Format, p.coded())
			}
		})
	}
}

// rewritten is a part rewritten by somebody who can compute hashes, with another key or none:
// the card of a record is different.
func rewritten(t *testing.T, text []byte, key []byte) []byte {
	t.Helper()
	head, err := cutFrame(text)
	must(t, err)
	h, err := parseHeader(&head)
	must(t, err)
	s := h.state(head.hash)
	j := &Journal{key: key, Reader: &Reader{id: h.Journal}, o: Options{Now: disktest.New(1).Clock().Now}}
	b := batch{open: -1, state: s}
	for rest := text[len(head.text):]; len(rest) > 0; {
		f, err := cutFrame(rest)
		must(t, err)
		rest = rest[len(f.text):]
		switch {
		case f.is(beginRecord):
			b.frame()
			b.text = append(b.text, bytes.Replace(f.text[:len(f.text)-len(f.close)], []byte("TH"), []byte("2H"), 1)...)
			b.text = append(b.text, f.fields()...)
			c, err := parseCommit(f.close)
			must(t, err)
			b.state.seq = c.seq
		case f.is(beginSeal) && key != nil:
			b.seal(j)
		case f.is(beginSeal):
		default:
			b.raw(f.fields())
		}
		if !f.more {
			b.end()
		}
	}
	b.end()
	return append(bytes.Clone(head.text), b.text...)
}

// TestOpenRefuses: what this program must not touch stays as it was.
func TestOpenRefuses(t *testing.T) {
	t.Run("sealed, and no key", func(t *testing.T) {
		_, err := OpenOn(twoStarts(t, Options{Key: testKey}), "sim", Options{})
		wantError(t, err, ErrSealed, "")
	})
	t.Run("newer", func(t *testing.T) {
		d := twoStarts(t, Options{})
		text := bytes.Replace(inFile(t, d, 2), []byte(`"format":3`), []byte(`"format":4,"strange":7`), 1)
		must(t, d.Hands().Replace(partName(2), rehashed(t, text)))
		_, err := OpenOn(d, "sim", Options{})
		wantError(t, err, ErrNewer, "format 4")
		_, err = NewReader("sim", d)
		wantError(t, err, ErrNewer, "format 4")
	})
	t.Run("half a key", func(t *testing.T) {
		_, err := OpenOn(disktest.New(1), "sim", Options{Key: testKey[:5]})
		wantError(t, err, errKey, "")
	})
	t.Run("a disk that cannot be read", func(t *testing.T) {
		d := twoStarts(t, Options{})
		d.Plan(disktest.Fault{Op: disktest.ReadAt, Err: syscall.EIO, Skip: 2, Times: 1})
		_, err := OpenOn(d, "sim", Options{})
		wantError(t, err, syscall.EIO, "")
		wantOpened(t, d, 10, false, "", Options{})
	})
	dir := t.TempDir()
	text := filepath.Join(dir, "text")
	must(t, os.WriteFile(text, []byte("no journal"), 0o644))
	full := filepath.Join(dir, "full")
	must(t, os.Mkdir(full, 0o755))
	must(t, os.WriteFile(filepath.Join(full, "letter.txt"), nil, 0o644))
	for path, want := range map[string]struct {
		kind error
		text string
	}{
		text:                               {ErrForeign, "a journal is a folder"},
		full:                               {ErrForeign, "letter.txt"},
		filepath.Join(dir, "no", "folder"): {os.ErrNotExist, "check the path"},
	} {
		before := content(path)
		_, err := Open(path, Options{})
		wantError(t, err, want.kind, want.text)
		wantError(t, err, nil, path)
		if !bytes.Equal(content(path), before) {
			t.Errorf("Open changed %s", path)
		}
	}
	for path, want := range map[string]error{
		text: ErrForeign, full: ErrForeign,
		filepath.Join(dir, "missing"): os.ErrNotExist, filepath.Join(dir, "no", "folder"): os.ErrNotExist,
	} {
		_, err := OpenReadOnly(path)
		wantError(t, err, want, path)
	}
}

// TestOtherKeys: a journal whose seals are not this table's is set aside.
func TestOtherKeys(t *testing.T) {
	wantOpened(t, twoStarts(t, Options{Key: someKey}), 10, false, "it is sealed by the key", Options{Key: testKey})
	wantOpened(t, twoStarts(t, Options{}), 10, false, "it is not sealed", Options{Key: testKey})
}

// TestHeard compares a journal with what the pit has of it.
func TestHeard(t *testing.T) {
	hashes := map[uint64][32]byte{}
	var id string
	fresh := func() *disktest.Disk {
		d := twoStarts(t, Options{})
		r := readOn(t, d)
		for _, rec := range records(t, r, 1) {
			hashes[rec.Seq] = rec.Hash
		}
		id = r.ID()
		return d
	}
	for _, c := range []struct {
		name   string
		heard  func() Heard
		next   uint64
		behind string
		aside  string
	}{
		{"nothing", func() Heard { return Heard{} }, 10, "", ""},
		{"the last record", func() Heard { return Heard{id, 9, hashes[9], 27} }, 10, "", ""},
		{"an earlier one", func() Heard { return Heard{id, 7, hashes[7], 21} }, 10, "", ""},
		{"one of the part before", func() Heard { return Heard{id, 2, hashes[2], 6} }, 10, "", ""},
		{"none", func() Heard { return Heard{ID: id} }, 10, "", ""},
		{
			"more", func() Heard { return Heard{id, 12, hashes[3], 40} }, 13 + heardRoom,
			"the pit has heard up to record 12", "",
		},
		{
			"more events", func() Heard { return Heard{id, 9, hashes[9], 40} }, 10 + heardRoom,
			"the pit has heard up to record 9", "",
		},
		{"another last one", func() Heard { return Heard{id, 9, hashes[8], 27} }, 10, "", "the journal was rewritten"},
		{
			"another one in the part before", func() Heard { return Heard{id, 2, hashes[8], 27} }, 10, "",
			"the journal was rewritten",
		},
		{
			"another journal", func() Heard { return Heard{strings.Repeat("0", 32), 20, hashes[1], 60} },
			21 + heardRoom,
			"but this is the journal", "",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := fresh()
			o := Options{Heard: c.heard()}
			if c.aside != "" {
				wantOpened(t, d, c.next, false, c.aside, o)
				return
			}
			j := openOn(t, d, o)
			if got := j.Opening(); !strings.Contains(got.Behind, c.behind) || got.Behind != "" && c.behind == "" ||
				got.Former != nil {
				t.Errorf("the opening is %+v", got)
			}
			// a second start before anything was appended, and a third one after that
			for n := range uint64(2) {
				j = openOn(t, d.Kill(), o)
				if seq, _ := j.Next(); seq != c.next+n || j.Opening().Former != nil {
					t.Errorf("the next start goes on with %d: %+v", seq, j.Opening())
				}
				if seq, hash, err := j.Head(); err != nil || n == 0 && (seq != 9 || hash != hashes[9]) {
					t.Errorf("the head is %d %x %v", seq, hash, err)
				}
				mustAppend(t, j, cardEntry(10))
				must(t, j.Verify(t.Context(), nil))
				if got := records(t, j.Reader, 1); len(got) != 10+int(n) || got[9].Seq != c.next {
					t.Errorf("%d records", len(got))
				}
				d = j.disk.(*disktest.Disk)
			}
		})
	}
}

// TestInPlaceOf: a pit that has not yet heard of the journal that replaces another one is not
// ahead of it; if there is no journal at all, numbers continue above the pit's.
func TestInPlaceOf(t *testing.T) {
	d := disktest.New(1)
	heard := Heard{ID: strings.Repeat("5", 32), Record: 30, Hash: [32]byte{5}, Event: 90}
	j := openOn(t, d, Options{Heard: heard})
	if o := j.Opening(); !o.New || o.Former == nil || o.Former.Journal != heard.ID || o.Former.Record != 30 ||
		o.Behind != "" {
		t.Fatalf("the opening is %+v", o)
	}
	if seq, event := j.Next(); seq != 31+heardRoom || event != 91+heardRoom {
		t.Errorf("next are %d and %d", seq, event)
	}
	if seq, hash, err := j.Head(); seq != 0 || hash != origin(j.ID()) || err != nil {
		t.Errorf("the head is %d %x, %v", seq, hash, err)
	}
	mustAppend(t, j, cardEntry(1))
	j = openOn(t, d.Kill(), Options{Heard: heard})
	if o := j.Opening(); o.Behind != "" || o.New || o.Former != nil {
		t.Errorf("the second opening is %+v", o)
	}
	if got := records(t, j.Reader, 1); len(got) != 1 || got[0].Seq != 31+heardRoom {
		t.Errorf("the records are %+v", got)
	}
	must(t, j.Verify(t.Context(), nil))
}

// TestOneWriter starts a second process that holds the journal, and kills it.
func TestOneWriter(t *testing.T) {
	path := newPath(t)
	child := startChild(t, "hold", path)
	child.line(t)

	_, err := Open(path, Options{})
	wantError(t, err, ErrInUse, "(pid "+strconv.Itoa(child.cmd.Process.Pid)+")")
	r, err := OpenReadOnly(path)
	if err != nil {
		t.Fatalf("a reader beside the writer: %v", err)
	}
	mustClose(t, r)

	child.kill(t)
	j := mustOpen(t, path)
	if j.Boot() != 2 {
		t.Errorf("boot is %d, want 2", j.Boot())
	}
	_, err = Open(path, Options{})
	wantError(t, err, ErrInUse, "")
}

// TestErrorsName: even an unknown error says what and where.
func TestErrorsName(t *testing.T) {
	err := fault("append", "/a/journal", fmt.Errorf("part 7: %w", syscall.EROFS))
	if !errors.Is(err, syscall.EROFS) || !strings.HasPrefix(err.Error(), "journal /a/journal: append: part 7: ") ||
		!strings.Contains(err.Error(), "read-only") {
		t.Errorf("error is %v", err)
	}
}

// rehashed is a part whose header has a hash that fits, whatever was changed in it.
func rehashed(t *testing.T, text []byte) []byte {
	t.Helper()
	f, err := cutFrame(text)
	must(t, err)
	h, _ := parseHeader(&f) // it may be of a newer format
	before, err := (&part{Header: h}).chainBefore()
	must(t, err)
	sum := new(linker).sum(&before, f.covered())
	hex.Encode(f.text[len(f.text)-len(afterHash)-hexHash:], sum[:])
	return text
}
