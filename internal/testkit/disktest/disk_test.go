package disktest

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/sabot-table/sabot/table/journal/disk"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func create(t testing.TB, d *Disk, name string) disk.File {
	t.Helper()
	f, err := d.Create(name)
	must(t, err)
	return f
}

// written makes a file with durable content and a durable name.
func written(t testing.TB, d *Disk, name, text string) disk.File {
	t.Helper()
	f := create(t, d, name)
	must(t, f.Append([]byte(text)))
	must(t, f.Sync())
	must(t, d.SyncFolder())
	return f
}

// shown is what readers see of a file; "gone" if it is not there.
func shown(d *Disk, name string) string {
	b, err := d.Hands().Read(name)
	if err != nil {
		return "gone"
	}
	return string(b)
}

// outcomes collects what many power cuts leave, with how often.
func outcomes(d *Disk, of func(*Disk) string) map[string]int {
	seen := map[string]int{}
	for dice := range uint64(600) {
		seen[of(d.PowerCut(dice))]++
	}
	return seen
}

// TestSynced: what is synced, content and name, is there after each power cut.
func TestSynced(t *testing.T) {
	d := New(1)
	f := written(t, d, "a", strings.Repeat("x", 700))
	must(t, f.Append([]byte(strings.Repeat("y", 3000))))
	for what := range outcomes(d, func(d *Disk) string { return shown(d, "a") }) {
		if !strings.HasPrefix(what, strings.Repeat("x", 700)) || len(what) > 3700 {
			t.Fatalf("a power cut leaves %q", what)
		}
	}
}

// TestTorn: of what is not synced any sector can be there, in any order, and a sector
// can be as it was after one of the writes.
func TestTorn(t *testing.T) {
	d := New(1)
	f := written(t, d, "a", "")
	for _, letter := range "abcd" {
		must(t, f.Append(bytes.Repeat([]byte(string(letter)), 400)))
	}
	seen := map[string]bool{}
	for what := range outcomes(d, func(d *Disk) string { return shown(d, "a") }) {
		for name, found := range map[string]bool{
			"nothing":               what == "",
			"all":                   len(what) == 1600 && !strings.Contains(what, "\x00"),
			"zeros alone":           len(what) == 1600 && strings.Trim(what, "\x00") == "",
			"a later one alone":     strings.Contains(what, "d") && strings.HasPrefix(what, "\x00"),
			"an earlier one alone":  strings.HasPrefix(what, "a") && strings.HasSuffix(what, "\x00"),
			"an odd size":           len(what) > 0 && len(what)%400 != 0,
			"the end of a write":    len(what) == 800,
			"a sector between both": len(what) > 512 && what[399] == 'a' && what[400] == 0,
		} {
			seen[name] = seen[name] || found
		}
	}
	for name, found := range seen {
		if !found {
			t.Errorf("no power cut leaves %s", name)
		}
	}
}

// TestFailedSync: the error comes once, readers see what is not on the device, and the
// next Sync makes good nothing but what is new.
func TestFailedSync(t *testing.T) {
	for _, fault := range []error{syscall.EIO, syscall.ENOSPC} {
		d := New(1)
		f := written(t, d, "a", strings.Repeat("x", sector))
		must(t, f.Append(bytes.Repeat([]byte("y"), 4*sector)))
		d.Plan(Fault{Op: Sync, Err: fault})
		if err := f.Sync(); !errors.Is(err, fault) {
			t.Fatalf("error is %v, want %v", err, fault)
		}
		must(t, f.Append(bytes.Repeat([]byte("z"), sector)))
		must(t, f.Sync())
		if got := shown(d, "a"); strings.Count(got, "y") != 4*sector {
			t.Errorf("readers see %q", got)
		}
		if got := shown(d.Kill(), "a"); strings.Count(got, "y") != 4*sector {
			t.Errorf("readers of the next process see %q", got)
		}
		after := shown(d.PowerCut(1), "a")
		if strings.Count(after, "y") >= 4*sector || strings.Count(after, "z") != sector || len(after) != 6*sector {
			t.Errorf("after the power cut the file is %q", after)
		}
		next := d.Kill()
		again, err := next.Open("a")
		must(t, err)
		must(t, again.(interface{ Forget() error }).Forget())
		if got := shown(next, "a"); got != after {
			t.Errorf("once forgotten, readers see %q", got)
		}
		d.Hands().Evict()
		if got := shown(d, "a"); got != after {
			t.Errorf("out of the cache, readers see %q", got)
		}
	}
}

