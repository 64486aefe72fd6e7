package journal

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"strings"
)

// makeFolder makes the journal's folder if there is none.
func makeFolder(path string) error {
	err := os.Mkdir(path, 0o750)
	if errors.Is(err, os.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return syncDir(filepath.Dir(path))
}

// syncDir makes a new name in a directory durable.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// notADatabase refuses a path that names a file: a journal is a folder.
func notADatabase(path string) error {
	info, err := os.Stat(path)
	if err != nil || info.IsDir() {
		if notThere(err) {
			return nil
		}
		return err
	}
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	begin := make([]byte, 16)
	if _, err := io.ReadFull(f, begin); err == nil && bytes.HasPrefix(begin, []byte("SQLite format 3")) {
		return ErrOldFormat
	}
	return fmt.Errorf("%w: it is a file, and a journal is a folder", ErrForeign)
}

// open goes on with the journal that is there, or begins one.
func (j *Journal) open() error {
	numbers, err := j.shelf.all()
	if err != nil {
		return err
	}
	if len(numbers) == 0 {
		return j.create(j.missing())
	}
	last, err := j.examine(numbers)
	if errors.Is(err, ErrDamaged) {
		return j.setAside(err)
	}
	if err != nil {
		return err
	}
	return j.goOn(last)
}

// missing is the journal that the pit has heard of, where the folder has none.
func (j *Journal) missing() *Former {
	if j.o.Heard.ID == "" {
		return nil
	}
	return &Former{
		Journal: j.o.Heard.ID, Record: j.o.Heard.Record, Event: j.o.Heard.Event, Hash: hex.EncodeToString(j.o.Heard.Hash[:]),
		Why: "the folder has no journal, and the pit has heard of one",
	}
}

// create begins a journal, in the place of another one if former is not nil. Numbers go
// on above those of that one.
func (j *Journal) create(former *Former) error {
	var id [16]byte
	rand.Read(id[:]) // never fails: crypto/rand ends the program instead
	j.id = hex.EncodeToString(id[:])
	j.boot, j.cursors = 1, map[string]uint64{}
	s := state{hash: origin(j.id), cursors: map[string]uint64{}}
	if former != nil {
		s.seq, s.event = former.Record, former.Event
	}
	j.left = ending{hash: s.hash}
	j.opening = Opening{New: true, Former: former}
	return j.beginPart(beginning{why: whyNew, state: &s, former: former})
}

// last is what examine found at the end of a journal.
type last struct {
	header Header
	state  state
	left   ending
	// again is the last write, which is not certainly durable.
	again   []byte
	dropped int64
}

// goOn begins the part of this start.
func (j *Journal) goOn(l *last) error {
	j.boot, j.left, j.cursors = l.header.Boot+1, l.left, maps.Clone(l.state.cursors)
	j.opening.Dropped = l.dropped
	n := beginning{why: whyStart, again: l.again, state: &l.state}
	if heard := j.o.Heard; heard.ID != "" && heard.ID != j.id || heard.Record > l.state.seq || heard.Event > l.state.event {
		if !j.inPlaceOf(heard) {
			n.above = &[2]uint64{heard.Record, heard.Event}
			j.opening.Behind = behindWords(heard, j.id, l.state.seq)
		}
	}
	return j.beginPart(n)
}

// inPlaceOf says whether this journal was begun in the place of the one that the pit has
// heard of, which it may still have to hear.
func (j *Journal) inPlaceOf(heard Heard) bool {
	p, err := j.shelf.get(1)
	return err == nil && p.Former != nil && p.Former.Journal == heard.ID && heard.Record <= p.Record
}

func behindWords(heard Heard, id string, seq uint64) string {
	if heard.ID != id {
		return fmt.Sprintf("the pit has heard of the journal %.8s up to record %d, and this is the journal %.8s", heard.ID, heard.Record, id)
	}
	return fmt.Sprintf("the pit has heard up to record %d, and the journal ends with record %d", heard.Record, seq)
}

// examine checks the newest part, and that it follows the one before.
func (j *Journal) examine(numbers []uint64) (*last, error) {
	j.top = numbers[len(numbers)-1]
	t, err := j.shelf.content(numbers, len(numbers)-1)
	if err != nil {
		return nil, err
	}
	defer t.shut()
	j.id = t.Journal
	if err := j.sealedBy(&t.Header); err != nil {
		return nil, err
	}
	if err := j.endsAs(numbers, t.part); err != nil {
		return nil, err
	}
	l, err := j.scan(t)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", t.name, damaged(err))
	}
	return l, j.asHeard(&l.state)
}

