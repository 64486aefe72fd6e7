package journal

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/sabot-table/sabot/table/journal/disk"
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

// noFile refuses a path that names a file: a journal is a folder.
func noFile(path string) error {
	info, err := os.Lstat(path) // of links it has only those that lead nowhere
	if err != nil || info.IsDir() {
		if notThere(err) {
			return nil
		}
		return err
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("%w: it is no folder, and not even a file: move it away", ErrForeign)
	}
	return fmt.Errorf("%w: it is a file, and a journal is a folder", ErrForeign)
}

// vacate puts aside what lies in the place of the folder of a table that was used before, and says what it was; "" for
// nothing. Where nothing is left of a table it is the path that is wrong.
func vacate(path string, o *Options) (found string, err error) {
	err = noFile(path)
	if !errors.Is(err, ErrForeign) {
		return "", err
	}
	if left, _ := filepath.Glob(path + CodesEnd + "*"); len(left) == 0 && !o.Used && o.Heard.ID == "" {
		return "", err
	}
	in, name := disk.Folder(filepath.Dir(path)), filepath.Base(path)
	return name + " was no folder: it was put aside", putAside(in, name, time.Now())
}

// putAside gives a file beside the journal that is not usable another name, under which it stays.
func putAside(on disk.Disk, name string, at time.Time) error {
	return errors.Join(on.Rename(name, fmt.Sprintf("%s%s%d", name, unusableEnd, at.UnixNano())), on.SyncFolder())
}

// open continues the journal in the folder, or begins one.
func (j *Journal) open() error {
	if err := j.codes.read(); err != nil {
		return err
	}
	if err := j.moveStrangers(); err != nil {
		return err
	}
	numbers, err := j.shelf.all()
	if err != nil {
		return err
	}
	if len(numbers) == 0 {
		if err := j.own(); err != nil {
			return err
		}
		return j.create(j.missing(), nil)
	}
	last, err := j.examine(numbers)
	if errors.Is(err, ErrDamaged) {
		return j.setAside(err)
	}
	if err == nil {
		err = j.finishAside(numbers, last)
	}
	if err != nil {
		return err
	}
	if err := j.resume(last); err != nil {
		return err
	}
	j.tell(j.absent(numbers))
	return nil
}

// mostSkipped is how far the number of a part can be above that of the one before: no table moves so many away, or
// gives up so many.
const mostSkipped = 1 << 20

// moveStrangers gives another name to files with the names of parts whose numbers no table reaches: somebody has put
// them there, and no part could follow them.
func (j *Journal) moveStrangers() error {
	numbers, err := j.shelf.all()
	if err != nil {
		return err
	}
	last := uint64(0)
	for _, number := range numbers {
		if number <= last+mostSkipped {
			last = number
			continue
		}
		name := j.shelf.name(number)
		if err := asForeign(j.disk, name, j.now()); err != nil {
			return fmt.Errorf("putting %s aside, a number that no part has: %w", name, err)
		}
		j.find(name + " was put there by somebody: no part has such a number")
		j.shelf.stale()
	}
	return nil
}

// asForeign gives what somebody has put in the place of a file another name, under which it stays.
func asForeign(on disk.Disk, name string, at time.Time) error {
	return on.Rename(name, fmt.Sprintf("%s%d-%s", foreignBegin, at.UnixNano(), name))
}

// own refuses a folder that has another use, unless the table has used it before.
func (j *Journal) own() error {
	if j.o.Used || j.o.Heard.ID != "" || j.codes.kept.Load() != nil {
		return nil
	}
	files, err := j.disk.List()
	if err != nil {
		return err
	}
	for _, name := range files {
		if !strings.HasPrefix(name, partBegin) && !strings.HasPrefix(name, setAsideBegin) &&
			!strings.HasPrefix(name, foreignBegin) && name != "lost+found" && !j.codes.owns(name) &&
			!j.knownFile.owns(name) {
			return fmt.Errorf("%w: the folder holds other files, such as %s; a journal has a folder of its own",
				ErrForeign, name)
		}
	}
	return nil
}

