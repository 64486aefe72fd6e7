package journal

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestExtents: what a copy needs is all parts, the newest first, each as long as it is on the disk.
func TestExtents(t *testing.T) {
	path := threeParts(t)
	r, err := OpenReadOnly(path)
	must(t, err)
	defer mustClose(t, r)
	list, err := r.Extents()
	must(t, err)
	var names []string
	for _, one := range list {
		names = append(names, one.Name)
		info, err := os.Stat(filepath.Join(path, one.Name))
		must(t, err)
		if info.Size() != one.Size {
			t.Errorf("%s has %d bytes, and %d are to be copied", one.Name, info.Size(), one.Size)
		}
	}
	if want := []string{"part-000003.jsonl", "part-000002.jsonl", "part-000001.jsonl"}; !slices.Equal(names, want) {
		t.Errorf("to be copied are %q, want %q", names, want)
	}
	must(t, os.Remove(filepath.Join(path, "part-000001.jsonl")))
	if list, err := r.Extents(); err == nil && len(list) != 2 {
		t.Errorf("after the first part went: %v", list)
	}
}

// TestAside: what was set aside and what is foreign is listed, and nothing that the journal itself consists of.
func TestAside(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "journal")
	for _, name := range []string{
		"part-000001.jsonl", "part-000002.jsonl.zst", "part-000003.jsonl.new", "set-aside-x/part-000001.jsonl",
		"foreign-1-part-000001.jsonl", "letter.txt",
	} {
		must(t, os.MkdirAll(filepath.Dir(filepath.Join(folder, name)), 0o700))
		must(t, os.WriteFile(filepath.Join(folder, name), nil, 0o600))
	}
	names, err := Aside(folder)
	must(t, err)
	slices.Sort(names)
	if want := []string{"foreign-1-part-000001.jsonl", "set-aside-x/part-000001.jsonl"}; !slices.Equal(names, want) {
		t.Errorf("set aside are %q, want %q", names, want)
	}
}

// TestNewest: the head of what was set aside is in the parts with the highest numbers, whatever their order in a list.
func TestNewest(t *testing.T) {
	names := strings.Fields("part-1000000.jsonl letter part-000002.jsonl part-999999.jsonl.zst part-000010.jsonl")
	if got := newest(names); !slices.Equal(got, []string{"part-999999.jsonl.zst", "part-1000000.jsonl"}) {
		t.Errorf("the newest parts are %q", got)
	}
	if got := newest([]string{"letter"}); len(got) != 0 {
		t.Errorf("of no part the newest is %q", got)
	}
}

// TestNoFileInThePlaceOfTheAuditKey: a folder or a pipe there is no key that was taken to the house.
func TestNoFileInThePlaceOfTheAuditKey(t *testing.T) {
	path := newPath(t)
	must(t, os.Mkdir(path+AuditKeyEnd, 0o700))
	if _, err := AuditKeys(path); err == nil || !strings.Contains(err.Error(), "tell the auditor") {
		t.Errorf("of a folder: %v", err)
	}
}

// TestLock: who holds a journal without opening it keeps its writer away until it is let go.
func TestLock(t *testing.T) {
	path := threeParts(t)
	lock, err := Lock(path)
	must(t, err)
	_, err = Open(path, Options{})
	wantError(t, err, ErrInUse, path)
	_, err = Lock(path)
	wantError(t, err, ErrInUse, path)
	must(t, lock.Close())
	mustOpen(t, path)
}
