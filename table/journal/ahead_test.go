package journal

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/sabot-table/sabot/internal/testkit/tier" // the seed of properties
)

// chained are successive frames, with junk between some of them, as in a part.
func chained(t *rapid.T) (text []byte) {
	var l linker
	before := origin("rapid")
	for n := range rapid.IntRange(0, 40).Draw(t, "frames") {
		if rapid.IntRange(0, 9).Draw(t, "junk") == 0 {
			text = append(text, strings.Repeat("junk", rapid.IntRange(1, 40).Draw(t, "length"))+"\n"...)
		}
		own := fmt.Appendf(nil, "{\"in\":\"%s\"}\n{\"record\":%d",
			strings.Repeat("x", rapid.IntRange(0, 300).Draw(t, "size")), n)
		sum := l.sum(&before, own)
		if rapid.IntRange(0, 9).Draw(t, "changed") == 0 {
			own[8] = 'y'
		}
		text = fmt.Appendf(append(text, own...), `,"hash":"%x"}`+"\n", sum)
		before = sum
	}
	return append(text, rapid.SampledFrom([]string{"", `{"in":"op`}).Draw(t, "end")...)
}

// TestAheadReadsAsOne: reading and hashing ahead gives the same as reading frame by frame,
// wherever buffers end.
func TestAheadReadsAsOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := chained(t)
		in := newFrames(bytes.NewReader(text), 0, int64(len(text)))
		in.chunk = rapid.IntRange(1, 500).Draw(t, "chunk")
		var a ahead
		a.readAhead(in)
		defer a.end()
		one := newFrames(bytes.NewReader(text), 0, int64(len(text)))
		c := linker{}
		var before *frame
		for {
			f, err := one.next()
			if errors.Is(err, errFrame) {
				one.pass(f.text)
			}
			got, rest, end := a.get()
			if end != nil {
				if !errors.Is(err, end) || string(rest.text) != string(f.text) {
					t.Fatalf("it ends with %v at %q, not with %v at %q", end, rest.text, err, f.text)
				}
				return
			}
			if string(got.text) != string(f.text) || got.at != f.at || (got.wrong != nil) != (err != nil) {
				t.Fatalf("%q at byte %d, not %q at byte %d", got.text, got.at, f.text, f.at)
			}
			if err != nil {
				continue
			}
			linked := before != nil && before.end() == f.at
			if got.linked != linked || linked && got.fits != (c.sum(&before.hash, f.covered()) == f.hash) {
				t.Fatalf("%q is linked: %t, and fits: %t", got.text, got.linked, got.fits)
			}
			before = &frame{at: f.at, text: bytes.Clone(f.text), hash: f.hash}
		}
	})
}

// TestWalkCanBeEnded anywhere.
func TestWalkCanBeEnded(t *testing.T) {
	path := newPath(t)
	j := mustOpen(t, path)
	fill(t, j, 4000) // of many stretches
	mustClose(t, j)
	r, err := OpenReadOnly(path)
	if err != nil {
		t.Fatal(err)
	}
	defer mustClose(t, r)
	enough := errors.New("enough")
	for _, most := range []int{0, 1, 500, 3999} {
		n := 0
		err := r.Walk(t.Context(), func(*Step) error {
			if n++; n > most {
				return enough
			}
			return nil
		})
		if !errors.Is(err, enough) || n != most+1 {
			t.Errorf("after %d of %d steps: %v", n, most+1, err)
		}
	}
}

// TestHashIsInLowerCase: there is only one way to write a hash, so that the chain shows
// every changed byte.
func TestHashIsInLowerCase(t *testing.T) {
	path := newPath(t)
	j := mustOpen(t, path)
	mustAppend(t, j, cardEntry(1))
	mustAppend(t, j, cardEntry(2))
	mustClose(t, j)
	edit(t, path, 1, func(text []byte) []byte {
		at := bytes.LastIndex(text, beforeHash) + len(beforeHash)
		return append(text[:at:at], append(bytes.ToUpper(text[at:at+hexHash]), text[at+hexHash:]...)...)
	})
	if faults, records := walked(t, path); len(faults) != 1 || records != 1 {
		t.Errorf("%d records, and the faults %q", records, faults)
	}
	text, err := os.ReadFile(filepath.Join(path, partName(1)))
	if err != nil {
		t.Fatal(err)
	}
	in := newFrames(bytes.NewReader(text), 0, int64(len(text)))
	for {
		if _, err = in.next(); err != nil {
			break
		}
	}
	if !errors.Is(err, errFrame) || errors.Is(err, io.EOF) {
		t.Errorf("reading ends with %v", err)
	}
}