// sealedBy says whether the part's seals are those that this table makes.
func (j *Journal) sealedBy(h *Header) error {
	switch {
	case j.key == nil && h.Key != "":
		return ErrSealed
	case j.key == nil || h.Key == publicLine(j.key):
		return nil
	case h.Key == "":
		return fmt.Errorf("%w: it is not sealed, and this table seals its journal", ErrDamaged)
	}
	return fmt.Errorf("%w: it is sealed by the key %s, and this table's is %s", ErrDamaged, h.Key, publicLine(j.key))
}

// endsAs checks that the part before ends where this part's header says.
func (j *Journal) endsAs(numbers []uint64, p *part) error {
	if p.Before == 0 || p.Lost != "" {
		return nil
	}
	before, err := j.shelf.get(p.Before)
	var away *AwayError
	if errors.As(err, &away) && j.moved(numbers, p.Before) {
		return nil
	}
	if errors.As(err, &away) {
		return fmt.Errorf("%w: part %d is not there, and nothing says that it was moved away", ErrDamaged, p.Before)
	}
	if err != nil {
		return err
	}
	from, size, shut, err := j.shelf.open(before.name)
	if err != nil {
		return err
	}
	defer shut()
	end := make([]byte, hexHash+len(afterHash))
	if n, err := from.ReadAt(end, p.Ends-int64(len(end))); n < len(end) || size > p.Ends+p.Over {
		return fmt.Errorf("%w: %s has %d bytes, and part %d says that it ends at byte %d: %w", ErrDamaged, before.name, size, p.Part, p.Ends, err)
	}
	if string(end) != p.After+string(afterHash) {
		return fmt.Errorf("%w: %s does not end with the hash that part %d follows", ErrDamaged, before.name, p.Part)
	}
	return nil
}

// scan reads and checks a newest part, and finds out how much of it is certain.
func (j *Journal) scan(t *text) (*last, error) {
	c := checker{state: t.Header.state(t.hash)}
	l := &last{header: t.Header, state: c.state, left: ending{part: t.Part, size: t.begins, hash: t.hash}}
	seals := seals{key: j.key, id: j.id, first: true}
	begin, opening := ending{size: t.begins, hash: t.hash}, true
	first := t.more
	in := t.frames(t.begins)
	var failed error
	for {
		f, err := in.next()
		if err == nil {
			err = c.check(&f)
		}
		if err != nil {
			failed = err
			break
		}
		seals.see(&c, &f)
		if f.more {
			continue
		}
		if err := seals.batch(); err != nil {
			return nil, err
		}
		l.state = c.state
		if opening && first {
			l.left.size, l.left.hash = f.end(), f.hash
		} else {
			l.left.size, l.left.hash = begin.size, begin.hash
		}
		opening = false
		begin = ending{size: f.end(), hash: f.hash}
	}
	if opening && first {
		return nil, fmt.Errorf("%w: its beginning is not whole", ErrDamaged)
	}
	return l, j.cut(t, l, begin.size, failed, &seals)
}

// cut takes what follows the last whole write as the rest of one that was never finished,
// if it can be that.
func (j *Journal) cut(t *text, l *last, end int64, failed error, seals *seals) error {
	l.dropped = t.file - end
	rest := make([]byte, min(l.dropped, mostFrame))
	if _, err := t.from.ReadAt(rest, end); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if l.dropped > 0 && (l.dropped > mostFrame || !unfinished(rest)) {
		return fmt.Errorf("byte %d: %w", end, errors.Join(ErrDamaged, failed))
	}
	l.again = make([]byte, end-l.left.size)
	if _, err := t.from.ReadAt(l.again, l.left.size); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	l.left.over = t.file - l.left.size
	return seals.verify()
}

