package image

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/sabot-table/sabot/internal/testkit/tier" // the seed of properties
)

// TestPlace: a file is in the card byte for byte where it belongs, and nothing else is changed.
func TestPlace(t *testing.T) {
	folder := t.TempDir()
	rapid.Check(t, func(r *rapid.T) {
		var text []byte
		for range rapid.IntRange(0, 4).Draw(r, "blocks") {
			block := make([]byte, rapid.SampledFrom([]int{1, 4096, mib - 1, mib, mib + 1}).Draw(r, "size"))
			if rapid.Bool().Draw(r, "not zero") {
				block[rapid.IntRange(0, len(block)-1).Draw(r, "at")] = 1
			}
			text = append(text, block...)
		}
		at := rapid.IntRange(0, 5).Draw(r, "at") * sector
		card, file := filepath.Join(folder, "card"), filepath.Join(folder, "file")
		want := make([]byte, 6*sector+5*mib)
		want[len(want)-1] = 7
		if err := os.WriteFile(card, want, 0o600); err != nil {
			r.Fatal(err)
		}
		if err := os.WriteFile(file, text, 0o600); err != nil {
			r.Fatal(err)
		}
		if err := place(card, file, int64(at)); err != nil {
			r.Fatal(err)
		}
		copy(want[at:], text)
		if got, err := os.ReadFile(card); err != nil || !bytes.Equal(got, want) {
			r.Fatalf("the card is another: %v", err)
		}
	})
}

// TestLines: a list of the recipe has entries, comments and empty lines.
func TestLines(t *testing.T) {
	path := filepath.Join(t.TempDir(), "list")
	if err := os.WriteFile(path, []byte("# of packages\n\n  cage \n#chromium\n!/usr/share/x\nlast"),
		0o600); err != nil {
		t.Fatal(err)
	}
	if got, err := lines(path); err != nil || !slices.Equal(got, []string{"cage", "!/usr/share/x", "last"}) {
		t.Errorf("read %q, %v", got, err)
	}
}

// TestSizeOf: a file under two names takes its room once.
func TestSizeOf(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "a")
	if err := os.WriteFile(path, make([]byte, 5000), 0o600); err != nil {
		t.Fatal(err)
	}
	before, err := sizeOf(folder)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Link(path, filepath.Join(folder, "b")); err != nil {
		t.Fatal(err)
	}
	if after, err := sizeOf(folder); err != nil || after != before || before < 8192 {
		t.Errorf("%d bytes with one name, %d with two, %v", before, after, err)
	}
}