// TestFailedAppend: nothing or a part is there.
func TestFailedAppend(t *testing.T) {
	d := New(1)
	f := create(t, d, "a")
	d.Plan(
		Fault{Op: Append, Err: syscall.EIO},
		Fault{Op: Append, Err: syscall.ENOSPC, Part: Half},
	)
	if err := f.Append([]byte("nothing")); !errors.Is(err, syscall.EIO) || shown(d, "a") != "" {
		t.Errorf("error is %v, the file %q", err, shown(d, "a"))
	}
	text := strings.Repeat("text", 100)
	err := f.Append([]byte(text))
	if got := shown(d, "a"); !errors.Is(err, syscall.ENOSPC) || got == "" || got == text ||
		!strings.HasPrefix(text, got) {
		t.Errorf("error is %v, the file %q", err, got)
	}
}

func TestFull(t *testing.T) {
	d := New(1)
	f := create(t, d, "a")
	d.SetSpace(1000)
	must(t, f.Append(make([]byte, 600)))
	if free, err := d.Free(); err != nil || free != 400 {
		t.Errorf("%d bytes are free (%v), want 400", free, err)
	}
	if err := f.Append(make([]byte, 600)); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("error is %v", err)
	}
	if got := len(shown(d, "a")); got != 1000 {
		t.Errorf("the file has %d bytes, want all that had room", got)
	}
	must(t, f.Close())
	must(t, d.Remove("a"))
	if free, err := d.Free(); err != nil || free != 1000 {
		t.Errorf("%d bytes are free (%v), want 1000", free, err)
	}
}

// TestThin: a thin volume says that it has room, and loses what is synced.
func TestThin(t *testing.T) {
	d := New(1)
	f := written(t, d, "a", strings.Repeat("x", 800))
	d.SetThinSpace(1000)
	must(t, f.Append(bytes.Repeat([]byte("y"), 800)))
	if err := f.Sync(); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("error is %v", err)
	}
	d.SetThinSpace(10_000)
	must(t, f.Sync())
	if got := shown(d.PowerCut(1), "a"); strings.Count(got, "x") != 800 || strings.Count(got, "y") == 800 {
		t.Errorf("after the power cut the file is %q", got)
	}
}

// namesOf tells which names there are, with what their files hold.
func namesOf(d *Disk) string {
	var all []string
	for _, name := range d.Hands().Names() {
		all = append(all, name+"="+shown(d, name))
	}
	return strings.Join(all, " ")
}

// TestNames: before SyncFolder a power cut keeps some changes of names; a Rename is done
// or not.
func TestNames(t *testing.T) {
	cases := []struct {
		what string
		do   func(d *Disk) error
		want []string
	}{
		{
			"create", func(d *Disk) error { f, err := d.Create("b"); return errors.Join(err, f.Close()) },
			[]string{"a=1 c=3", "a=1 b= c=3"},
		},
		{"rename", func(d *Disk) error { return d.Rename("a", "b") }, []string{"a=1 c=3", "b=1 c=3"}},
		{"replace", func(d *Disk) error { return d.Rename("a", "c") }, []string{"a=1 c=3", "c=1"}},
		{"remove", func(d *Disk) error { return d.Remove("c") }, []string{"a=1 c=3", "a=1"}},
		{"two that have nothing to do with one another", func(d *Disk) error {
			return errors.Join(d.Remove("a"), d.Remove("c"))
		}, []string{"a=1 c=3", "a=1", "c=3", ""}},
		{"one after the other", func(d *Disk) error {
			return errors.Join(d.Rename("a", "b"), d.Rename("c", "a"))
		}, []string{"a=1 c=3", "b=1 c=3", "a=3 b=1"}},
		{"into a folder", func(d *Disk) error {
			return errors.Join(d.Mkdir("d"), d.Rename("a", "d/a"))
		}, []string{"a=1 c=3", "a=1 c=3 d=", "c=3 d= d/a=1"}},
	}
	for _, c := range cases {
		t.Run(c.what, func(t *testing.T) {
			d := New(1)
			written(t, d, "a", "1")
			written(t, d, "c", "3")
			must(t, c.do(d))
			last := namesOf(d)
			seen := outcomes(d, namesOf)
			for _, want := range c.want {
				if seen[want] == 0 {
					t.Errorf("no power cut leaves %q", want)
				}
				delete(seen, want)
			}
			if len(seen) > 0 {
				t.Errorf("a power cut leaves %v", seen)
			}
			must(t, d.SyncFolder())
			if seen := outcomes(d, namesOf); len(seen) != 1 || seen[last] == 0 {
				t.Errorf("after SyncFolder a power cut leaves %v, want %q", seen, last)
			}
		})
	}
}

