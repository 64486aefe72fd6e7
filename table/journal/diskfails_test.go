package journal

import (
	"bytes"
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/sabot-table/sabot/internal/testkit/disktest"
	"github.com/sabot-table/sabot/internal/testkit/tier"
)

// readOps are the operations of who only reads.
var readOps = []disktest.Op{disktest.Open, disktest.Stat, disktest.ReadAt, disktest.List, disktest.Changed}

// allOps are those of who writes, too.
var allOps = slices.Concat(readOps, []disktest.Op{
	disktest.Create, disktest.Append, disktest.Sync, disktest.Rename, disktest.Remove, disktest.SyncFolder,
	disktest.Forget, disktest.Free,
})

// eachFails has a disk fail once, and for good (-1 times): from each operation of these kinds on that do comes to, one
// after the other. It has a new disk for each fault, and returns it.
func eachFails(t *testing.T, ops []disktest.Op, do func(*testing.T, disktest.Fault) *disktest.Disk) {
	t.Helper()
	for _, op := range ops {
		for _, times := range []int{1, -1} {
			for skip, failed := 0, true; failed && !t.Failed(); skip += tier.Times(5, 1) {
				failed = false
				t.Run(fmt.Sprintf("%v %d, %d times", op, skip+1, times), func(t *testing.T) {
					d := do(t, disktest.Fault{Op: op, Skip: skip, Times: times, Err: syscall.EIO})
					failed = strings.Contains(d.Log(), syscall.EIO.Error())
				})
			}
		}
	}
}

// ofAllKinds is a journal with all that can be in one: it replaces another one that was set aside, and has a set-up,
// rules, parts that were moved away, packed and given up, numbers that were left out, and a torn end. The key of its
// codes stands some parts before that end.
func ofAllKinds(t *testing.T) (d, archive *disktest.Disk) {
	t.Helper()
	d, archive = disktest.New(1), disktest.New(2)
	o := Options{Key: testKey, PartMost: 2500}
	j := openOn(t, d, o)
	mustAppend(t, j, cardEntry(1))
	must(t, d.Hands().Rot(partName(1), 8*lastWrite(t, inFile(t, d, 1))))
	mustClose(t, j)
	j = openOn(t, d, o)
	mustAppend(t, j, carrying(keyEntry(`{"in":"setup"}`), "{}"))
	n := 0
	round := func() {
		n++
		first, last := ruled(2*n, fmt.Sprintf(`{"house":%d}`, n/4)), carrying(ruled(2*n+1, `{"house":"all"}`), "{}")
		first.Round, last.Round = uint64(n), uint64(n)
		mustAppend(t, j, first, last)
	}
	for range 6 {
		round()
	}
	d.Clock().Advance(10 * 24 * time.Hour)
	must(t, j.Tidy(t.Context(), Keep{NoPublisher: true, KeepDays: 5, Archive: "/archive", On: archive}))
	for range 6 {
		round()
	}
	d.Clock().Advance(10 * 24 * time.Hour)
	must(t, j.Tidy(t.Context(), Keep{NoPublisher: true, PackDays: 5}))
	keyStays := disktest.Fault{Op: disktest.Rename, Name: "sim" + CodesEnd + "*", Times: -1, Err: syscall.EROFS}
	d.Plan(keyStays)
	for range 4 {
		round()
	}
	must(t, j.SetCursor("pit", 20))
	d.Plan(disktest.Fault{Op: disktest.Sync, Name: "part-*.jsonl", Err: syscall.ENOSPC},
		disktest.Fault{Op: disktest.SyncFolder, Err: syscall.ENOSPC, Times: -1})
	for range 2 {
		if err := j.Append([]Entry{cardEntry(1)}); err == nil {
			t.Fatal("no part was given up")
		}
	}
	d.Mend()
	d.Plan(keyStays)
	for range 2 {
		round()
	}
	must(t, j.Lift(100, 300))
	for range 2 {
		round()
	}
	must(t, d.Hands().Append(j.current.name, []byte(`{"in":"card"`)))
	newest := j.current.part
	d = d.Kill()
	d.Mend()
	r := readOn(t, d)
	numbers, err := r.shelf.all()
	must(t, err)
	givenUp := 0
	for i := range numbers {
		if counts, err := r.shelf.counts(numbers, i); err == nil && !counts {
			givenUp++
		}
	}
	p, err := r.shelf.get(newest)
	must(t, err)
	begins, err := r.Begins()
	must(t, err)
	if givenUp == 0 || begins < 2 || p.coded() <= codesOf(t, d).frame || len(p.Aside) != 1 ||
		!strings.Contains(names(d), packedEnd) {
		t.Fatalf("%d parts are given up, it begins after record %d: %s", givenUp, begins, names(d))
	}
	return d, archive
}

