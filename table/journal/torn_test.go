package journal

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// TestKindOfLine: a line of which a power cut has left the beginning is cut off, and one with a flipped bit at its end
// is not: somebody or something has altered it.
func TestKindOfLine(t *testing.T) {
	path := newPath(t)
	j := mustOpen(t, path)
	fill(t, j, 1)
	mustClose(t, j)
	text, err := os.ReadFile(filepath.Join(path, "part-000001.jsonl"))
	must(t, err)
	var line []byte
	for one := range bytes.Lines(text) {
		if line = one; !bytes.HasPrefix(one, beginIn) && !bytes.HasPrefix(one, beginOut) {
			continue
		}
		if kindOfLine(one) != within {
			t.Errorf("an input or output is of kind %d: %s", kindOfLine(one), one)
		}
		one = bytes.Clone(one)
		one[len(one)-2] ^= 1 // its brace
		if kindOfLine(one) != altered {
			t.Errorf("an input or output that is no JSON is of kind %d: %s", kindOfLine(one), one)
		}
	}
	if kindOfLine(line) != ends {
		t.Fatalf("the last line is of kind %d: %s", kindOfLine(line), line)
	}
	for n := range len(line) {
		if kind := kindOfLine(line[:n]); kind != cutOff {
			t.Errorf("the first %d of its %d bytes are of kind %d", n, len(line), kind)
		}
	}
	for _, from := range []int{1, len(line) / 2, len(line) - 1} {
		zeroed := append(bytes.Clone(line[:from]), make([]byte, len(line)-from)...)
		if kind := kindOfLine(zeroed); kind != cutOff {
			t.Errorf("with zeros from byte %d on it is of kind %d", from, kind)
		}
	}
	for bit := range 8 {
		flipped := bytes.Clone(line)
		flipped[len(line)-1] ^= 1 << bit
		if kind := kindOfLine(flipped); kind != altered {
			t.Errorf("with bit %d of its newline flipped it is of kind %d", bit, kind)
		}
		flipped = bytes.Clone(line)
		flipped[len(line)-2] ^= 1 << bit
		if kind := kindOfLine(flipped); kind != altered {
			t.Errorf("with bit %d of its brace flipped it is of kind %d", bit, kind)
		}
	}
}

// TestCursorOfNobody: who has never said how far they are begins at the journal's first event, and where the first part
// is away not behind it.
func TestCursorOfNobody(t *testing.T) {
	path := threeParts(t)
	for _, gone := range []string{"", "part-000001.jsonl"} {
		if gone != "" {
			must(t, os.Remove(filepath.Join(path, gone)))
		}
		j := mustOpen(t, path)
		if event, err := j.Cursor("somebody new"); err != nil || event != 0 {
			t.Errorf("without %q they begin after event %d: %v", gone, event, err)
		}
		mustClose(t, j)
	}
}
