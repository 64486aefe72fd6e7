package journal

import (
	"bytes"
	"crypto/ed25519"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/disktest"
	"github.com/sabot-table/sabot/table/journal/disk"
)

// closedBy closes a line with a hash of zeros, which nothing here checks.
func closedBy(line string) []byte {
	return []byte(line + string(beforeHash) + strings.Repeat("0", hexHash) + string(afterHash))
}

// TestNoFrame: what is nearly a frame, a header, a record or a part's name is none.
func TestNoFrame(t *testing.T) {
	if f, err := cutFrame(closedBy("")); err == nil {
		t.Errorf("a hash alone is the frame %q", f.text)
	}
	head, err := cutFrame(aPart(t))
	must(t, err)
	strange, err := cutFrame(bytes.Replace(head.text, []byte(`"format":3`), []byte(`"format":3,"strange":7`), 1))
	must(t, err)
	if _, err := parseHeader(&strange); err == nil {
		t.Error("a header has a field that no header has")
	}
	for _, more := range []string{"", " ", "x"} {
		f, err := cutFrame(closedBy(`{"in":"rest"}` + "\n" + `{"record":1,"event":0,"at":1,"round":1` + more))
		must(t, err)
		if err := parseRecord(&f, new(Record)); (err == nil) != (more == "") {
			t.Errorf("with %q behind its last field a record is read: %v", more, err)
		}
	}
	for number, is := range map[string]bool{
		"1": true, "1:": false, "1/": false, "+1": false, "01": false, "": false, "99999999999999999999": false,
	} {
		f, err := cutFrame(closedBy(`{"in":"rest"}` + "\n" + `{"record":` + number + `,"event":0,"at":1,"round":1`))
		must(t, err)
		if err := parseRecord(&f, new(Record)); (err == nil) != is {
			t.Errorf("that %q is the number of a record is not %t: %v", number, is, err)
		}
	}
	for name, is := range map[string]bool{
		"part-000001.jsonl": true, "part-1234567.jsonl.zst": true, "part-000000.jsonl": false,
		"part-00001.jsonl":      false,
		"part-000001.jsonl.new": false, "part-.jsonl": false, "art-000001.jsonl": false,
		"part-9223372036854775808.jsonl": false,
	} {
		if number, _, ok := partNumber(name); ok != is {
			t.Errorf("%s is part %d: %v", name, number, ok)
		}
	}
}

// TestKeptKeyIsExact: what the table has written, and nothing that is only like it.
func TestKeptKeyIsExact(t *testing.T) {
	k := &keptKey{journal: strings.Repeat("ab", 16), by: strings.Repeat("cd", 8), at: 7, ratchet: ratchet{frame: 3}}
	text, err := k.text(testKey)
	must(t, err)
	public := testKey.Public().(ed25519.PublicKey)
	for what, text := range map[string][]byte{
		"a field more":  bytes.Replace(text, []byte(`{"journal"`), []byte(`{"more":1,"journal"`), 1),
		"another frame": bytes.Replace(text, []byte(`"frame":3`), []byte(`"frame":4`), 1),
		"nothing":       nil,
		"too long":      append(bytes.Clone(text), bytes.Repeat([]byte(" "), mostKeptBytes)...),
	} {
		if _, err := parseKept(text, public); err == nil {
			t.Errorf("%s: it is taken", what)
		}
	}
	if _, err := parseKept(text, public); err != nil {
		t.Errorf("what was written: %v", err)
	}
}

// TestIsID: folders have a journal's id as their name, so that there is one way to write it.
func TestIsID(t *testing.T) {
	const id = "0123456789abcdef0123456789abcdef"
	for text, want := range map[string]bool{
		id: true, id[2:]: false, id + "00": false, strings.ToUpper(id): false, id[:31] + "g": false,
		"../" + id[3:]: false, "": false,
	} {
		if isID(text) != want {
			t.Errorf("%q is an id: %t", text, !want)
		}
	}
}

// TestOwner: the lock file's text is anybody's; only a number is a process.
func TestOwner(t *testing.T) {
	for text, want := range map[string]string{
		"": "pid unknown", "12\n": "pid 12", "-1": "pid unknown", "garbage": "pid unknown", "12 34": "pid unknown",
		strings.Repeat("1", mostPID+1): "pid unknown", "4294967296": "pid unknown",
	} {
		name := filepath.Join(t.TempDir(), "lock")
		must(t, os.WriteFile(name, []byte(text), 0o600))
		f, err := os.Open(name)
		must(t, err)
		if got := owner(f); got != want {
			t.Errorf("of %q: %s, want %s", text, got, want)
		}
		must(t, f.Close())
		if got := owner(f); got != "pid unknown" {
			t.Errorf("of a file that cannot be read: %s", got)
		}
	}
}

// TestPartsGoneMeanwhile: somebody deletes all parts of a journal that is open. What reads it says so, or that there is
// nothing to do, and the next record is written.
func TestPartsGoneMeanwhile(t *testing.T) {
	d := disktest.New(1)
	j := openOn(t, d, Options{Key: testKey})
	mustAppend(t, j, carrying(cardEntry(1), "{}"))
	r := readOn(t, d)
	must(t, d.Hands().Delete(partName(1)))
	if err := j.Tidy(t.Context(), Keep{NoPublisher: true, PackDays: 1}); err != nil {
		t.Errorf("tidying up: %v", err)
	}
	if seq, _, err := r.Head(); err == nil {
		t.Errorf("a reader says that the last record is %d", seq)
	}
	mustAppend(t, j, cardEntry(2))
	wantFound(t, j, partName(1)+" was deleted")
	must(t, d.Hands().Replace(partName(2), []byte("garbage\n")))
	if seq, _, err := r.Head(); err == nil {
		t.Errorf("with garbage in the newest part a reader says that the last record is %d", seq)
	}
}

