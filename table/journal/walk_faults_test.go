package journal

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/table/journal/disk"
)

// walked are the faults and the records that a walk reports.
func walked(t *testing.T, path string) (faults []string, records int) {
	t.Helper()
	r, err := OpenReadOnly(path)
	if err != nil {
		t.Fatal(err)
	}
	defer mustClose(t, r)
	err = r.Walk(t.Context(), func(s *Step) error {
		if s.Fault != nil {
			faults = append(faults, s.Fault.Error())
		}
		if s.Record != nil {
			records++
		}
		if len(faults) > 100 {
			return errors.New("it never ends")
		}
		return nil
	})
	if err != nil {
		t.Fatal(err, faults[:3])
	}
	return faults, records
}

// threeParts has ten records in each part.
func threeParts(t *testing.T) (path string) {
	t.Helper()
	path = newPath(t)
	for part := range 3 {
		j := mustOpen(t, path)
		for n := range 10 {
			mustAppend(t, j, cardEntry(part*10+n+1))
		}
		mustClose(t, j)
	}
	return path
}

func edit(t *testing.T, path string, part uint64, change func([]byte) []byte) {
	t.Helper()
	name := filepath.Join(path, partName(part))
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, change(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestWalkEnds at a finished part that was cut off in the middle of a line, where no
// header says how long it was.
func TestWalkEnds(t *testing.T) {
	path := threeParts(t)
	edit(t, path, 2, func(text []byte) []byte { return text[:len(text)-1000] })
	edit(t, path, 3, func([]byte) []byte { return nil })
	faults, records := walked(t, path)
	if len(faults) != 2 || !strings.Contains(faults[0], "ends in the middle") || records != 17 {
		t.Errorf("%d records, and the faults %q", records, faults)
	}
}

// TestWalkLosesOnePart where a header cannot be read, and none where it can be.
func TestWalkLosesOnePart(t *testing.T) {
	for _, part := range []uint64{1, 2, 3} {
		for old, left := range map[string]int{`{"part":`: 20, `"program":"sabotd test"`: 30} {
			path := threeParts(t)
			edit(t, path, part, func(text []byte) []byte {
				return bytes.Replace(text, []byte(old), bytes.ReplaceAll([]byte(old), []byte("t"), []byte("T")), 1)
			})
			faults, records := walked(t, path)
			if len(faults) == 0 || records < left {
				t.Errorf("without %s in part %d: %d records, and the faults %q", old, part, records, faults)
			}
		}
	}
}

// TestWalkLeavesOutTheUnfinished: what was written together counts together.
func TestWalkLeavesOutTheUnfinished(t *testing.T) {
	path := newPath(t)
	j := mustOpen(t, path)
	mustAppend(t, j, cardEntry(1))
	mustAppend(t, j, cardEntry(2), cardEntry(3), cardEntry(4))
	mustClose(t, j)
	whole, err := os.ReadFile(filepath.Join(path, partName(1)))
	if err != nil {
		t.Fatal(err)
	}
	third := bytes.Index(whole, []byte(`{"record":3`))
	for size := bytes.Index(whole, []byte(`{"record":2`)); size < len(whole); size += 7 {
		edit(t, path, 1, func([]byte) []byte { return whole[:size] })
		if faults, records := walked(t, path); len(faults) != 0 || records != 1 {
			t.Fatalf("of %d bytes, record 3 beginning to end at %d: %d records, and the faults %q", size, third,
				records, faults)
		}
		r, err := OpenReadOnly(path)
		if err != nil {
			t.Fatal(err)
		}
		if head, _, err := r.Head(); err != nil || head != 1 {
			t.Fatalf("of %d bytes, the last record is %d, %v", size, head, err)
		}
		mustClose(t, r)
	}
}

// flaky is a folder in which waiting for the disk fails on request.
type flaky struct {
	disk.Disk
	file, folder *bool
}

var errFlaky = errors.New("the disk did not confirm")

func (f flaky) SyncFolder() error {
	if *f.folder {
		return errFlaky
	}
	return f.Disk.SyncFolder()
}

func (f flaky) Create(name string) (disk.File, error) {
	one, err := f.Disk.Create(name)
	return flakyFile{one, f.file}, err
}

type flakyFile struct {
	disk.File
	fail *bool
}

func (f flakyFile) Sync() error {
	if *f.fail {
		*f.fail = false
		return errFlaky
	}
	return f.File.Sync()
}

// TestPartsThatWereGivenUp do not count, and neither does what they repeat.
func TestPartsThatWereGivenUp(t *testing.T) {
	path := newPath(t)
	if err := os.Mkdir(path, 0o700); err != nil {
		t.Fatal(err)
	}
	var file, folder bool
	j, err := OpenOn(flaky{disk.Folder(path), &file, &folder}, path, Options{Program: "sabotd test"})
	if err != nil {
		t.Fatal(err)
	}
	mustAppend(t, j, cardEntry(1))
	file, folder = true, true
	for n := 20; n < 22; n++ { // parts 2 and 3 are there, and may be lost
		if err := j.Append([]Entry{cardEntry(n)}); err == nil {
			t.Fatal("nothing failed")
		}
	}
	folder = false
	mustAppend(t, j, cardEntry(2), cardEntry(3))
	mustClose(t, j)
	if faults, records := walked(t, path); len(faults) != 0 || records != 3 {
		t.Errorf("%d records, and the faults %q", records, faults)
	}
	r, err := OpenReadOnly(path)
	if err != nil {
		t.Fatal(err)
	}
	defer mustClose(t, r)
	if all := records(t, r, 1); len(all) != 3 || all[1].ShoeSeq != 2 {
		t.Errorf("the records are %+v", all)
	}
	// A part with more than its beginning was not abandoned.
	edit(t, path, 2, func(text []byte) []byte { return append(text, text[bytes.IndexByte(text, '\n')+1:]...) })
	edit(t, path, 3, func(text []byte) []byte { return append(text, text...) })
	if faults, _ := walked(t, path); len(faults) == 0 {
		t.Error("what was written to a part that does not count is not reported")
	}
}

// TestNameOfAFolder may end with a slash.
func TestNameOfAFolder(t *testing.T) {
	path := threeParts(t)
	for _, name := range []string{path + "/", path + "//", filepath.Dir(path) + "/./" + filepath.Base(path)} {
		r, err := OpenReadOnly(name)
		if err != nil {
			t.Fatal(err)
		}
		if r.Path() != path {
			t.Errorf("%s is %s", name, r.Path())
		}
		mustClose(t, r)
	}
}

// TestWhatFollowsTheEnd of a finished part is what the next one repeats, or what is left
// of it.
func TestWhatFollowsTheEnd(t *testing.T) {
	for name, c := range map[string]struct {
		change func(rest []byte) []byte
		faults int
	}{
		"as it was written":   {func(rest []byte) []byte { return rest }, 0},
		"cut off":             {func(rest []byte) []byte { return rest[:len(rest)/2] }, 0},
		"nothing":             {func([]byte) []byte { return nil }, 0},
		"with zeros":          {func(rest []byte) []byte { clear(rest[10:100]); return rest }, 0},
		"with another letter": {func(rest []byte) []byte { rest[10] = 'x'; return rest }, 1},
		"longer":              {func(rest []byte) []byte { return append(rest, "and more"...) }, 1},
	} {
		path := threeParts(t)
		r, err := OpenReadOnly(path)
		if err != nil {
			t.Fatal(err)
		}
		next, err := r.shelf.get(3)
		if err != nil {
			t.Fatal(err)
		}
		mustClose(t, r)
		edit(t, path, 2, func(text []byte) []byte { return append(text[:next.Ends], c.change(text[next.Ends:])...) })
		if faults, records := walked(t, path); len(faults) != c.faults || records != 30 {
			t.Errorf("%s: %d records, and the faults %q", name, records, faults)
		}
	}
}