// missing is the journal that the pit has heard of, or of which the table's key has made lines, if the folder has none.
func (j *Journal) missing() *Former {
	switch k := j.codes.kept.Load(); {
	case j.o.Heard.ID != "":
	case k != nil && k.frame > 1:
		return &Former{
			Journal: k.journal,
			Why:     fmt.Sprintf("the folder has no journal, but the table has made %d lines of one", k.frame-1),
		}
	default:
		return nil
	}
	return &Former{
		Journal: j.o.Heard.ID, Record: j.o.Heard.Record, Event: j.o.Heard.Event,
		Hash: hex.EncodeToString(j.o.Heard.Hash[:]),
		Why:  "the folder has no journal, but the pit has heard of one",
	}
}

// newID draws the id of a journal.
func newID() string {
	var id [16]byte
	rand.Read(id[:]) // never fails: crypto/rand ends the program instead
	return hex.EncodeToString(id[:])
}

// unreadRoom is how many numbers are left out above those that could be read where the disk does not read a part: two
// parts of the usual size have fewer lines.
const unreadRoom = 2 * usualPart / 16

// create begins a journal, which replaces another one if former is not nil. Its numbers
// continue above those of that one.
func (j *Journal) create(former *Former, aside []SetAside) error {
	j.id = newID()
	j.boot, j.cursors = 1, map[string]uint64{}
	s := state{hash: origin(j.id), cursors: map[string]uint64{}, aside: aside[:min(len(aside), mostAside)]}
	if former != nil {
		s.seq, s.event = former.Record, former.Event
		if j.o.Heard.ID != "" {
			s.seq, s.event = s.seq+heardRoom, s.event+heardRoom
		}
		if former.unread {
			s.seq, s.event = s.seq+unreadRoom, s.event+unreadRoom
		}
	}
	if err := j.code(&s); err != nil {
		return err
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
	// again is the last write, which may not be durable.
	again   []byte
	dropped int64
}

// resume begins the part of this start.
func (j *Journal) resume(l *last) error {
	// The newest part was found by its name, which may not be durable: the process that
	// made it may have ended before it was. No part may follow it before that.
	if err := j.disk.SyncFolder(); err != nil {
		return err
	}
	if l.state.frame == 0 {
		if err := j.code(&l.state); err != nil {
			return err
		}
	}
	j.boot, j.left, j.cursors = l.header.Boot+1, l.left, maps.Clone(l.state.cursors)
	j.opening.Dropped = l.dropped
	n := beginning{why: whyStart, again: l.again, state: &l.state}
	if heard := j.o.Heard; heard.ID != "" && heard.ID != j.id || heard.Record > l.state.seq ||
		heard.Event > l.state.event {
		if j.opening.Behind = j.behind(heard, l.state.seq); j.opening.Behind != "" {
			n.above = heard.room()
		}
	}
	if err := j.beginPart(n); err != nil {
		return err
	}
	j.watch.all(j.disk, &j.shelf, j.looked)
	return nil
}

// looked is what somebody has seen of a file of the journal's folder just before.
func (j *Journal) looked(name string) (disk.Info, bool) {
	return disk.InfoOf(j.o.Looked[filepath.Join(j.path, name)])
}

// inPlaceOf reports whether this journal replaces the one that the pit has heard of. The
// pit may not know that yet. The error is the disk's.
func (j *Journal) inPlaceOf(heard Heard) (bool, error) {
	if heard.ID == j.id {
		return false, nil
	}
	numbers, err := j.shelf.all()
	if err != nil || len(numbers) == 0 {
		return false, err
	}
	p, err := j.shelf.get(numbers[0])
	if diskFails(err) {
		return false, err
	}
	return err == nil && p.Former != nil && p.Former.Journal == heard.ID && heard.Record <= p.Former.Record, nil
}

// behind says what the journal, which ends with record seq, lacks of what the pit has heard; "" if it replaces what the
// pit has heard of. Where the disk does not say whether it does, it does not.
func (j *Journal) behind(heard Heard, seq uint64) string {
	in, err := j.inPlaceOf(heard)
	switch {
	case in:
		return ""
	case heard.ID == j.id:
		return fmt.Sprintf("the pit has heard up to record %d, but the journal ends with record %d", heard.Record, seq)
	}
	words := fmt.Sprintf("the pit has heard of the journal %.8s up to record %d, but this is the journal %.8s",
		heard.ID, heard.Record, j.id)
	if err != nil {
		words += fmt.Sprintf(", and whether it replaces that one cannot be read: %v", err)
	}
	return words
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
	c, err := j.authentic(numbers, t)
	if err != nil {
		return nil, err
	}
	l, err := j.scan(t, c)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", t.name, damaged(err))
	}
	if err := j.replayable(l); err != nil {
		return nil, err
	}
	return l, j.asHeard(&l.state, j.o.Heard)
}

