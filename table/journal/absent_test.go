package journal

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/sabot-table/sabot/internal/testkit/disktest"
)

// TestStartsWithoutWhatItNeeds: whatever part is missing, empty or cut on which the last checkpoint or the open round
// rests, a start sets the journal aside, once: none fails, and the next ones go on.
func TestStartsWithoutWhatItNeeds(t *testing.T) {
	yes, no := true, false
	for name, spoil := range map[string]func(h disktest.Hands, part string) error{
		"deleted":   disktest.Hands.Delete,
		"emptied":   func(h disktest.Hands, part string) error { return h.Replace(part, nil) },
		"cut":       func(h disktest.Hands, part string) error { return h.Truncate(part, 300) },
		"exchanged": func(h disktest.Hands, part string) error { return h.Replace(part, []byte("letter\n")) },
	} {
		for part := uint64(1); part <= 5; part++ {
			for _, key := range []Options{{}, {Key: testKey}} {
				t.Run(name, func(t *testing.T) {
					d := disktest.New(1)
					// The checkpoint is in part 1, and the open round in parts 1 to 4; the last start took nothing.
					j := openOn(t, d, key)
					mustAppend(t, j, cardEntry(1), carrying(cardEntry(2), "{}"), cardEntry(3))
					for n := range 4 {
						if j = openOn(t, d, key); n < 3 {
							mustAppend(t, j, cardEntry(4+n))
						}
					}
					mustClose(t, j)
					if err := spoil(d.Hands(), partName(part)); err != nil {
						t.Fatal(err)
					}
					if part == 5 && key.Key == nil {
						wantPlayable(t, d, key, nil) // the end of a journal without a key may be cut off unseen
						return
					}
					wantPlayable(t, d, key, &yes)
					wantPlayable(t, d, key, &no)
					wantPlayable(t, d, key, &no)
				})
			}
		}
	}
}

// wantPlayable starts a journal, reads all that a table reads then, and adds a record. told says whether the start must
// tell of something, nil where that does not matter.
func wantPlayable(t *testing.T, d *disktest.Disk, o Options, told *bool) {
	t.Helper()
	j := openOn(t, d, o)
	if opening, found := j.Opening(), j.Found(); told != nil && *told != (opening.Former != nil || len(found) > 0) {
		t.Errorf("the start says %+v and %q", opening.Former, found)
	}
	must(t, readAsATable(j))
	mustAppend(t, j, cardEntry(99))
	mustClose(t, j)
}

// readAsATable reads what a table reads from its journal when it starts.
func readAsATable(j *Journal) error {
	seq, _, _, err := j.Checkpoint()
	if err != nil {
		return err
	}
	next, event := j.Next()
	for _, err := range j.Records(seq + 1) {
		if err != nil {
			return err
		}
	}
	if _, err := j.Cursor("pit"); err != nil {
		return err
	}
	_ = j.Positions()
	_, err = j.Events(event, 1)
	if err == nil && next < seq {
		err = ErrDamaged
	}
	return err
}