// startSays is what a start says of the journal, but for the files that it could not read, and what a table reads from
// it then.
func startSays(j *Journal) (string, error) {
	o := j.Opening()
	former := o.Former
	o.Former, o.Dropped, o.Behind = nil, 0, "" // a start that failed may have told and done these already
	record, event := j.Next()
	said := fmt.Sprintf("%+v %+v, next are %d and %d, %q", o, former, record, event, foundBeside(j))
	return said, readAsATable(j)
}

// TestStartWhereADiskFails: where the disk fails a start says so, and the next one finds the journal as it was; or the
// start is as it would have been. It never sets a journal aside that is whole, whatever the pit has heard of it.
func TestStartWhereADiskFails(t *testing.T) {
	made, _ := ofAllKinds(t)
	r := readOn(t, made)
	begins, err := r.Begins()
	must(t, err)
	for name, heard := range map[string]Heard{
		"nothing":  {},
		"packed":   {ID: r.ID(), Record: begins + 1, Hash: records(t, r, begins+1)[0].Hash},
		"plain":    {ID: r.ID(), Record: 30, Hash: records(t, r, 30)[0].Hash},
		"left out": {ID: r.ID(), Record: 100},
		"away":     {ID: r.ID(), Record: begins, Hash: [32]byte{1}},
		"more":     {ID: r.ID(), Record: 11_000, Event: 40_000},
		"another":  {ID: strings.Repeat("5", 32), Record: 3, Event: 9},
	} {
		start := func(d *disktest.Disk) (string, error) {
			j, err := OpenOn(d, "sim", Options{Key: testKey, Heard: heard, Now: d.Clock().Now})
			if err != nil {
				return "", err
			}
			return startSays(j)
		}
		t.Run(name, func(t *testing.T) {
			want, err := start(made.Kill())
			must(t, err)
			eachFails(t, readOps, func(t *testing.T, fault disktest.Fault) *disktest.Disk {
				d := made.Kill()
				d.Plan(fault)
				got, err := start(d)
				if err != nil {
					wantError(t, err, syscall.EIO, "")
					d = d.Kill()
					d.Mend()
					got, err = start(d)
				}
				must(t, err)
				wantLines(t, got, want)
				return d
			})
		})
	}
}

// TestDeadPart: a part of which the disk reads nothing any more keeps no table from starting that does not need it.
func TestDeadPart(t *testing.T) {
	made, _ := ofAllKinds(t)
	want, err := startSays(openOn(t, made.Kill(), Options{Key: testKey}))
	must(t, err)
	r := readOn(t, made)
	numbers, err := r.shelf.all()
	must(t, err)
	dead := 0
	for i, number := range numbers {
		next, err := r.shelf.get(numbers[i+1])
		if must(t, err); next.coded() > codesOf(t, made).frame {
			break // a start checks the codes from the key on
		}
		d := made.Kill()
		for _, op := range []disktest.Op{disktest.Open, disktest.ReadAt} {
			d.Plan(disktest.Fault{Op: op, Name: r.shelf.name(number), Times: -1, Err: syscall.EIO})
		}
		got, err := startSays(openOn(t, d, Options{Key: testKey}))
		if must(t, err); got != want {
			t.Errorf("without part %d it is\n%s\nwant\n%s", number, got, want)
		}
		dead++
	}
	if dead < 3 {
		t.Errorf("%d parts are not needed", dead)
	}
}