// TestLostNames: a SyncFolder that failed can have lost the names for good.
func TestLostNames(t *testing.T) {
	for _, lost := range []bool{false, true} {
		d := New(1)
		f := create(t, d, "a")
		must(t, f.Sync())
		d.Plan(Fault{Op: SyncFolder, Err: syscall.EIO, Lost: lost})
		if err := d.SyncFolder(); !errors.Is(err, syscall.EIO) {
			t.Errorf("error is %v", err)
		}
		must(t, d.SyncFolder())
		if gone := outcomes(d, namesOf)[""] > 0; gone != lost {
			t.Errorf("lost %t: after the power cut the file is gone: %t", lost, gone)
		}
	}
}

// TestCrash: of the operation at which the process is killed a part is done, and nothing
// of what follows.
func TestCrash(t *testing.T) {
	cases := []struct {
		part Part
		want func(string) bool
	}{
		{Nothing, func(s string) bool { return s == "12345" }},
		{Half, func(s string) bool { return len(s) >= 5 && len(s) < 10 && strings.HasPrefix("1234567890", s) }},
		{Whole, func(s string) bool { return s == "1234567890" }},
	}
	for _, c := range cases {
		d := New(1)
		f := written(t, d, "a", "12345")
		d.CrashAt(d.Operations()+1, c.part)
		for _, err := range []error{
			f.Append([]byte("67890")), f.Append([]byte("never")), f.Sync(), d.Remove("a"),
			f.Close(),
		} {
			if !errors.Is(err, ErrKilled) {
				t.Errorf("error is %v", err)
			}
		}
		next := d.Kill()
		if got := shown(next, "a"); !c.want(got) {
			t.Errorf("part %d: the next process sees %q", c.part, got)
		}
		if f, err := next.Open("a"); err != nil || f.Close() != nil {
			t.Errorf("the next process cannot open the file: %v", err)
		}
	}
}

// TestMoments: the disk of a moment is the one of a crash at the same operation.
func TestMoments(t *testing.T) {
	play := func(d *Disk) {
		f, err := d.Create("a.new")
		for i := range 4 {
			if err == nil {
				err = errors.Join(f.Append(bytes.Repeat([]byte{'a' + byte(i)}, 300)), f.Append([]byte("b")), f.Sync())
			}
		}
		_ = errors.Join(d.Rename("a.new", "a"), d.SyncFolder())
	}
	type left struct{ killed, cut string }
	moments := map[int]left{}
	d := New(1)
	d.Watch(func(m *Moment) {
		if within := m.KillWithin(3); (within != nil) != (m.Op == Append) {
			t.Errorf("within %s there is %v", m.Op, within)
		}
		moments[m.Number] = left{namesOf(m.Kill()), namesOf(m.PowerCut(3))}
	})
	play(d)
	if len(moments) != 15 {
		t.Errorf("%d moments, want one for each change", len(moments))
	}
	for number, want := range moments {
		d := New(1)
		d.CrashAt(number, Nothing)
		play(d)
		if got := (left{namesOf(d.Kill()), namesOf(d.PowerCut(3))}); got != want {
			t.Errorf("a crash at %d leaves %q, the moment %q", number, got, want)
		}
	}
}

// TestForks: what happens to a copy of a disk does not happen to the disk.
func TestForks(t *testing.T) {
	d := New(1)
	f := written(t, d, "a", "12")
	must(t, f.Append([]byte("34")))
	for _, fork := range []*Disk{d.Kill(), d.PowerCut(1)} {
		must(t, fork.Hands().Rot("a", 0))
		must(t, fork.Hands().Append("a", []byte("56")))
		must(t, fork.Remove("a"))
	}
	must(t, f.Append([]byte("78")))
	must(t, f.Sync())
	if got := namesOf(d); got != "a=123478" {
		t.Errorf("the disk holds %q", got)
	}
}

func TestReadOnly(t *testing.T) {
	d := New(1)
	f := written(t, d, "a", "12")
	must(t, f.Append([]byte("34")))
	d.ReadOnlyFrom(d.Operations() + 1)
	for _, err := range []error{f.Append([]byte("5")), f.Sync(), d.Remove("a"), d.SyncFolder()} {
		if !errors.Is(err, syscall.EROFS) {
			t.Errorf("error is %v", err)
		}
	}
	if _, err := d.Open("a"); err != nil {
		t.Error(err)
	}
	d.Mend()
	must(t, f.Sync())
}

// TestSlow: an operation takes its time by the disk's clock.
func TestSlow(t *testing.T) {
	d := New(1)
	f := create(t, d, "a-1")
	d.Plan(Fault{Op: Sync, Name: "a-*", Skip: 1, Takes: time.Minute})
	before := d.Clock().Now()
	must(t, f.Sync())
	if got := d.Clock().Now().Sub(before); got != 0 {
		t.Errorf("the first took %v", got)
	}
	must(t, f.Sync())
	if got := d.Clock().Now().Sub(before); got != time.Minute {
		t.Errorf("the second took %v", got)
	}
}