// replayable checks the records that a start plays again, from the last checkpoint on, where they
// begin in an earlier part. No part that has one of them is ever moved away.
func (j *Journal) replayable(l *last) error {
	if l.state.checkpoint == 0 || l.state.checkpoint > l.header.Record {
		return nil
	}
	err := j.records(l.state.checkpoint, l.header.Record, func(Record, error) bool { return true })
	if away, is := errors.AsType[*AwayError](err); is {
		return fmt.Errorf("%w: what the table was at when it ended is missing: %w", ErrDamaged, away)
	}
	return err
}

// sealedBy checks that the part's seals are made with this table's key.
func (j *Journal) sealedBy(h *Header) error {
	switch {
	case j.key == nil && h.Key != "":
		return ErrSealed
	case j.key == nil || h.Key == publicLine(j.key):
		return nil
	case h.Key == "":
		return fmt.Errorf("%w: it is not sealed, but this table seals its journal", ErrDamaged)
	}
	return fmt.Errorf("%w: it is sealed by the key %s, but this table's is %s", ErrDamaged, h.Key, publicLine(j.key))
}

// endsAs checks that the part before ends where this part's header says.
func (j *Journal) endsAs(numbers []uint64, p *part) error {
	if p.Before == 0 || p.Lost != "" {
		return nil
	}
	before, err := j.shelf.get(p.Before)
	if _, away := errors.AsType[*AwayError](err); away {
		_, moved, err := j.awayNote(numbers, p.Before)
		if moved || err != nil {
			return err
		}
		return fmt.Errorf("%w: part %d is missing, and nothing says that it was moved away", ErrDamaged, p.Before)
	}
	if err != nil {
		return err
	}
	from, size, shut, err := j.shelf.openPart(before)
	if err != nil {
		return err
	}
	defer shut()
	end := make([]byte, hexHash+len(afterHash))
	n, err := from.ReadAt(end, max(0, p.Ends-int64(len(end))))
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if n < len(end) || size > p.Ends+p.Over {
		return fmt.Errorf("%w: %s has %d bytes, but part %d says that it ends at byte %d", ErrDamaged, before.name,
			size, p.Part, p.Ends)
	}
	if string(end) != p.After+string(afterHash) {
		return fmt.Errorf("%w: %s does not end with the hash that part %d follows", ErrDamaged, before.name, p.Part)
	}
	return nil
}

// scan reads and checks the newest part, and finds how much of it is certain.
func (j *Journal) scan(t *text, c *checker) (*last, error) {
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
		seals.see(c, &f)
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
	if b, ok := errors.AsType[*BrokenError](failed); diskFails(failed) || ok && b.Forged {
		return nil, fmt.Errorf("byte %d: %w", begin.size, failed)
	}
	if opening && first {
		return nil, fmt.Errorf("%w: its beginning is not whole", ErrDamaged)
	}
	if err := j.cut(t, l, begin.size, failed, &seals); err != nil {
		return nil, err
	}
	return l, c.pin.reached(&l.state)
}

// cut drops what follows the last whole write, if it can be the rest of a write that was
// never finished.
func (j *Journal) cut(t *text, l *last, end int64, failed error, seals *seals) error {
	l.dropped = t.file - end
	if err := t.unlessTorn(end, failed); err != nil {
		return err
	}
	if size := end - l.left.size; size > mostBatch {
		return fmt.Errorf("%w: byte %d: its last write has %d bytes, and no write has more than %d", ErrDamaged,
			l.left.size, size, mostBatch)
	}
	l.again = make([]byte, end-l.left.size)
	if _, err := t.from.ReadAt(l.again, l.left.size); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	l.left.over = t.file - l.left.size
	return seals.verify()
}

// unlessTorn is nil if reading has failed only because an interrupted write follows the
// last whole one, which ends at byte end.
func (t *text) unlessTorn(end int64, failed error) error {
	switch {
	case errors.Is(failed, io.EOF):
		return nil
	case diskFails(failed):
		return failed
	case t.size-end > mostFrame:
		return fmt.Errorf("byte %d: %w: %w", end, ErrDamaged, cutShort(failed))
	}
	rest := make([]byte, t.size-end)
	if _, err := t.ReadAt(rest, end); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if !unfinished(rest, end) {
		return fmt.Errorf("byte %d: %w: %w", end, ErrDamaged, cutShort(failed))
	}
	return nil
}