// TestBegunWhereADiskFails: where the disk fails a start that begins a journal says so, and the next one begins it; the
// house's key for its codes is there whenever the table has one.
func TestBegunWhereADiskFails(t *testing.T) {
	eachFails(t, allOps, func(t *testing.T, fault disktest.Fault) *disktest.Disk {
		d := disktest.New(1)
		d.Plan(fault)
		j, err := OpenOn(d, "sim", Options{Key: testKey, Now: d.Clock().Now})
		if err != nil {
			wantError(t, err, syscall.EIO, "")
			d = d.Kill()
			d.Mend()
			j = openOn(t, d, Options{Key: testKey})
		}
		d.Mend()
		if o := j.Opening(); o.Former != nil {
			t.Errorf("it replaces %+v", o.Former)
		}
		keys, err := d.Hands().Read("sim" + AuditKeyEnd)
		must(t, err)
		by := codesOf(t, d).by
		for line := range strings.Lines(string(keys)) {
			key, err := ParseAuditLine(line)
			if must(t, err); key.By() == by {
				return d
			}
		}
		t.Errorf("the audit key %s is not there: %s", by, keys)
		return d
	})
}

// TestAppendWhereADiskFails: where the disk fails Append says so, and takes the same again once it does not; or it has
// taken it. Nobody is said to have touched the files.
func TestAppendWhereADiskFails(t *testing.T) {
	eachFails(t, allOps, func(t *testing.T, fault disktest.Fault) *disktest.Disk {
		d := disktest.New(1)
		j := openOn(t, d, Options{Key: testKey, PartMost: 1})
		d.Plan(fault)
		for n := range 5 {
			entries := []Entry{cardEntry(2 * n), carrying(cardEntry(2*n+1), "{}")}
			if err := j.Append(entries); err != nil {
				wantError(t, err, syscall.EIO, "")
				d.Mend()
				mustAppend(t, j, entries...)
			}
		}
		if found := foundBeside(j); len(found) > 0 {
			t.Errorf("found %q", found)
		}
		d.Mend()
		numbers, err := j.shelf.all()
		must(t, err)
		for _, number := range numbers {
			p, err := j.shelf.get(number)
			if must(t, err); strings.Contains(p.Why, "tampering") || p.Lost != "" {
				t.Errorf("part %d was begun for %q, and lost is %q", number, p.Why, p.Lost)
			}
		}
		for _, r := range []*Reader{j.Reader, readOn(t, d), openOn(t, d.PowerCut(1), Options{Key: testKey}).Reader} {
			must(t, r.Verify(t.Context(), nil))
			if got := records(t, r, 1); len(got) != 10 {
				t.Errorf("%d records", len(got))
			}
		}
		return d
	})
}

// TestNotLookedAt: who could not look at the part has written nothing to it, so that the next one allows for nothing
// behind what counts.
func TestNotLookedAt(t *testing.T) {
	d := disktest.New(1)
	j := openOn(t, d, Options{})
	mustAppend(t, j, cardEntry(1))
	d.Plan(disktest.Fault{Op: disktest.Stat, Name: partName(1), Err: syscall.EIO})
	mustAppend(t, j, cardEntry(2))
	p, err := j.shelf.get(2)
	if must(t, err); p.Over != 0 {
		t.Errorf("the part behind allows for %d bytes", p.Over)
	}
	must(t, d.Hands().Append(partName(1), inFile(t, d, 1)[p.Ends-20:]))
	if err := readOn(t, d).Verify(t.Context(), nil); !errors.Is(err, ErrDamaged) {
		t.Errorf("something was added to the part: %v", err)
	}
}

// foundBeside is what was found about the files, beside that some cannot be read.
func foundBeside(j *Journal) []string {
	return slices.DeleteFunc(j.Found(), func(what string) bool {
		failed := func(how string) bool { return strings.Contains(what, how) }
		return failed(syscall.EIO.Error()) && (failed("cannot be read: ") || failed("cannot be looked at: ") ||
			failed("cannot be compared with "))
	})
}

