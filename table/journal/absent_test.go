package journal

import (
	"strings"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/disktest"
)

// TestStartsWithoutWhatItNeeds: whatever part is missing, empty or cut on which the last checkpoint or the open round rests,
// a start sets the journal aside, once: none fails, and the next ones go on.
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

// wantPlayable starts a journal, reads all that a table reads then, and adds a record. told says whether the start must tell
// of something, nil where that does not matter.
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

// TestFoundAtTheStart: what was done to finished parts while the table was stopped is told by the start, or by the look at
// the parts after it.
func TestFoundAtTheStart(t *testing.T) {
	for name, c := range map[string]struct {
		do   func(t *testing.T, d *disktest.Disk)
		want string
	}{
		"nothing":   {func(*testing.T, *disktest.Disk) {}, ""},
		"deleted":   {func(t *testing.T, d *disktest.Disk) { must(t, d.Hands().Delete(partName(2))) }, "part 2 is missing"},
		"the first": {func(t *testing.T, d *disktest.Disk) { must(t, d.Hands().Delete(partName(1))) }, "part 1 is missing"},
		"linked":    {func(t *testing.T, d *disktest.Disk) { must(t, d.Hands().Link(partName(2), "second")) }, "has a second name"},
		"longer":    {func(t *testing.T, d *disktest.Disk) { must(t, d.Hands().Append(partName(2), []byte("x"))) }, "says that it ends at byte"},
		"shorter": {func(t *testing.T, d *disktest.Disk) {
			must(t, d.Hands().Truncate(partName(2), lastWrite(t, inFile(t, d, 2))-10))
		}, "says that it ends at byte"},
		"emptied": {func(t *testing.T, d *disktest.Disk) { must(t, d.Hands().Replace(partName(2), nil)) }, "cannot be read"},
		"another packed beside": {func(t *testing.T, d *disktest.Disk) {
			packed, err := packText([]byte("something else"))
			must(t, err)
			d.Hands().Put(strings.TrimSuffix(partName(2), partEnd)+packedEnd, packed)
		}, "holds something else"},
		"the same packed beside": {func(t *testing.T, d *disktest.Disk) {
			packed, err := packText(inFile(t, d, 2))
			must(t, err)
			d.Hands().Put(strings.TrimSuffix(partName(2), partEnd)+packedEnd, packed)
		}, ""},
		"a note that was added": {func(t *testing.T, d *disktest.Disk) {
			text := string(inFile(t, d, 3))
			at := strings.LastIndex(strings.TrimSuffix(text, "\n"), "\n") + 1
			note := `{"away":2,"first":1,"last":4,"to":"/x","at":1` + string(beforeHash) + strings.Repeat("0", hexHash) + string(afterHash)
			must(t, d.Hands().Replace(partName(3), []byte(text[:at]+note+text[at:])))
			must(t, d.Hands().Delete(partName(2)))
		}, "part 2 is missing"},
	} {
		t.Run(name, func(t *testing.T) {
			d := disktest.New(1)
			o := Options{Key: testKey}
			for n := range 6 {
				j := openOn(t, d, o)
				mustAppend(t, j, cardEntry(n), carrying(cardEntry(n), "{}"))
				mustClose(t, j)
			}
			c.do(t, d)
			j := openOn(t, d, o)
			must(t, j.Inspect(t.Context()))
			found := strings.Join(j.Found(), "; ")
			if !strings.Contains(found, c.want) || c.want == "" && found != "" || j.Opening().Former != nil {
				t.Errorf("found %q, want %q; %+v", found, c.want, j.Opening().Former)
			}
		})
	}
}