// unfinished reports whether text can be the rest of one write whose end was cut off, or
// some of whose sectors were never written. It begins at byte at of its part.
func unfinished(text []byte, at int64) bool {
	torn, whole := false, false
	for line := range bytes.Lines(text) {
		if whole {
			return false // another write follows: this one was durable
		}
		switch kindOfLine(line) {
		case altered:
			return false
		case cutOff:
			torn = true
		case ends:
			whole = true
		}
	}
	return onlySectorsMissing(text, at) && (torn || !whole)
}

// sectorSize is what a disk writes whole or not at all; larger ones are multiples of it.
const sectorSize = 512

// onlySectorsMissing reports whether all zeros, which no text of a journal has, are whole sectors.
func onlySectorsMissing(text []byte, at int64) bool {
	edge := func(i int) bool { return i == 0 || i == len(text) || (at+int64(i))%sectorSize == 0 }
	for i := 0; i < len(text); i++ {
		if text[i] != 0 {
			continue
		}
		from := i
		for i < len(text) && text[i] == 0 {
			i++
		}
		if !edge(from) || !edge(i) {
			return false
		}
	}
	return true
}

// What a line can be in a write that was cut off.
const (
	within  = iota // more of its write follows
	ends           // the last of a write
	cutOff         // not whole
	altered        // never written like this
)

func kindOfLine(line []byte) int {
	end := line[max(0, len(line)-hashEnd):]
	closing := len(line) > hashEnd && bytes.HasPrefix(end, beforeHash)
	switch {
	case bytes.IndexByte(line, 0) >= 0:
		return cutOff
	case !bytes.HasSuffix(line, newline):
		if closing {
			return altered // whole, but for its newline
		}
		return cutOff
	case bytes.HasPrefix(line, beginIn), bytes.HasPrefix(line, beginOut):
		if !json.Valid(line) {
			return altered
		}
		return within
	case !closing || !bytes.HasSuffix(line, afterHash):
		return altered
	case more(line[:len(line)-hashEnd]):
		return within
	}
	return ends
}

// more reports whether a closing line without its hash says that another frame follows.
func more(line []byte) bool {
	line, _, _ = cutCode(line)
	return bytes.HasSuffix(line, moreFollows)
}

// asHeard compares the journal with the head that the pit has.
func (j *Journal) asHeard(s *state, heard Heard) error {
	if heard.ID != j.id || heard.Record == 0 || heard.Record > s.seq {
		return nil
	}
	hash, ok := s.last, heard.Record == s.seq && s.last != [32]byte{}
	if !ok {
		rec, err := j.record(heard.Record)
		if _, away := errors.AsType[*AwayError](err); away {
			return nil
		}
		if errors.Is(err, ErrDamaged) {
			if out, failed := j.leftOut(heard.Record); out || failed != nil {
				return failed
			}
		}
		if err != nil {
			return err
		}
		hash = rec.Hash
	}
	if hash != heard.Hash {
		return fmt.Errorf("%w: record %d has the hash %x, but the pit has %x: the journal was rewritten", ErrDamaged,
			heard.Record, hash, heard.Hash)
	}
	return nil
}

// leftOut reports whether the journal never had a record of this number, because its
// numbers continue above it. The error is the disk's.
func (j *Journal) leftOut(seq uint64) (bool, error) {
	numbers, err := j.shelf.all()
	raised := -1 // the first part that begins above the number
	for i := len(numbers) - 1; i >= 0 && err == nil; i-- {
		var p *part
		if p, err = j.shelf.get(numbers[i]); err != nil || p.Record < seq {
			break
		}
		if p.raises() {
			raised = i
		}
	}
	before := seq
	if err == nil && raised >= 0 {
		before, _, err = j.lastBefore(numbers, raised)
	}
	if diskFails(err) {
		return false, err
	}
	return err == nil && before < seq, nil
}