// wantLines compares texts, and names the first line that differs.
func wantLines(t *testing.T, got, want string) {
	t.Helper()
	wanted := strings.Split(want, "\n")
	for i, line := range strings.Split(got, "\n") {
		if i >= len(wanted) || line != wanted[i] {
			t.Fatalf("line %d is\n%s\nwant\n%q", i+1, line, wanted[min(i, len(wanted)):min(i+1, len(wanted))])
		}
	}
	if got != want {
		t.Fatalf("lines are missing at the end: %d of %d bytes are there", len(got), len(want))
	}
}

// readWhole is all that readers give of a journal, in one text, and what a walk says is wrong with it.
func readWhole(t *testing.T, d *disktest.Disk) (read, faults string, err error) {
	r, err := NewReader("sim", d)
	if err != nil {
		return "", "", err
	}
	var b, f bytes.Buffer
	for _, read := range []func(io.Writer, *Reader) error{readRecords, readStretches, readFacts} {
		if err := read(&b, r); err != nil {
			return "", "", err
		}
	}
	err = r.Walk(t.Context(), func(s *Step) error {
		if s.Fault != nil {
			fmt.Fprintln(&f, s.Fault)
		}
		return nil
	})
	return b.String(), f.String(), err
}

// readRecords reads all records, each with the text of its rules, and their events.
func readRecords(w io.Writer, r *Reader) error {
	begins, err := r.Begins()
	if err != nil {
		return err
	}
	after := uint64(0)
	for rec, err := range r.Records(begins + 1) {
		if err != nil {
			return err
		}
		text, err := r.Rules(hex.EncodeToString(rec.Rules))
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "record %d %x, rules %x %s\n", rec.Seq, rec.Hash, rec.Rules, text)
		after = cmp.Or(after, rec.FirstEvent-1)
	}
	events, err := r.Events(after, 1000)
	for i := range events {
		fmt.Fprintf(w, "event %d of %d: %s\n", events[i].Number, events[i].RecordSeq, events[i].Line)
	}
	return err
}

// readStretches reads what somebody reads who keeps a copy.
func readStretches(w io.Writer, r *Reader) error {
	for after := uint64(0); ; {
		s, err := r.Stretch(after, 2000)
		if err != nil || len(s.Frames) == 0 && s.Gap == nil {
			return err
		}
		fmt.Fprintf(w, "after %d: %s %d %d\n", after, s.InForce, len(s.Rules), len(s.Seals))
		if s.Gap != nil { // its text may lack where the records are
			fmt.Fprintln(w, "without", s.Gap.First, s.Gap.Last, s.Gap.Why)
			after = s.Gap.Last
		}
		after += uint64(len(s.Frames))
	}
}

// readFacts reads what else there is.
func readFacts(w io.Writer, r *Reader) error {
	head, hash, err := r.Head()
	if err != nil {
		return err
	}
	seq, carry, setup, err := r.Checkpoint()
	if err != nil {
		return err
	}
	first, err := r.FirstOf(15)
	if err != nil {
		return err
	}
	input, err := r.SetUp(2)
	if err != nil {
		return err
	}
	seal, err := r.SealOver(seq)
	if err != nil {
		return err
	}
	list, err := r.Extents()
	if err != nil {
		return err
	}
	fmt.Fprintln(w, head, hash, seq, string(carry), string(setup), first, string(input), seal.Seq, list)
	boots, err := r.Boots(context.Background())
	fmt.Fprintln(w, boots)
	return err
}

// TestReadWhereADiskFails: where the disk fails a reader says so, or gives what it would have given.
func TestReadWhereADiskFails(t *testing.T) {
	made, _ := ofAllKinds(t)
	want, wrong, err := readWhole(t, made.Kill())
	must(t, err)
	eachFails(t, readOps, func(t *testing.T, fault disktest.Fault) *disktest.Disk {
		d := made.Kill()
		d.Plan(fault)
		got, faults, err := readWhole(t, d)
		if err != nil {
			if wantError(t, err, syscall.EIO, ""); errors.Is(err, ErrDamaged) {
				t.Errorf("the disk fails, and the journal is said to be damaged: %v", err)
			}
			return d
		}
		wantLines(t, got, want)
		if !strings.Contains(faults, syscall.EIO.Error()) { // a walk goes on, and says what it could not read
			wantLines(t, faults, wrong)
		}
		return d
	})
}