// unfinished says whether text can be what is left of one write that was cut off: a
// sector of it that was never written is zero, and its last line is not whole, or says
// that more follow.
func unfinished(text []byte) bool {
	torn := bytes.IndexByte(text, 0) >= 0
	batches := 0
	for line := range bytes.Lines(text) {
		whole := bytes.HasSuffix(line, afterHash)
		inner := bytes.HasPrefix(line, beginIn) || bytes.HasPrefix(line, beginOut)
		switch {
		case whole && !inner && len(line) > hashEnd && !bytes.HasSuffix(line[:len(line)-hashEnd], moreFollows):
			batches++
			torn = torn || bytes.IndexByte(line, 0) >= 0
		case !bytes.HasSuffix(line, newline):
			torn = true
		}
	}
	return batches == 0 || batches == 1 && torn
}

// asHeard compares the journal with the head that the pit has.
func (j *Journal) asHeard(s *state) error {
	heard := j.o.Heard
	if heard.ID != j.id || heard.Record == 0 || heard.Record > s.seq {
		return nil
	}
	hash, ok := s.last, heard.Record == s.seq && s.last != [32]byte{}
	if !ok {
		rec, err := j.record(heard.Record)
		var away *AwayError
		if errors.As(err, &away) {
			return nil
		}
		if err != nil {
			return err
		}
		hash = rec.Hash
	}
	if hash != heard.Hash {
		return fmt.Errorf("%w: record %d has the hash %x, and the pit was told %x: the journal was rewritten", ErrDamaged, heard.Record, hash, heard.Hash)
	}
	return nil
}

// setAside moves the journal that does not fit into a folder of its own, untouched, and
// begins a new one that names it.
func (j *Journal) setAside(why error) error {
	former := j.head()
	former.Why = why.Error()
	if heard := j.o.Heard; heard.ID != "" {
		former.Record, former.Event = max(former.Record, heard.Record), max(former.Event, heard.Event)
	}
	folder := "set-aside-" + j.now().UTC().Format("20060102T150405.000Z")
	files, err := j.disk.List()
	if err != nil {
		return err
	}
	if err := j.disk.Mkdir(folder); err != nil {
		return fmt.Errorf("setting the journal aside, since %w: %w", why, err)
	}
	for _, name := range files { // the newest part last: it says where the journal ends
		if !strings.HasPrefix(name, partBegin) {
			continue
		}
		if err := j.disk.Rename(name, folder+"/"+name); err != nil {
			return fmt.Errorf("setting %s aside, since %w: %w", name, why, err)
		}
	}
	if err := j.disk.SyncFolder(); err != nil {
		return err
	}
	former.Folder = folder
	j.top = 0
	j.shelf.forget()
	return j.create(&former)
}

// head is how far a journal goes that does not fit: the highest numbers that it shows.
func (j *Journal) head() Former {
	var f Former
	numbers, _ := j.shelf.all()
	for i := len(numbers) - 1; i >= 0 && f.Record == 0; i-- {
		t, err := j.shelf.content(numbers, i)
		if err != nil {
			continue
		}
		f.Journal, f.Record, f.Event, f.Hash = t.Journal, t.Record, t.Event, hex.EncodeToString(t.hash[:])
		for in := t.frames(t.begins); ; {
			frame, err := in.next()
			if err != nil {
				break
			}
			if c, err := parseCommit(frame.close); err == nil && frame.is(beginRecord) && c.seq > f.Record {
				f.Record, f.Event, f.Hash = c.seq, c.event, hex.EncodeToString(frame.hash[:])
			}
		}
		t.shut()
	}
	return f
}

// moved says whether the journal has on record that a part was moved away.
func (j *Journal) moved(numbers []uint64, number uint64) bool {
	for i := len(numbers) - 1; i >= 0; i-- {
		if _, there := j.awayIn(numbers, i)[number]; there {
			return true
		}
	}
	return false
}
