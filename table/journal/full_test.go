package journal

import (
	"context"
	"errors"
	"fmt"
	"os/signal"
	"strings"
	"syscall"
	"testing"
)

// TestFull lets SQLite run out of pages, then gives it more: what was refused is
// not there, and the same appends succeed.
func TestFull(t *testing.T) {
	path := newPath(t)
	j := mustOpen(t, path)
	fill(t, j, 100)
	_, err := j.writer.conn.ExecContext(context.Background(), `PRAGMA max_page_count = 30`)
	must(t, err)
	batch := refused(t, j)
	if err := j.Append(batch); !errors.Is(err, ErrFull) || !strings.Contains(err.Error(), "make space") {
		t.Errorf("error is %v", err)
	}
	_, err = j.writer.conn.ExecContext(context.Background(), `PRAGMA max_page_count = 1000000`)
	must(t, err)
	goesOn(t, j, batch)
}

// refused appends batches until one is refused, and gives that one. It checks
// that nothing of it is in.
func refused(t testing.TB, j *Journal) []Entry {
	t.Helper()
	for {
		seq, event := j.Next()
		batch := make([]Entry, 20)
		for i := range batch {
			batch[i] = cardEntry(int(seq) + i)
		}
		if err := j.Append(batch); err == nil {
			continue
		}
		last, _, err := j.Head()
		must(t, err)
		if s, e := j.Next(); s != seq || e != event || last != seq-1 {
			t.Errorf("after a refused append the journal has %d records, next are %d and %d; before %d and %d", last, s, e, seq, event)
		}
		return batch
	}
}

// goesOn appends what was refused, and checks the whole journal, now and after
// another opening.
func goesOn(t testing.TB, j *Journal, batch []Entry) {
	t.Helper()
	before, _ := j.Next()
	mustAppend(t, j, batch...)
	for range 2 {
		all := records(t, j.Reader, before)
		if len(all) != len(batch) {
			t.Fatalf("%d records, want %d", len(all), len(batch))
		}
		for i := range all {
			if !sameEntry(&all[i].Entry, &batch[i]) {
				t.Errorf("record %d is %s", all[i].Seq, all[i].Input)
			}
		}
		must(t, j.Verify(t.Context(), nil))
		mustClose(t, j)
		j = mustOpen(t, j.Path())
	}
}

// fullChild lets the disk refuse to write: its limit on the size of files stands
// for a full disk, and is then lifted.
func fullChild(path string) error {
	signal.Ignore(syscall.SIGXFSZ)
	j, err := Open(path, Options{})
	if err != nil {
		return err
	}
	if err := limitFiles(300_000); err != nil {
		return err
	}
	n := 0
	for err == nil {
		n++
		err = j.Append([]Entry{cardEntry(n)})
	}
	fmt.Println(err)
	seq, _ := j.Next()
	if last, _, err := j.Head(); err != nil || last != seq-1 || last != uint64(n-1) {
		return fmt.Errorf("%d records (%w), next is %d, %d were taken", last, err, seq, n-1)
	}
	if err := j.Append([]Entry{cardEntry(n)}); err == nil {
		return errors.New("the second append on a full disk succeeded")
	}
	if err := limitFiles(1 << 40); err != nil {
		return err
	}
	if err := j.SetCursor("mqtt", 1); err != nil {
		return err
	}
	for end := n + 2000; n < end; n++ {
		if err := j.Append([]Entry{cardEntry(n)}); err != nil {
			return err
		}
	}
	fmt.Println(n - 1)
	return j.Close()
}

func limitFiles(size uint64) error {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		return err
	}
	limit.Cur = min(size, limit.Max)
	return syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit)
}

// TestFailingWrite has a process whose writes fail, and then succeed.
func TestFailingWrite(t *testing.T) {
	path := newPath(t)
	c := startChild(t, "full", path)
	if got := c.line(t); !strings.Contains(got, "append") || !strings.Contains(got, "kernel's log") || !strings.Contains(got, path) {
		t.Errorf("error is %s", got)
	}
	want := c.line(t)
	must(t, c.cmd.Wait())

	j := mustOpen(t, path)
	must(t, j.Verify(t.Context(), nil))
	all := records(t, j.Reader, 1)
	if fmt.Sprint(len(all)) != want {
		t.Errorf("%d records, want %s", len(all), want)
	}
	for i := range all {
		if e := cardEntry(i + 1); !sameEntry(&all[i].Entry, &e) {
			t.Errorf("record %d is %s", i+1, all[i].Input)
		}
	}
}

// TestForeignTransaction has another program hold the file, and let go of it.
func TestForeignTransaction(t *testing.T) {
	path := newPath(t)
	j := mustOpen(t, path)
	_, err := j.writer.conn.ExecContext(t.Context(), `PRAGMA busy_timeout = 1`)
	must(t, err)
	other, err := connect(path, "rw", 1, nil)
	must(t, err)
	defer mustClose(t, other)
	_, err = other.Exec(`BEGIN IMMEDIATE`)
	must(t, err)

	batch := []Entry{cardEntry(1)}
	if err := j.Append(batch); err == nil || !strings.Contains(err.Error(), "another program holds a transaction") {
		t.Errorf("error is %v", err)
	}
	_, err = other.Exec(`ROLLBACK`)
	must(t, err)
	goesOn(t, j, batch)
}