// TestGivenUpPartUnread: what a disk does not read of a part that was given up is told, too.
func TestGivenUpPartUnread(t *testing.T) {
	made, _ := ofAllKinds(t)
	r := readOn(t, made)
	numbers, err := r.shelf.all()
	must(t, err)
	for i, number := range numbers {
		if counts, err := r.shelf.counts(numbers, i); err != nil || counts {
			continue
		}
		for skip := range 4 {
			d := made.Kill()
			d.Plan(disktest.Fault{
				Op: disktest.ReadAt, Name: r.shelf.name(number), Skip: skip, Times: -1, Err: syscall.EIO,
			})
			text, _, _ := faults(t, readOn(t, d))
			failed := strings.Contains(d.Log(), syscall.EIO.Error())
			if failed != strings.Contains(text, syscall.EIO.Error()) {
				t.Errorf("part %d fails after %d reads: %t; told is\n%s", number, skip, failed, text)
			}
		}
	}
}

// TestLookWhereADiskFails: where the disk fails the look at all parts says what it could not read, and nothing else;
// the next one has nothing to tell.
func TestLookWhereADiskFails(t *testing.T) {
	made, _ := ofAllKinds(t)
	eachFails(t, readOps, func(t *testing.T, fault disktest.Fault) *disktest.Disk {
		d := made.Kill()
		j := openOn(t, d, Options{Key: testKey})
		d.Plan(fault)
		if err := j.Inspect(t.Context()); err != nil {
			wantError(t, err, syscall.EIO, "")
		}
		if found := foundBeside(j); len(found) > 0 {
			t.Errorf("found %q", found)
		}
		d.Mend()
		must(t, j.Inspect(t.Context()))
		wantFound(t, j, "")
		return d
	})
}

// TestTidyWhereADiskFails: where a disk fails tidying up says so, and the next time does the rest; or it is done.
func TestTidyWhereADiskFails(t *testing.T) {
	made, filled := ofAllKinds(t)
	made.Clock().Advance(10 * 24 * time.Hour)
	start := func(t *testing.T) (d, archive *disktest.Disk, tidy func() error) {
		d, archive = made.Kill(), filled.Kill()
		j := openOn(t, d, Options{Key: testKey})
		k := Keep{NoPublisher: true, PackDays: 1, KeepDays: 12, Archive: "/archive", On: archive, FreeMin: 1}
		return d, archive, func() error { return j.Tidy(t.Context(), k) }
	}
	// A part more may have been begun, and a draft may be left.
	tidied := func(d, archive *disktest.Disk) string {
		plain := func(name string) bool { return !strings.HasSuffix(name, packedEnd) }
		drafts := func(name string) bool { return strings.HasSuffix(name, draftEnd) }
		return fmt.Sprint(slices.DeleteFunc(d.Hands().Names(), plain),
			slices.DeleteFunc(archive.Hands().Names(), drafts))
	}
	d, archive, tidy := start(t)
	must(t, tidy())
	want := tidied(d, archive)
	for _, which := range []string{"the table's", "the archive's"} {
		t.Run(which, func(t *testing.T) {
			eachFails(t, allOps, func(t *testing.T, fault disktest.Fault) *disktest.Disk {
				d, archive, tidy := start(t)
				failing := map[string]*disktest.Disk{"the table's": d, "the archive's": archive}[which]
				failing.Plan(fault)
				if err := tidy(); err != nil {
					wantError(t, err, syscall.EIO, "")
					failing.Mend()
					must(t, tidy())
				}
				if got := tidied(d, archive); got != want {
					t.Errorf("the files are\n%s\nwant\n%s", got, want)
				}
				return failing
			})
		})
	}
}