// TestHands: what others do to a file is seen by who has it open.
func TestHands(t *testing.T) {
	d := New(1)
	f := written(t, d, "a", "12345")
	h := d.Hands()
	must(t, h.Link("a", "b"))
	if info, err := f.Stat(); err != nil || info.Links != 2 {
		t.Errorf("%+v, %v", info, err)
	}
	must(t, h.Rot("b", 0))
	must(t, h.Truncate("a", 3))
	must(t, h.Append("a", []byte("garbage")))
	must(t, h.Write("a", 1, []byte("--")))
	before, err := d.Changed()
	must(t, err)
	must(t, h.Delete("b"))
	must(t, h.Replace("a", []byte("another")))
	if after, err := d.Changed(); err != nil || after == before {
		t.Errorf("names changed, and Changed says %d as before (%v)", after, err)
	}
	data := make([]byte, 10)
	if n, err := f.ReadAt(data, 0); n != 10 || err != nil || string(data) != "0--garbage" {
		t.Errorf("who has the file open reads %q, %v", data[:n], err)
	}
	info, err := d.Stat("a")
	must(t, err)
	if open, err := f.Stat(); err != nil || open.Same(info) || open.Links != 0 {
		t.Errorf("%+v is open, %+v has the name (%v)", open, info, err)
	}
	if got := namesOf(d.PowerCut(1)); got != "a=another" {
		t.Errorf("after the power cut there is %q", got)
	}
}

// TestInodes: the number of a file that is gone is given to the next one, but not before
// it is gone for good.
func TestInodes(t *testing.T) {
	d := New(1)
	f := written(t, d, "a", "1")
	was, err := f.Stat()
	must(t, err)
	inode := func(name string) uint64 {
		info, err := d.Stat(name)
		must(t, err)
		return info.Inode
	}
	must(t, d.Remove("a"))
	create(t, d, "b")
	must(t, d.SyncFolder())
	create(t, d, "c")
	must(t, f.Close())
	create(t, d, "d")
	if inode("b") == was.Inode || inode("c") == was.Inode || inode("d") != was.Inode {
		t.Errorf("the file had %d, then come %d, %d and %d", was.Inode, inode("b"), inode("c"), inode("d"))
	}
}

// TestSame: the same seed gives the same disk.
func TestSame(t *testing.T) {
	play := func() string {
		d := New(5)
		d.Plan(Fault{Op: Append, Err: syscall.EIO, Part: Half, Times: -1, Skip: 2}, Fault{Op: Sync, Err: syscall.EIO})
		f := create(t, d, "a")
		for range 5 {
			_ = f.Append(make([]byte, 1000))
		}
		_ = f.Sync()
		return d.Log() + namesOf(d) + namesOf(d.PowerCut(7))
	}
	if one, two := play(), play(); one != two {
		t.Errorf("the same seed gives\n%s\nand\n%s", one, two)
	}
}

func TestLog(t *testing.T) {
	d := New(1)
	f := create(t, d, "a.new")
	d.Plan(Fault{Op: Append, Err: syscall.EIO, Part: Whole}, Fault{Op: Sync, Takes: time.Second})
	_ = f.Append([]byte("12"))
	must(t, f.Sync())
	must(t, d.Rename("a.new", "a"))
	_, err := d.Stat("a")
	must(t, err)
	must(t, d.Hands().Delete("a"))
	next := d.PowerCut(1)
	_, _ = next.Create("b")
	want := `1.1    create a.new
1.2    append a.new, 2 bytes at 0: input/output error, but it is done
1.3    sync a.new, in 1s
1.4    rename a.new to a
1.5    -- a foreign hand: delete a
1.5    -- power cut
2.1    create b
`
	if got := next.Log(); got != want {
		t.Errorf("the log is\n%s\nwant\n%s", got, want)
	}
}

// TestGoroutines uses the disk from several goroutines, for the race detector.
func TestGoroutines(t *testing.T) {
	d := New(1)
	var all sync.WaitGroup
	for n := range 4 {
		all.Go(func() {
			name := fmt.Sprint("file ", n)
			f, err := d.Create(name)
			for range 50 {
				err = errors.Join(err, f.Append([]byte("text")), f.Sync(), d.SyncFolder())
				d.PowerCut(uint64(n)).Hands().Append(name, []byte("more"))
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if names, err := d.List(); err != nil || !slices.Equal(names, []string{"file 0", "file 1", "file 2", "file 3"}) {
		t.Errorf("%q, %v", names, err)
	}
}