// TestLastBeforeAll: where numbers were lifted twice the last record there is lies in the first part.
func TestLastBeforeAll(t *testing.T) {
	d := disktest.New(1)
	j := openOn(t, d, Options{})
	mustAppend(t, j, cardEntry(1), cardEntry(2), cardEntry(3))
	last, hash, err := j.Head()
	must(t, err)
	must(t, j.Lift(10, 10))
	if seq, h, err := readOn(t, d).Head(); seq != last || h != hash || err != nil {
		t.Errorf("the last record is %d, %x, %v", seq, h, err)
	}
}

// TestUnreadablePartIsOneFault: a part whose header cannot be read is told once, with its number, and what follows it
// fits.
func TestUnreadablePartIsOneFault(t *testing.T) {
	path := threeParts(t)
	edit(t, path, 2, func([]byte) []byte { return []byte("garbage\n") })
	r, err := OpenReadOnly(path)
	must(t, err)
	defer mustClose(t, r)
	var faults []string
	must(t, r.Walk(t.Context(), func(s *Step) error {
		if s.Fault != nil {
			faults = append(faults, fmt.Sprintf("%d: %v", s.Part, s.Fault))
		}
		return nil
	}))
	if len(faults) != 1 || !strings.HasPrefix(faults[0],
		"2: record 11 and those after it are in part 2, which cannot be read") {
		t.Errorf("%q", faults)
	}
}

// TestNewButNotTheFirst: where all parts are gone, the key's file or what the pit has heard names the journal that was
// there. Only where both are gone as well nothing of it is left.
func TestNewButNotTheFirst(t *testing.T) {
	for _, c := range []struct {
		name         string
		codes, heard bool
		why          string
	}{
		{"both are left", true, true, "the pit has heard of one"},
		{"the key's file is left", true, false, "lines of one"},
		{"the pit's word is left", false, true, "the pit has heard of one"},
		{"nothing is left", false, false, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, o := twoStarts(t, Options{Key: testKey}), Options{Key: testKey}
			r := readOn(t, d)
			seq, hash, err := r.Head()
			must(t, err)
			for _, number := range []uint64{1, 2} {
				must(t, d.Hands().Delete(partName(number)))
			}
			if !c.codes {
				must(t, d.Hands().Delete("sim"+CodesEnd))
			}
			if c.heard {
				o.Heard = Heard{ID: r.ID(), Record: seq, Hash: hash, Event: 12}
			}
			opening := openOn(t, d, o).Opening()
			if !opening.New || (opening.Former != nil) != (c.why != "") {
				t.Fatalf("the start says %+v", opening)
			}
			if f := opening.Former; f != nil && (f.Journal != r.ID() || !strings.Contains(f.Why, c.why)) {
				t.Errorf("the start says %+v, want %q of %s", f, c.why, r.ID())
			}
		})
	}
}

// TestFormerOfAStretch: whoever copies the journal from its very beginning on is told in whose place it was begun, in
// whatever part the copy goes on, and nobody who begins later is.
func TestFormerOfAStretch(t *testing.T) {
	d := disktest.New(1)
	o := Options{Heard: Heard{ID: strings.Repeat("ab", 16), Record: 7, Event: 9}, PartMost: 1}
	j := openOn(t, d, o)
	mustAppend(t, j, cardEntry(1), carrying(cardEntry(2), "{}"))
	mustAppend(t, j, carrying(cardEntry(3), "{}"))
	numbers, err := j.shelf.all()
	must(t, err)
	first, err := j.shelf.get(numbers[0])
	must(t, err)
	for after, want := range map[uint64]bool{0: true, first.Record: true, first.Record + 1: false} {
		s, err := j.Stretch(after, 1<<20)
		must(t, err)
		if (s.Former != nil) != want {
			t.Errorf("after %d of a journal that begins behind %d: in the place of %+v", after, first.Record, s.Former)
		}
	}
}

// opened is a disk that counts its open files.
type opened struct {
	disk.Disk
	files *int
}

func (d opened) Create(name string) (disk.File, error) {
	f, err := d.Disk.Create(name)
	if err == nil {
		*d.files++
	}
	return closing{f, d.files}, err
}

type closing struct {
	disk.File
	files *int
}

func (f closing) Close() error {
	*f.files--
	return f.File.Close()
}

// TestTurnsLeaveNothingOpen: however many parts a table begins, it holds the newest alone, and knows the others as they
// are.
func TestTurnsLeaveNothingOpen(t *testing.T) {
	d, files := disktest.New(1), 0
	j, err := OpenOn(opened{d, &files}, "sim", Options{PartMost: 1, Key: testKey, Beside: d, Now: d.Clock().Now})
	must(t, err)
	for n := range 20 {
		mustAppend(t, j, carrying(cardEntry(n), "{}"))
	}
	if files != 1 {
		t.Errorf("%d files are open", files)
	}
	wantFound(t, j, "")
	mustClose(t, j)
	if files != 0 {
		t.Errorf("%d files are open at the end", files)
	}
}