// tampering is what somebody does to finished parts while the table is stopped, and what is told of it.
var tampering = map[string]struct {
	do   func(t *testing.T, d *disktest.Disk)
	want string
	// later says that only the look at all parts finds it.
	later bool
}{
	"nothing": {func(*testing.T, *disktest.Disk) {}, "", false},
	"deleted": {
		func(t *testing.T, d *disktest.Disk) { must(t, d.Hands().Delete(partName(2))) },
		"part 2 is missing", false,
	},
	"the first": {
		func(t *testing.T, d *disktest.Disk) { must(t, d.Hands().Delete(partName(1))) },
		"part 1 is missing", false,
	},
	"linked": {
		func(t *testing.T, d *disktest.Disk) { must(t, d.Hands().Link(partName(2), "second")) },
		"has a second name", false,
	},
	"longer": {
		func(t *testing.T, d *disktest.Disk) { must(t, d.Hands().Append(partName(2), []byte("x"))) },
		"says that it ends at byte", false,
	},
	"shorter": {func(t *testing.T, d *disktest.Disk) {
		must(t, d.Hands().Truncate(partName(2), lastWrite(t, inFile(t, d, 2))-10))
	}, "says that it ends at byte", false},
	"emptied": {
		func(t *testing.T, d *disktest.Disk) { must(t, d.Hands().Replace(partName(2), nil)) },
		"cannot be read", false,
	},
	"another packed beside": {func(t *testing.T, d *disktest.Disk) {
		packed, err := packText([]byte("something else"))
		must(t, err)
		d.Hands().Put(strings.TrimSuffix(partName(2), partEnd)+packedEnd, packed)
	}, "holds something else", true},
	"the same packed beside": {func(t *testing.T, d *disktest.Disk) {
		packed, err := packText(inFile(t, d, 2))
		must(t, err)
		d.Hands().Put(strings.TrimSuffix(partName(2), partEnd)+packedEnd, packed)
	}, "", false},
	"packed, with more in it": {func(t *testing.T, d *disktest.Disk) {
		packed, err := packText(append(inFile(t, d, 2), "\n"...))
		must(t, err)
		d.Hands().Put(strings.TrimSuffix(partName(2), partEnd)+packedEnd, packed)
		must(t, d.Hands().Delete(partName(2)))
	}, "says that it ends at byte", true},
	"a byte changed": {func(t *testing.T, d *disktest.Disk) {
		must(t, d.Hands().Rot(partName(2), 8*lastWrite(t, inFile(t, d, 2))))
	}, "is not what was written", true},
	"rewritten, with all hashes": {func(t *testing.T, d *disktest.Disk) {
		must(t, d.Hands().Replace(partName(2), disktest.Rechained(inFile(t, d, 2), 2)))
	}, "is not what was written", true},
	"a note that was added": {func(t *testing.T, d *disktest.Disk) {
		text := string(inFile(t, d, 3))
		at := strings.LastIndex(strings.TrimSuffix(text, "\n"), "\n") + 1
		note := `{"away":2,"first":1,"last":4,"to":"/x","at":1` +
			string(beforeHash) + strings.Repeat("0", hexHash) + string(afterHash)
		must(t, d.Hands().Replace(partName(3), []byte(text[:at]+note+text[at:])))
		must(t, d.Hands().Delete(partName(2)))
	}, "part 2 is missing", false},
}

// partsFile is where the simulated journals keep what the last look found.
const partsFile = "sim" + PartsEnd

// tamperedWith is a simulated journal of finished parts, at which a session has looked before somebody changed it.
func tamperedWith(t *testing.T, do func(*testing.T, *disktest.Disk)) (*disktest.Disk, Options) {
	t.Helper()
	d := disktest.New(1)
	o := Options{Key: testKey}
	for n := range 6 {
		j := openOn(t, d, o)
		mustAppend(t, j, cardEntry(n), carrying(cardEntry(n), "{}"))
		must(t, j.Inspect(t.Context()))
		mustClose(t, j)
	}
	do(t, d)
	return d, o
}

// wantTold checks what was told of what was done.
func wantTold(t *testing.T, j *Journal, want string) {
	t.Helper()
	found := strings.Join(j.Found(), "; ")
	if !strings.Contains(found, want) || want == "" && found != "" || j.Opening().Former != nil {
		t.Errorf("found %q, want %q; %+v", found, want, j.Opening().Former)
	}
}

// TestFoundAtTheStart: what was done to finished parts while the table was stopped is told by the start itself, but for
// what only their content shows: that is told by the look at all of them after it. Nothing is told twice.
func TestFoundAtTheStart(t *testing.T) {
	for name, c := range tampering {
		t.Run(name, func(t *testing.T) {
			d, o := tamperedWith(t, c.do)
			j := openOn(t, d, o)
			at, then := c.want, ""
			if c.later {
				at, then = "", c.want
			}
			wantTold(t, j, at)
			must(t, j.Inspect(t.Context()))
			wantTold(t, j, then)
		})
	}
}

