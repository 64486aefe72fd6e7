package journal

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/sabot-table/sabot/internal/testkit/disktest"
	"github.com/sabot-table/sabot/internal/testkit/tier"
)

// aNight makes a journal of n cards in rounds of ten, over several starts and many parts.
func aNight(t testing.TB, d *disktest.Disk, n int, o Options) *Journal {
	t.Helper()
	o.PartMost = 3000
	mustAppend(t, openOn(t, d, o), carrying(keyEntry(`{"in":"setup"}`), "{}"))
	j := openOn(t, d, o)
	for i := 2; i <= n; i++ {
		e := cardEntry(i)
		e.Round = uint64(i / 10)
		if i%10 == 0 {
			e.Carry = fmt.Appendf(nil, `{"round":%d}`, i/10)
		}
		mustAppend(t, j, e)
		if i%100 == 0 {
			j = openOn(t, d, o)
		}
	}
	return j
}

// TestManyParts reads everything from many small parts, from each place on.
func TestManyParts(t *testing.T) {
	const n = 400
	d := disktest.New(1)
	j := aNight(t, d, n, Options{})
	if j.top < 30 {
		t.Fatalf("only %d parts", j.top)
	}
	for _, r := range []*Reader{j.Reader, readOn(t, d)} {
		for from := uint64(1); from <= n+1; from += 7 {
			all := records(t, r, from)
			if len(all) != n-int(from)+1 || len(all) > 0 && all[0].Seq != from {
				t.Fatalf("from %d on there are %d records", from, len(all))
			}
		}
		for after := uint64(0); after < 3*(n-1); after += 11 {
			events, err := r.Events(after, 5)
			if err != nil || len(events) == 0 || events[0].Number != after+1 ||
				events[len(events)-1].Number != min(after+5, 3*(n-1)) {
				t.Fatalf("after %d there are %+v, %v", after, events, err)
			}
		}
		for round := uint64(1); round <= n/10+1; round++ {
			want := max(2, 10*round)
			if round > n/10 {
				want = 0
			}
			if round == 1 {
				want = 1 // the set-up
			}
			if seq, err := r.FirstOf(round); err != nil || seq != want {
				t.Fatalf("round %d begins with record %d (%v), want %d", round, seq, err, want)
			}
		}
		seq, carry, setup, err := r.Checkpoint()
		if err != nil || seq != n || string(carry) != `{"round":40}` || string(setup) != `{"in":"setup"}` {
			t.Errorf("the checkpoint is %d %s %s %v", seq, carry, setup, err)
		}
		if setup, err := r.SetUp(1); err != nil || string(setup) != `{"in":"setup"}` {
			t.Errorf("the set-up is %s, %v", setup, err)
		}
		boots, err := r.Boots(t.Context())
		if err != nil || len(boots) != 6 || boots[5].FirstRecord != 401 || boots[2].FirstRecord != 101 {
			t.Errorf("the boots are %+v, %v", boots, err)
		}
		must(t, r.Verify(t.Context(), nil))
	}
}

// TestRotation: a new gaming day begins a part between two rounds, the size also within one,
// but later.
func TestRotation(t *testing.T) {
	d := disktest.New(1)
	start := time.Date(2026, 11, 20, 22, 0, 0, 0, time.Local)
	j := openOn(t, d, Options{DayBegins: 6 * time.Hour, PartMost: 4000, Now: func() time.Time { return start }})
	why := func() string {
		p, _ := j.shelf.all()
		h, _ := j.shelf.get(p[len(p)-1])
		return fmt.Sprint(len(p), " ", h.Why)
	}
	at := func(day, hour int, end bool) Entry {
		e := cardEntry(1)
		e.At = time.Date(2026, 11, day, hour, 0, 0, 0, time.Local).UnixNano()
		if end {
			e.Carry = []byte("{}")
		}
		return e
	}
	for i, step := range []struct {
		e    Entry
		want string
	}{
		{at(20, 23, true), "1 a new journal"},
		{at(21, 5, false), "1 a new journal"},
		{at(21, 7, true), "1 a new journal"}, // a round is under way
		{at(21, 7, false), "2 a new gaming day"},
		{at(21, 23, true), "2 a new gaming day"},
		{at(22, 5, true), "2 a new gaming day"},
		{at(22, 6, true), "3 a new gaming day"},
		{at(21, 6, true), "3 a new gaming day"}, // the clock was set back
	} {
		mustAppend(t, j, step.e)
		if got := why(); got != step.want {
			t.Errorf("after step %d it is %q, want %q", i+1, got, step.want)
		}
	}
	for range 7 { // to more than the size
		mustAppend(t, j, at(22, 7, false))
	}
	mustAppend(t, j, at(22, 7, true))
	if got := why(); got != "3 a new gaming day" {
		t.Errorf("in the middle of a round it is %q", got)
	}
	mustAppend(t, j, at(22, 7, false))
	if got := why(); got != "4 the part before has its size" {
		t.Errorf("after the round it is %q", got)
	}
	for range 40 {
		mustAppend(t, j, at(22, 7, false))
	}
	if got := why(); got < "5" {
		t.Errorf("a part grows without end in a round: %q", got)
	}
	must(t, j.Verify(t.Context(), nil))
}

