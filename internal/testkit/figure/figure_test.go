package figure

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// newFile is a file with one figure, of 100.
func newFile(t *testing.T) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "figures.txt")
	text := Format([]Row{{Name: "page.card.bytes", Value: 100, Unit: "bytes a card"}})
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func of(value float64) Row { return Row{Name: "page.card.bytes", Value: value, Unit: "bytes a card"} }

// TestSixPercent: what is 6 % worse or better fails, says what to do, and passes once there is a reason.
func TestSixPercent(t *testing.T) {
	for now, said := range map[float64]string{
		106: "page.card.bytes is 6.0 % worse: 106 bytes a card, and internal/testkit/figure/figures.txt has 100. " +
			"Make it smaller; ",
		94: "page.card.bytes is 6.0 % better: 94 bytes a card, and internal/testkit/figure/figures.txt has 100. " +
			"Write the new value",
	} {
		file := newFile(t)
		_, err := check(file, "go test ./a", of(now), "")
		if err == nil || !strings.HasPrefix(err.Error(), said) ||
			!strings.Contains(err.Error(), "\n\tgo test ./a -figures.why '") {
			t.Errorf("%v says %v, want %s", now, err, said)
		}
		if wrote, err := check(file, "", of(now), "a clock\n on  the page"); err != nil || !wrote {
			t.Errorf("%v with a reason says %v", now, err)
		}
		if wrote, err := check(file, "", of(now), ""); err != nil || wrote {
			t.Errorf("%v says after it was written %v", now, err)
		}
		want := Row{Name: "page.card.bytes", Value: now, Unit: "bytes a card", Was: 100, Why: "a clock on the page"}
		if rows, err := ReadFile(file); err != nil || !slices.Equal(rows, []Row{want}) {
			t.Errorf("the file has %+v, %v", rows, err)
		}
	}
}

// TestFivePercent: so much passes, and is not written even with a reason, so that the reasons stay true and small steps
// add up.
func TestFivePercent(t *testing.T) {
	file := newFile(t)
	for _, now := range []float64{95, 100, 105} {
		if wrote, err := check(file, "", of(now), "none"); err != nil || wrote {
			t.Errorf("%v: %v, written: %t", now, err, wrote)
		}
	}
	if rows, err := ReadFile(file); err != nil || !slices.Equal(rows, []Row{of(100)}) {
		t.Errorf("the file has %+v, %v", rows, err)
	}
}

// TestNothing: what was not allocated at all may not be allocated once.
func TestNothing(t *testing.T) {
	file := newFile(t)
	none := Row{Name: "keys.edge.allocations", Unit: "allocations an edge"}
	if _, err := check(file, "", none, ""); err == nil ||
		!strings.Contains(err.Error(), "keys.edge.allocations, 0 allocations an edge, is not in ") {
		t.Errorf("an unknown figure says %v", err)
	}
	if wrote, err := check(file, "", none, "new"); err != nil || !wrote {
		t.Errorf("a new figure says %v", err)
	}
	if rows, err := ReadFile(file); err != nil || !slices.Equal(rows, []Row{none, of(100)}) {
		t.Errorf("the file has %+v, %v", rows, err)
	}
	if _, err := check(file, "", none, ""); err != nil {
		t.Error(err)
	}
	none.Value = 0.01
	if _, err := check(file, "", none, ""); err == nil ||
		!strings.Contains(err.Error(), "endlessly worse: 0.01 allocations an edge") {
		t.Errorf("one allocation in a hundred says %v", err)
	}
	none.Value, none.Unit = 0, "allocations a press"
	if _, err := check(file, "", none, ""); err == nil || !strings.Contains(err.Error(), "is in allocations a press") {
		t.Errorf("another unit says %v", err)
	}
}

// TestParse: what a hand may do to the file is found.
func TestParse(t *testing.T) {
	good := head + "\na.b  2  bytes\na.c  1  bytes  was 3: less\n\nb.a  0.25  allocations\n"
	good = strings.ReplaceAll(good, "a.b  2  bytes", "a.b     2  bytes")
	good = strings.ReplaceAll(good, "a.c  1  bytes  was", "a.c     1  bytes        was")
	rows, err := Parse(good)
	if err != nil || len(rows) != 3 || rows[1] != (Row{"a.c", 1, "bytes", 3, "less"}) {
		t.Fatalf("%+v, %v", rows, err)
	}
	for _, change := range []struct{ from, to, says string }{
		{"bytes        was", "bytes was", "not a unit"},
		{"bytes        was", "bytes       was", "order"},
		{"was 3: less", "was 3:", "not a reason"},
		{"was 3: less", "because", "not a reason"},
		{"was 3:", "was 3.:", "not a number"},
		{"0.25", "0.251", "not a number"},
		{"0.25", "0,25", "not a number"},
		{"0.25", " NaN", "not a number"},
		{"0.25", " Inf", "not a number"},
		{"0.25", "-0.2", "not a number"},
		{"a.b ", "A.b ", "not a name"},
		{"a.b ", "a   ", "not a name"},
		{"a.b ", "a.c ", "twice"},
		{"a.b ", "a.d ", "order"},
		{"\n\nb.a", "\nb.a", "order"},
		{"  allocations\n", "\n", "not a name, a value"},
		{"  allocations\n", "  allocations", "order"},
		{"# names", "# Names", "order"},
	} {
		text := strings.Replace(good, change.from, change.to, 1)
		if _, err := Parse(text); text == good || err == nil || !strings.Contains(err.Error(), change.says) {
			t.Errorf("%q instead of %q says %v, want %q", change.to, change.from, err, change.says)
		}
	}
}

// TestTheFile: it can be read, and each of its figures is measured by one test.
func TestTheFile(t *testing.T) {
	root, err := Root()
	if err != nil {
		t.Fatal(err)
	}
	rows, err := ReadFile(filepath.Join(root, File))
	if err != nil {
		t.Fatal(err)
	}
	measured := map[string]int{}
	calls := regexp.MustCompile(`figure\.Check\(t, "([^"]+)"`)
	err = filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		name := entry.Name()
		switch {
		case err != nil:
			return err
		case entry.IsDir() && path != root && (strings.HasPrefix(name, ".") || name == "node_modules" ||
			name == "testdata" || name == "dist"):
			return fs.SkipDir
		case !strings.HasSuffix(name, "_test.go"):
			return nil
		}
		text, err := os.ReadFile(path)
		for _, call := range calls.FindAllSubmatch(text, -1) {
			measured[string(call[1])]++
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		if measured[r.Name] != 1 {
			t.Errorf("%s: %d tests measure %s, want one: if it is gone for good, remove its line", File,
				measured[r.Name], r.Name)
		}
	}
	if len(rows) < 25 {
		t.Errorf("%s has only %d figures", File, len(rows))
	}
}
