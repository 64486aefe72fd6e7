package journal

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// TestOpenRefuses opens files that are no sound journal. Each must be refused by
// Open with its reason, and left as it was.
func TestOpenRefuses(t *testing.T) {
	for _, c := range []struct {
		name  string
		spoil func(t *testing.T, path string)
		want  error
		text  string
	}{
		{"empty", func(t *testing.T, path string) { truncate(t, path, 0) }, ErrDamaged, "the file is empty"},
		{"garbage", func(t *testing.T, path string) { scribble(t, path, 0, "not a database at all") }, ErrDamaged, "keep the file"},
		{"half its header", func(t *testing.T, path string) { truncate(t, path, 50) }, ErrDamaged, "keep the file"},
		{"cut off", func(t *testing.T, path string) { truncate(t, path, 8192) }, ErrDamaged, "keep the file"},
		{"last page lost", func(t *testing.T, path string) { truncate(t, path, size(t, path)-4096) }, ErrDamaged, "keep the file"},
		{"last page spoilt", func(t *testing.T, path string) {
			scribble(t, path, size(t, path)-4096, strings.Repeat("spoilt", 600))
		}, ErrDamaged, "keep the file"},
		{"log without file", func(t *testing.T, path string) {
			scribble(t, path+"-wal", 0, "records")
			remove(t, path)
		}, ErrDamaged, "its write-ahead log"},
		{"other database", func(t *testing.T, path string) {
			remove(t, path)
			must(t, shell(t, path, `CREATE TABLE a (b)`))
		}, ErrForeign, "check the path"},
		{"newer", func(t *testing.T, path string) { must(t, shell(t, path, `PRAGMA user_version = 999`)) }, ErrNewer, "schema version 999"},
		{"directory", func(t *testing.T, path string) {
			remove(t, path)
			must(t, os.Mkdir(path, 0o755))
		}, nil, "open"},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := newPath(t)
			j := mustOpen(t, path)
			fill(t, j, 100)
			mustClose(t, j)
			c.spoil(t, path)
			before := content(path)

			_, err := Open(path, Options{})
			if err == nil || c.want != nil && !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.text) ||
				!strings.Contains(err.Error(), path) {
				t.Errorf("Open: %v; want %v and %q", err, c.want, c.text)
			}
			if !bytes.Equal(content(path), before) {
				t.Error("Open changed the file")
			}
			if _, err := Open(path, Options{}); errors.Is(err, ErrInUse) {
				t.Error("after it failed, Open still holds the journal")
			}
		})
	}
}

func TestReadOnlyRefuses(t *testing.T) {
	dir := t.TempDir()
	empty := filepath.Join(dir, "empty")
	must(t, os.WriteFile(empty, nil, 0o644))
	other := filepath.Join(dir, "other")
	must(t, shell(t, other, `CREATE TABLE a (b)`))
	for path, want := range map[string]error{
		filepath.Join(dir, "missing"):      os.ErrNotExist,
		filepath.Join(dir, "no", "folder"): os.ErrNotExist,
		empty:                              ErrDamaged,
		other:                              ErrForeign,
	} {
		if _, err := OpenReadOnly(path); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", path, err, want)
		}
	}
}

// TestOpenFindsABrokenEnd opens a journal whose last records were changed.
func TestOpenFindsABrokenEnd(t *testing.T) {
	const n = tailLength + 500
	for _, c := range []struct {
		name, sql string
		want      uint64
	}{
		{"changed", `UPDATE record SET input = replace(input, 'TH', '2H') WHERE seq = 1499`, 1499},
		{"removed", `DELETE FROM record WHERE seq = 1498`, 1498},
		{"first of those checked", `UPDATE record SET at = at + 1 WHERE seq = 501`, 501},
		{"cut off behind a cursor", `DELETE FROM record WHERE seq > 1490`, 1491},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := newPath(t)
			j := mustOpen(t, path)
			fill(t, j, n)
			must(t, j.SetCursor("mqtt", 3*n))
			mustClose(t, j)
			tamper(t, path, c.sql)
			_, err := Open(path, Options{})
			wantBroken(t, err, c.want)
		})
	}
}

// TestEndCutOffBeforeABoot is found although no cursor stands there.
func TestEndCutOffBeforeABoot(t *testing.T) {
	path := newPath(t)
	j := mustOpen(t, path)
	fill(t, j, 10)
	mustClose(t, j)
	mustClose(t, mustOpen(t, path))
	tamper(t, path, `DELETE FROM record WHERE seq >= 9`)
	_, err := Open(path, Options{})
	wantBroken(t, err, 9)
}

// TestUnfinishedCreation begins anew where a process died while it created the
// journal.
func TestUnfinishedCreation(t *testing.T) {
	path := newPath(t)
	must(t, os.WriteFile(path+".new", []byte("half a file"), 0o644))
	must(t, os.WriteFile(path+".new-journal", []byte("half a journal"), 0o644))
	j := mustOpen(t, path)
	mustAppend(t, j, evening...)
	if _, err := os.Stat(path + ".new"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the unfinished file is still there: %v", err)
	}
}

// TestOneWriter starts a second process that holds the journal, and kills it.
func TestOneWriter(t *testing.T) {
	path := newPath(t)
	child := startChild(t, "hold", path)
	child.line(t)

	_, err := Open(path, Options{})
	if !errors.Is(err, ErrInUse) || !strings.Contains(err.Error(), "(pid "+strconv.Itoa(child.cmd.Process.Pid)+")") {
		t.Errorf("a second writer: %v", err)
	}
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
	if _, err := Open(path, Options{}); !errors.Is(err, ErrInUse) {
		t.Errorf("a second writer in this process: %v", err)
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func truncate(t testing.TB, path string, n int64) {
	t.Helper()
	must(t, os.Truncate(path, n))
}

func remove(t testing.TB, path string) {
	t.Helper()
	must(t, os.Remove(path))
}

func size(t testing.TB, path string) int64 {
	t.Helper()
	info, err := os.Stat(path)
	must(t, err)
	return info.Size()
}

// scribble writes text into a file at an offset.
func scribble(t testing.TB, path string, at int64, text string) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE, 0o644)
	must(t, err)
	_, err = f.WriteAt([]byte(text), at)
	must(t, errors.Join(err, f.Close()))
}

// content is what a file holds, nil where there is none.
func content(path string) []byte {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	return b
}
