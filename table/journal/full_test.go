package journal

import (
	"errors"
	"fmt"
	"os/signal"
	"strings"
	"syscall"
	"testing"
)

// fullChild lets the disk refuse to write: its limit on the size of files stands
// for a full disk, and is then lifted.
func fullChild(path string) error {
	signal.Ignore(syscall.SIGXFSZ)
	j, err := Open(path, Options{})
	if err != nil {
		return err
	}
	if err := limitFiles(20_000); err != nil {
		return err
	}
	n := 0
	for err == nil && n < 1000 {
		n++
		if n == 100 { // not even a new part
			err = limitFiles(10)
		}
		if err == nil {
			err = j.Append([]Entry{cardEntry(n)})
		}
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
	for end := n + 200; n < end; n++ {
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

// TestFailingWrite has a process whose writes fail, and then succeed. While a new part can be
// begun, the caller does not notice.
func TestFailingWrite(t *testing.T) {
	path := newPath(t)
	c := startChild(t, "full", path)
	if got := c.line(t); !strings.Contains(got, "append") || !strings.Contains(got, "limit on the size of files") ||
		!strings.Contains(got, path) {
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
		if e := cardEntry(i + 1); !bytesAlike(&all[i].Entry, &e) {
			t.Errorf("record %d is %s", i+1, all[i].Input)
		}
	}
}

// bytesAlike compares entries, except for their rules: a record has those only if they are
// new.
func bytesAlike(a, b *Entry) bool {
	x, y := *a, *b
	x.Rules, y.Rules = nil, nil
	return sameEntry(&x, &y)
}