// TestFoundWhateverIsKnown: who throws away or changes what the last look has left hides nothing from the look after
// the start, and has no part told of that is there and as it was.
func TestFoundWhateverIsKnown(t *testing.T) {
	for spoilt, spoil := range map[string]func(t *testing.T, d *disktest.Disk, o Options){
		"thrown away": func(t *testing.T, d *disktest.Disk, _ Options) { must(t, d.Hands().Delete(partsFile)) },
		"emptied":     func(t *testing.T, d *disktest.Disk, _ Options) { must(t, d.Hands().Replace(partsFile, nil)) },
		"garbage": func(t *testing.T, d *disktest.Disk, _ Options) {
			must(t, d.Hands().Replace(partsFile, []byte("\x00a 1\n away 2 -1")))
		},
		"cut off": func(t *testing.T, d *disktest.Disk, _ Options) {
			must(t, d.Hands().Truncate(partsFile, len(knownBegin)+60))
		},
		"forged": func(t *testing.T, d *disktest.Disk, _ Options) {
			r := readOn(t, d)
			k := newKnown()
			numbers, err := r.shelf.all()
			must(t, err)
			for _, number := range numbers {
				info, err := d.Stat(r.shelf.name(number))
				must(t, err)
				k.sizes[r.shelf.name(number)] = info.Size
			}
			k.notes = map[uint64]uint64{1: 2, 2: 3}
			must(t, d.Hands().Replace(partsFile, k.text(r.ID())))
		},
		"with other sizes": func(t *testing.T, d *disktest.Disk, _ Options) {
			k := newKnown()
			for n := range 6 {
				k.sizes[partName(uint64(n+1))] = int64(n)
			}
			must(t, d.Hands().Replace(partsFile, k.text(readOn(t, d).ID())))
		},
	} {
		for name, c := range tampering {
			t.Run(spoilt+", "+name, func(t *testing.T) {
				d, o := tamperedWith(t, c.do)
				spoil(t, d, o)
				j := openOn(t, d, o)
				must(t, j.Inspect(t.Context()))
				wantTold(t, j, c.want)
			})
		}
	}
}

// TestMovedLongAgo: where the note of the last part that was moved away lies many parts back, a start reads that part
// alone, and still tells at once of a part that is gone since. Without what the last look has left, that look tells.
func TestMovedLongAgo(t *testing.T) {
	for _, c := range []struct {
		name        string
		gone        bool // part 3 is gone, too
		forgotten   bool
		start, then string
		most        int // how many parts are opened
	}{
		{"moved", false, false, "", "", 12},
		{"moved, forgotten", false, true, "", "", 45},
		{"gone since", true, false, "part 3 is missing", "", 12},
		{"gone since, forgotten", true, true, "", "part 3 is missing", 45},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, o := disktest.New(1), Options{PartMost: 1}
			j := openOn(t, d, o)
			another := func() { mustAppend(t, j, carrying(cardEntry(1), "{}")) }
			for range 5 {
				another()
			}
			must(t, j.Inspect(t.Context()))
			d.Clock().Advance(10 * 24 * time.Hour)
			another()
			another()
			k := Keep{NoPublisher: true, KeepDays: 5, Archive: "/the/archive", On: disktest.New(2)}
			must(t, j.Tidy(t.Context(), k))
			for range 30 {
				another()
			}
			must(t, j.Tidy(t.Context(), Keep{NoPublisher: true}))
			mustClose(t, j)
			numbers, err := readOn(t, d).shelf.all()
			must(t, err)
			first := numbers[0]
			if first == 1 {
				t.Fatal("nothing was moved")
			}
			want := strings.NewReplacer("3", fmt.Sprint(first))
			if c.gone {
				must(t, d.Hands().Delete(partName(first)))
			}
			if c.forgotten {
				must(t, d.Hands().Delete(partsFile))
			}
			on, calls := CountedDisk(d)
			o.Now = d.Clock().Now
			j, err = OpenOn(on, "sim", o)
			must(t, err)
			wantTold(t, j, want.Replace(c.start))
			if opened := calls.Of[disktest.Open]; opened > c.most {
				t.Errorf("the start opened %d files", opened)
			}
			must(t, j.Inspect(t.Context()))
			wantTold(t, j, want.Replace(c.then))
		})
	}
}