// TestTrouble: whatever fails, what Append has acknowledged is there, once, and what it
// refused can be repeated.
func TestTrouble(t *testing.T) {
	faults := []disktest.Fault{
		{Op: disktest.Append, Err: syscall.EIO},
		{Op: disktest.Append, Err: syscall.ENOSPC, Part: disktest.Half},
		{Op: disktest.Append, Err: syscall.EIO, Times: 2},
		{Op: disktest.Sync, Err: syscall.EIO},
		{Op: disktest.Sync, Err: syscall.EIO, Part: disktest.Whole, Times: 2},
		{Op: disktest.Sync, Err: syscall.EIO, Times: 3},
		{Op: disktest.None, Err: syscall.EROFS, Times: 5},
		{Op: disktest.Append, Err: syscall.EIO, Times: -1, Name: "*.jsonl"},
	}
	for _, op := range []disktest.Op{disktest.Create, disktest.Rename, disktest.SyncFolder, disktest.Forget} {
		for _, part := range []disktest.Part{disktest.Nothing, disktest.Half, disktest.Whole} {
			faults = append(faults, disktest.Fault{Op: op, Err: syscall.EIO, Part: part, Times: 2})
		}
	}
	for i, fault := range faults {
		d := disktest.New(uint64(i))
		j := openOn(t, d, Options{PartMost: 2000, Key: testKey})
		n := 0
		add := func() {
			n++
			batch := []Entry{cardEntry(n), carrying(cardEntry(n+100), "{}")}
			for tries := 0; j.Append(batch) != nil; tries++ {
				if seq, _ := j.Next(); seq != uint64(2*n-1) {
					t.Fatalf("%+v: next is %d", fault, seq)
				}
				if tries == 10 {
					t.Fatalf("%+v: never appended", fault)
				}
				must(t, j.Verify(t.Context(), nil))
			}
		}
		add()
		d.Plan(fault)
		if fault.Op > disktest.Sync { // needs a part that fails first
			d.Plan(disktest.Fault{Op: disktest.Append, Name: "*.jsonl", Err: syscall.EIO})
		}
		for range 6 {
			add()
		}
		for _, r := range []*Reader{j.Reader, readOn(t, d), openOn(t, d.PowerCut(3), Options{Key: testKey}).Reader} {
			must(t, r.Verify(t.Context(), nil))
			if got := len(records(t, r, 1)); got != 2*n {
				t.Errorf("%+v: %d records, want %d", fault, got, 2*n)
			}
		}
		wantFound(t, j, "")
	}
}

// TestCursors: a cursor is durable with the next append, by FlushCursors, and at Close.
func TestCursors(t *testing.T) {
	for name, flush := range map[string]func(j *Journal) error{
		"not yet":     func(*Journal) error { return nil },
		"next append": func(j *Journal) error { return j.Append([]Entry{cardEntry(2)}) },
		"flushed":     (*Journal).FlushCursors,
		"closed":      (*Journal).Close,
	} {
		d := disktest.New(1)
		j := openOn(t, d, Options{Key: testKey})
		mustAppend(t, j, cardEntry(1))
		for _, n := range []uint64{0, 2, 3, 1} {
			must(t, j.SetCursor("mqtt", n))
			if got, err := j.Cursor("mqtt"); err != nil || got != n {
				t.Errorf("cursor is %d (%v), want %d", got, err, n)
			}
		}
		must(t, j.SetCursor("other", 0))
		wantError(t, j.SetCursor("mqtt", 4), nil, "event 4 is not in the journal")
		must(t, flush(j))
		want := uint64(1)
		if name == "not yet" {
			want = 0
		}
		r := readOn(t, d.PowerCut(2))
		if got, err := r.Cursor("mqtt"); err != nil || got != want {
			t.Errorf("%s: the cursor is %d (%v), want %d", name, got, err, want)
		}
		j = openOn(t, d.PowerCut(2), Options{Key: testKey})
		if got, err := j.Cursor("mqtt"); err != nil || got != want {
			t.Errorf("%s: after the next start the cursor is %d (%v), want %d", name, got, err, want)
		}
	}
}

// TestRulesText: the text of rules is kept where they come into force, and again in each
// part.
func TestRulesText(t *testing.T) {
	d := disktest.New(1)
	with := func(text string) (Entry, string) {
		sum := sha256.Sum256([]byte(text))
		e := cardEntry(1)
		e.Rules, e.RulesText = sum[:], []byte(text)
		return e, hex.EncodeToString(sum[:])
	}
	first, firstSum := with(`{"house": "one"}`)
	second, secondSum := with(`{"house": "two"}`)
	j := openOn(t, d, Options{})
	mustAppend(t, j, first, first)
	mustAppend(t, j, second)
	second.RulesText = nil // it is known
	for range 3 {
		j = openOn(t, d, Options{})
		mustAppend(t, j, second)
	}
	if n := strings.Count(string(inFile(t, d, 1)), `{"rules":`); n != 2 {
		t.Errorf("the first part has %d texts", n)
	}
	for n := uint64(2); n <= 4; n++ {
		if !strings.Contains(string(inFile(t, d, n)), `{"rules":"`+secondSum+`","text":{"house": "two"},`) {
			t.Errorf("part %d has no text", n)
		}
	}
	for _, r := range []*Reader{j.Reader, readOn(t, d)} {
		for sum, want := range map[string]string{
			firstSum: `{"house": "one"}`, secondSum: `{"house": "two"}`,
			strings.Repeat("0", 64): "",
		} {
			if text, err := r.Rules(sum); err != nil || string(text) != want {
				t.Errorf("the rules %.8s are %s, %v", sum, text, err)
			}
		}
		must(t, r.Verify(t.Context(), nil))
	}
}