// setAside begins a new journal to replace one that does not fit, and moves that one
// untouched into a folder of its own. The new one is begun first, and its part has a higher
// number: so the next start knows of the other one wherever this start is interrupted.
func (j *Journal) setAside(why error) error {
	former, err := j.highest()
	former.Why = why.Error()
	if heard := j.o.Heard; heard.ID != "" {
		former.Record, former.Event = max(former.Record, heard.Record), max(former.Event, heard.Event)
	}
	if err == nil {
		former.Folder, err = j.freeAside(former.aside)
	}
	var aside SetAside
	if err == nil {
		aside, err = j.asideNow(&former, partName(j.top+1))
	}
	if err == nil {
		err = j.create(&former, append([]SetAside{aside}, former.aside...))
	}
	if err != nil {
		return fmt.Errorf("setting the journal aside, because %w: %w", why, err)
	}
	return j.moveAside(former.Folder, j.current.name)
}

// freeAside is a name of the moment that no folder has, and none that was set aside before: a clock that was put back,
// or a start within the same millisecond, must not put two journals into one folder.
func (j *Journal) freeAside(before []SetAside) (string, error) {
	moment := setAsideBegin + j.now().UTC().Format("20060102T150405.000Z")
	name := moment
	for n := 2; ; n++ {
		_, err := j.disk.Stat(name)
		if err != nil && !notThere(err) {
			return "", err
		}
		if err != nil && !slices.ContainsFunc(before, func(a SetAside) bool { return a.Folder == name }) {
			return name, nil
		}
		name = fmt.Sprintf("%s-%d", moment, n)
	}
}

// moveAside moves all parts except one into a folder.
func (j *Journal) moveAside(folder, but string) error {
	if err := j.disk.Mkdir(folder); err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("setting parts aside: %w", err)
	}
	files, err := movable(j.disk, but)
	if err != nil {
		return err
	}
	for _, name := range files {
		if err := j.disk.Rename(name, folder+"/"+name); err != nil {
			return fmt.Errorf("setting %s aside: %w", name, err)
		}
	}
	j.shelf.forget()
	return j.disk.SyncFolder()
}

// finishAside finishes an interrupted start that began this journal to replace another
// one: the operator may not have been told, and parts of that one may still be here.
func (j *Journal) finishAside(numbers []uint64, l *last) error {
	former := l.header.Former
	if l.header.Before != 0 || former == nil {
		return nil
	}
	if l.state.seq == l.header.Record {
		j.opening.Former = former
	}
	if former.Folder == "" || len(numbers) == 1 {
		return nil
	}
	return j.moveAside(former.Folder, partName(l.header.Part))
}

// highest is how far a journal that does not fit goes: the highest numbers anywhere in its
// files, so that none is used twice.
func (j *Journal) highest() (Former, error) {
	f := Former{Journal: j.id}
	numbers, err := j.shelf.all()
	for i := len(numbers) - 1; i >= 0 && f.Record == 0; i-- {
		j.highestIn(numbers[i], &f)
		if i > 0 {
			j.highestIn(numbers[i-1], &f) // nothing in the newest may be readable
		}
	}
	return f, err
}

// highestIn raises f to the numbers in the file of a part, whatever else is wrong with it.
func (j *Journal) highestIn(number uint64, f *Former) {
	from, size, shut, err := j.shelf.openPart(&part{Header: Header{Part: number}, name: j.shelf.name(number)})
	if err != nil {
		f.unread = f.unread || diskFails(err)
		return
	}
	defer shut()
	for in := newFrames(from, 0, size); ; {
		frame, err := in.next()
		switch {
		case errors.Is(err, errFrame):
			in.pass(frame.text)
		case err != nil:
			f.unread = f.unread || diskFails(err)
			return
		case frame.is(beginPart):
			f.header(&frame)
		case frame.is(beginRecord):
			f.record(&frame)
		}
	}
}

func (f *Former) header(frame *frame) {
	h, err := parseHeader(frame)
	if err != nil {
		return
	}
	if f.Journal == "" {
		f.Journal = h.Journal
	}
	if f.aside == nil {
		f.aside = h.Aside
	}
	if h.Record > f.Record && h.Record <= mostHeard {
		f.Record, f.Hash = h.Record, ""
	}
	f.heard(h.Event)
}

// heard raises the last event, unless no table reaches it: somebody wrote that, and it must not end the range of
// numbers.
func (f *Former) heard(event uint64) {
	if event <= mostHeard {
		f.Event = max(f.Event, event)
	}
}

func (f *Former) record(frame *frame) {
	c, err := parseCommit(frame.close)
	if err == nil && c.seq > f.Record && c.seq <= mostHeard {
		f.Record, f.Hash = c.seq, hex.EncodeToString(frame.hash[:])
	}
	if err == nil {
		f.heard(c.event)
	}
}
