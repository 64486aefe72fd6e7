package journal

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"pgregory.net/rapid"

	"github.com/sabot-table/sabot/internal/testkit/disktest"
)

// aPart is a part with lines of every kind.
func aPart(t testing.TB) []byte {
	t.Helper()
	d := disktest.New(1)
	j := openOn(t, d, Options{Key: testKey})
	mustAppend(t, j, carrying(cardEntry(1), "{}"), cardEntry(2))
	must(t, j.SetCursor("mqtt", 2))
	mustAppend(t, j, cardEntry(3))
	must(t, j.away(AwayError{Part: 1, First: 1, Last: 2, To: "/a"}))
	return inFile(t, d, 1)
}

// FuzzFrame: whatever a file contains, a frame cut from it is a piece of it, and what is read
// from the frame was written by the same program.
func FuzzFrame(f *testing.F) {
	good := aPart(f)
	f.Add(good)
	for rest := good; len(rest) > 0; {
		fr, err := cutFrame(rest)
		must(f, err)
		f.Add(bytes.Clone(fr.text))
		rest = rest[len(fr.text):]
	}
	f.Add([]byte(`{"rules":null,"away":1,"hash":"` + string(bytes.Repeat([]byte("0"), 64)) + "\"}\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		fr, err := cutFrame(text)
		if err != nil {
			if !errors.Is(err, errFrame) && !errors.Is(err, io.ErrUnexpectedEOF) {
				t.Fatalf("error is %v", err)
			}
			return
		}
		if !bytes.HasPrefix(text, fr.text) || !bytes.HasSuffix(fr.text, fr.close) || len(fr.covered()) >= len(fr.text) {
			t.Fatalf("the frame is %q", fr.text)
		}
		_, _ = parseCommit(fr.close)
		s := state{seq: 1, event: 6, cursors: map[string]uint64{}}
		_, _ = s.parseSeal(&fr)
		_, _ = s.parseNote(&fr)
		if h, err := parseHeader(&fr); err == nil {
			_ = h.state(fr.hash)
			_, _ = (&part{Header: h}).chainBefore()
		}
		var r Record
		if parseRecord(&fr, &r) != nil {
			return
		}
		b := appendCommit(nil, &r)
		if !bytes.Equal(b, fr.fields()) {
			t.Errorf("%q was read as %q", fr.fields(), b)
		}
	})
}

// FuzzPart: whatever the folder contains, reading it ends, without a panic, and reports what
// is wrong; a start makes a journal from it or refuses.
func FuzzPart(f *testing.F) {
	good := aPart(f)
	f.Add(good, []byte(nil))
	f.Add(good[:len(good)-5], good)
	f.Add(bytes.Replace(good, []byte("TH"), []byte("2H"), 2), []byte("x"))
	f.Fuzz(func(t *testing.T, first, second []byte) {
		d := disktest.New(1)
		d.Hands().Put(partName(1), first)
		if len(second) > 0 {
			d.Hands().Put(partName(2), second)
		}
		if r, err := NewReader("sim", d); err == nil {
			_ = r.Walk(t.Context(), func(*Step) error { return nil })
			_ = r.Verify(t.Context(), nil)
			for _, err := range r.Records(1) {
				_ = err
			}
			_, _ = r.Events(1, 5)
			_, _ = r.FirstOf(1)
			_, _, _ = r.Head()
			_, _, _, _ = r.Checkpoint()
			_, _ = r.Rules("00")
			_, _ = r.SetUp(1)
			_, _ = r.Boots(t.Context())
		}
		j, err := OpenOn(d, "sim", Options{Key: testKey, Now: d.Clock().Now})
		if err != nil {
			return
		}
		before, _ := j.Next()
		must(t, j.Append([]Entry{cardEntry(1)}))
		if next, _ := j.Next(); next != before+1 {
			t.Errorf("after record %d comes %d", before, next)
		}
	})
}

// FuzzUnfinished: what can be the rest of one write is distinguished from what cannot.
func FuzzUnfinished(f *testing.F) {
	part := aPart(f)
	from := lastWrite(f, part)
	f.Add(part[from:], from, 3)
	f.Add(part[from:], from, 30)
	f.Fuzz(func(t *testing.T, text []byte, at, cut int) {
		if at < 0 || cut < 0 {
			return
		}
		_ = unfinished(text, int64(at))
		whole := part[from:]
		if cut >= len(whole) {
			return
		}
		if !unfinished(whole[:cut], int64(from)) && len(whole)-cut > 3 {
			t.Errorf("the last write cut off at %d is taken for damage", cut)
		}
	})
}

// TestFramesInPieces: frames come out as they went in, however reads split them; a frame
// without an end does not fill the memory.
func TestFramesInPieces(t *testing.T) {
	part := aPart(t)
	rapid.Check(t, func(t *rapid.T) {
		in := newFrames(bytes.NewReader(part), 0, int64(len(part)))
		in.chunk = rapid.IntRange(1, 2000).Draw(t, "chunk")
		var got []byte
		for {
			f, err := in.next()
			if errors.Is(err, io.EOF) {
				break
			}
			check(t, err)
			if f.at != int64(len(got)) {
				t.Fatalf("a frame at %d begins at %d", len(got), f.at)
			}
			got = append(got, f.text...)
		}
		if !bytes.Equal(got, part) {
			t.Fatal("what was read is not what was written")
		}
	})
	endless := newFrames(zeros{}, 0, 1<<40)
	f, err := endless.next()
	if !errors.Is(err, errFrame) || cap(endless.buf) > 4*mostFrame {
		t.Errorf("%d bytes in memory, error %v", cap(endless.buf), err)
	}
	endless.pass(f.text)
	if _, err := endless.next(); !errors.Is(err, errFrame) {
		t.Errorf("after it: %v", err)
	}
}

type zeros struct{}

func (zeros) ReadAt(b []byte, _ int64) (int, error) { clear(b); return len(b), nil }

// TestTextBorders reads a part, including its repeated end and a hole, from every byte.
func TestTextBorders(t *testing.T) {
	for _, there := range []int64{0, 3, 6, 9} {
		x := &text{from: bytes.NewReader([]byte("abcdefxyz")[:there]), file: there, size: 6, again: []byte("GHI")}
		want := []byte("abcdefGHI")
		if there < 6 {
			clear(want[there:6])
			want[5] = '\n'
		}
		for at := range 10 {
			for n := range 12 {
				b := bytes.Repeat([]byte("?"), n)
				m, err := x.ReadAt(b, int64(at))
				end := min(at+n, 9)
				if m != end-at || !bytes.Equal(b[:m], want[at:end]) || (err == io.EOF) != (m < n) {
					t.Fatalf("%d there, %d bytes at %d: %q, %v", there, n, at, b[:m], err)
				}
			}
		}
	}
}