// pack compresses a part by hand.
func pack(t testing.TB, d *disktest.Disk, number uint64) {
	t.Helper()
	enc, err := zstd.NewWriter(nil)
	must(t, err)
	d.Hands().Put(strings.TrimSuffix(partName(number), partEnd)+packedEnd, enc.EncodeAll(inFile(t, d, number), nil))
	must(t, d.Hands().Delete(partName(number)))
}

// TestPackedParts reads parts that were compressed, even while they are being read.
func TestPackedParts(t *testing.T) {
	d := disktest.New(1)
	top := aNight(t, d, 200, Options{}).top
	r := readOn(t, d)
	n := 0
	for rec, err := range r.Records(1) {
		must(t, err)
		if n++; rec.Seq != uint64(n) {
			t.Fatalf("record %d is %d", n, rec.Seq)
		}
		if n == 20 {
			for number := uint64(1); number < top; number++ {
				if number%3 != 0 {
					pack(t, d, number)
				}
			}
		}
	}
	must(t, r.Verify(t.Context(), nil))
	j := openOn(t, d, Options{})
	if seq, _ := j.Next(); seq != 201 || n != 200 || len(records(t, j.Reader, 50)) != 151 {
		t.Errorf("next is %d, %d were read", seq, n)
	}
	d.Hands().Put("part-000004.jsonl.zst", []byte("no zstd"))
	wantError(t, readOn(t, d).Verify(t.Context(), nil), ErrDamaged, "decompressed")
}

// TestReadersBeside reads with several readers while parts are begun and abandoned.
func TestReadersBeside(t *testing.T) {
	path := newPath(t)
	d := &failing{Disk: folderDisk(t, path)}
	j, err := OpenOn(d, path, Options{PartMost: 2000})
	must(t, err)
	done := make(chan struct{})
	var all sync.WaitGroup
	for range 3 {
		all.Go(func() {
			for last := uint64(0); ; {
				select {
				case <-done:
					return
				default:
				}
				r, err := OpenReadOnly(path)
				if err != nil {
					t.Error(err)
					return
				}
				seq := uint64(0)
				for _, reader := range []*Reader{r, j.Reader} {
					from := max(1, last) - 1
					seq = from
					for rec, err := range reader.Records(from + 1) {
						if err != nil || rec.Seq != seq+1 {
							t.Errorf("record %d after %d: %v", rec.Seq, seq, err)
							return
						}
						seq++
					}
				}
				if err := r.Verify(t.Context(), nil); err != nil {
					t.Error(err)
				}
				if _, _, _, err := r.Checkpoint(); err != nil {
					t.Error(err)
				}
				last = seq
				mustClose(t, r)
			}
		})
	}
	appends := tier.Times(100, 300)
	for n := range appends {
		if n%17 == 3 {
			d.fail.Store(true)
		}
		mustAppend(t, j, carrying(cardEntry(n), "{}"))
	}
	close(done)
	all.Wait()
	must(t, j.Verify(t.Context(), nil))
	if got := len(records(t, j.Reader, 1)); got != appends {
		t.Errorf("%d records", got)
	}
	mustClose(t, j)
}

// TestAway: a missing part is named, with its records and its place.
func TestAway(t *testing.T) {
	d := disktest.New(1)
	j := aNight(t, d, 60, Options{})
	mustAppend(t, j, cardEntry(61))
	must(t, j.away(AwayError{Part: 2, First: 2, Last: 10, To: "/archive"}))
	must(t, d.Hands().Delete(partName(2)))
	for name, err := range map[string]error{
		"Verify": readOn(t, d).Verify(t.Context(), nil),
		"record": func() error { _, err := readOn(t, d).record(3); return err }(),
	} {
		away, ok := errors.AsType[*AwayError](err)
		if !ok || away.Part != 2 || away.To != "/archive" || !strings.Contains(err.Error(), "part 2") ||
			!strings.Contains(err.Error(), "/archive") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if got := records(t, readOn(t, d), 30); len(got) != 32 {
		t.Errorf("%d records after the part", len(got))
	}
	must(t, d.Hands().Delete(partName(1)))
	r := readOn(t, d)
	for _, err := range r.Records(1) {
		if away, ok := errors.AsType[*AwayError](err); !ok || away.To != "/archive" {
			t.Errorf("from the first record on: %v", err)
		}
	}
	_, err := r.Events(0, 1)
	wantError(t, err, nil, "/archive")
}
