package journal

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"sync"
	"sync/atomic"
	"syscall"

	"github.com/sabot-table/sabot/table/journal/disk"
)

// Reader reads a journal. It may be used by several goroutines at once, and while another
// process writes. What it has read stays true: nothing is ever changed.
type Reader struct {
	path   string
	id     string
	shelf  shelf
	closed atomic.Bool
	// lenient says that records are read that do not fit their hashes.
	lenient atomic.Bool
	// auditKeys are those with which a walk checks codes.
	auditKeys []AuditKey
	// live is the journal that this process writes, nil for one that it only reads.
	live *Journal

	mu   sync.Mutex
	seen tail // what tail found last

	rules rulesKept
	noted noted
}

// tail is what a Reader found at the end of the newest part.
type tail struct {
	part  uint64
	size  int64
	state state
}

// OpenReadOnly opens the journal in the folder at path for reading, even while another
// process writes it, and even from a read-only disk. Close the Reader after use.
func OpenReadOnly(path string) (r *Reader, err error) {
	defer faultOf("open to read", path, &err)
	if path, err = resolve(path); err != nil {
		return nil, err
	}
	if err := noFile(path); err != nil {
		return nil, err
	}
	return NewReader(path, disk.Folder(path))
}

// NewReader reads a journal from a disk that represents the folder at path.
func NewReader(path string, on disk.Disk) (*Reader, error) {
	r := &Reader{path: path, shelf: shelf{disk: on}}
	numbers, err := r.shelf.all()
	if err != nil {
		return nil, err
	}
	if len(numbers) == 0 {
		return nil, fmt.Errorf("%w: the folder has no part of a journal", ErrForeign)
	}
	r.id, err = r.name(numbers)
	return r, err
}

// name is the journal's id, from its newest part whose header can be read. A walk reports
// what is wrong with the parts after it.
func (r *Reader) name(numbers []uint64) (id string, err error) {
	for _, number := range slices.Backward(numbers) {
		p, failed := r.shelf.get(number)
		if failed == nil {
			return p.Journal, nil
		}
		if errors.Is(failed, ErrNewer) {
			return "", failed
		}
		err = cmp.Or(err, failed)
	}
	return "", err
}

// resolve is the single absolute name of a folder, whatever links lead to it, so that all
// names of a journal share one lock.
func resolve(path string) (string, error) {
	path = filepath.Clean(path) // a shell may end a folder's name with a slash
	dir, err := filepath.Abs(filepath.Dir(path))
	if err != nil {
		return "", err
	}
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return "", err
	}
	full := filepath.Join(dir, filepath.Base(path))
	target, err := filepath.EvalSymlinks(full)
	if leadsNowhere(full, err) {
		return full, nil
	}
	return target, err
}

// leadsNowhere says whether a path could not be followed because there is nothing, or a link that leads to nothing or
// to itself: what is there then is for whoever opens it.
func leadsNowhere(path string, err error) bool {
	if err == nil || notThere(err) {
		return err != nil
	}
	_, failed := os.Readlink(path)
	_, unseen := os.Stat(path)
	return failed == nil && errors.Is(unseen, syscall.ELOOP)
}

// ID names the journal, and is different for each journal ever created: 32 hexadecimal
// digits. Boots and events are numbered within one ID.
func (r *Reader) ID() string { return r.id }

// Path is the journal's folder, absolute and without links.
func (r *Reader) Path() string { return r.path }

// Close stops all reading. Iterations that are under way end with ErrClosed.
func (r *Reader) Close() error {
	r.closed.Store(true)
	return nil
}

// Lenient has records read from here on that do not fit their hashes, for an auditor who looks
// at what somebody has changed: their Unfit says so. Without it, reading ends there with an
// ErrDamaged.
func (r *Reader) Lenient() { r.lenient.Store(true) }

// fault is the error of an operation on this journal.
func (r *Reader) fault(op string, err error) error { return fault(op, r.path, err) }

// content opens the i-th part of the list, up to what is durable.
func (r *Reader) content(numbers []uint64, i int) (*text, error) {
	return r.contentOf(&r.shelf, numbers, i)
}

func (r *Reader) contentOf(s *shelf, numbers []uint64, i int) (*text, error) {
	if r.closed.Load() {
		return nil, ErrClosed
	}
	t, err := s.content(numbers, i)
	if err != nil || !t.last {
		return t, err
	}
	if r.live == nil && !s.trusting {
		return t, r.trim(t)
	}
	if r.live == nil {
		return t, nil // a walk finds how much is whole
	}
	part, size := r.live.durable()
	if part == t.Part {
		t.size = min(t.size, size)
		return t, nil
	}
	t.shut() // a new part was begun since the list was made: it says how much of this one counts
	if numbers, err = r.numbersOf(s); err != nil {
		return nil, err
	}
	if i = slices.Index(numbers, t.Part); i < 0 {
		return nil, &AwayError{Part: t.Part}
	}
	return r.contentOf(s, numbers, i)
}

// numbers are those of the parts in the folder that count. The writer may have begun a part
// that it could not make durable: that one does not.
func (r *Reader) numbers() ([]uint64, error) { return r.numbersOf(&r.shelf) }

func (r *Reader) numbersOf(s *shelf) ([]uint64, error) {
	numbers, err := s.all()
	if err != nil || r.live == nil {
		return numbers, err
	}
	part, _ := r.live.durable()
	return slices.DeleteFunc(numbers, func(number uint64) bool { return number > part }), nil
}

// from calls visit with the frames in order, beginning at some frame before the first
// record for which wanted is true; wanted must stay true from there on. It ends when visit
// returns false.
func (r *Reader) from(wanted func(commit) bool, visit func(*text, *frame) (bool, error)) error {
	numbers, i, err := r.find(wanted)
	if err != nil {
		return err
	}
	for first := true; i < len(numbers); i++ {
		counts, err := r.shelf.counts(numbers, i)
		if err != nil {
			return err
		}
		if !counts {
			continue
		}
		more, err := r.part(numbers, i, first, wanted, visit)
		if err != nil || !more {
			return err
		}
		first = false
		if i+1 < len(numbers) {
			if err := r.follows(numbers, i); err != nil {
				return err
			}
		}
	}
	return nil
}

// find is the part in which the search begins: the last one at whose beginning wanted is
// false.
func (r *Reader) find(wanted func(commit) bool) (numbers []uint64, i int, err error) {
	numbers, err = r.numbers()
	if err != nil {
		return nil, 0, err
	}
	i = firstFromEnd(len(numbers), func(i int) bool {
		p, failed := r.shelf.get(numbers[i])
		if failed != nil {
			err = failed
			return true
		}
		return wanted(commit{p.Record, p.Event, p.Round})
	})
	if errors.Is(err, ErrDamaged) || diskFails(err) {
		i, err = r.findBeside(numbers, wanted, err)
	}
	if err != nil {
		return nil, 0, err
	}
	if len(numbers) == 0 { // somebody has removed them
		return nil, 0, nil
	}
	if i == 0 {
		p, err := r.shelf.get(numbers[0])
		if err == nil && p.Before != 0 {
			err = r.where(&AwayError{Part: p.Before, Last: p.Record})
		}
		return numbers, 0, err
	}
	for i--; i > 0; i-- { // the end of a part may be in the header of one that is not the next
		if counts, err := r.shelf.counts(numbers, i); err != nil || counts {
			return numbers, i, err
		}
	}
	return numbers, i, nil
}

// firstFromEnd is sort.Search from the end: what is near the end is found in as many steps as it is far from there,
// however much is before.
func firstFromEnd(n int, f func(int) bool) int {
	high := n
	for step := 1; high > 0; step *= 2 {
		low := max(high-step, 0)
		if !f(low) {
			return low + 1 + sort.Search(high-low-1, func(i int) bool { return f(low + 1 + i) })
		}
		high = low
	}
	return 0
}

// findBeside finds where the search ends if the header of a part cannot be read, which need not be one of those that
// are wanted. It returns the error if no other is.
func (r *Reader) findBeside(numbers []uint64, wanted func(commit) bool, err error) (int, error) {
	for i := len(numbers) - 1; i >= 0; i-- {
		if p, failed := r.shelf.get(numbers[i]); failed == nil && !wanted(commit{p.Record, p.Event, p.Round}) {
			return i + 1, nil
		}
	}
	return 0, err
}

// follows returns an error if parts between the i-th and the next are away.
func (r *Reader) follows(numbers []uint64, i int) error {
	next, err := r.shelf.get(numbers[i+1])
	if err != nil || next.Before <= numbers[i] {
		return err
	}
	return r.where(&AwayError{Part: next.Before, Last: next.Record})
}

// part visits the frames of a part; in the first part it begins near the wanted record.
func (r *Reader) part(numbers []uint64, i int, first bool, wanted func(commit) bool,
	visit func(*text, *frame) (bool, error),
) (bool, error) {
	t, err := r.content(numbers, i)
	if err != nil {
		return false, err
	}
	defer t.shut()
	at := t.begins
	if first {
		if at, err = t.seek(wanted); err != nil {
			return false, fmt.Errorf("%s: %w", t.name, damaged(err))
		}
	}
	before, err := t.hashBefore(at)
	if err != nil {
		return false, fmt.Errorf("%s: %w", t.name, damaged(err))
	}
	var link linker
	for in := t.frames(at); ; {
		f, err := in.next()
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) && t.last {
			return true, nil // an incomplete write does not count
		}
		if err != nil {
			return false, fmt.Errorf("%s: byte %d: %w", t.name, f.at, damaged(cutShort(err)))
		}
		t.unfit = link.sum(&before, f.covered()) != f.hash
		if t.unfit && !r.lenient.Load() {
			return false, fmt.Errorf("%s: byte %d: %w: %w", t.name, f.at, ErrDamaged, errUnfit)
		}
		before = f.hash
		if more, err := visit(t, &f); err != nil || !more {
			return false, err
		}
		if r.closed.Load() {
			return false, ErrClosed
		}
	}
}

// errUnfit is a frame that was changed, or what comes right before it.
var errUnfit = errors.New("it, or what comes before it, does not fit its hash")

// hashBefore is the hash of the frame before the one at a place of the part.
func (t *text) hashBefore(at int64) (sum [sha256.Size]byte, err error) {
	if at == t.begins {
		return t.hash, nil
	}
	end := make([]byte, hexHash+len(afterHash))
	if _, err := t.ReadAt(end, at-int64(len(end))); err != nil && !errors.Is(err, io.EOF) {
		return sum, err
	}
	if !readHash(&sum, end[:hexHash]) {
		return sum, fmt.Errorf("%w: the one before byte %d has no hash", errFrame, at)
	}
	return sum, nil
}

// cutShort says that a part ends in the middle of a frame.
func cutShort(err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("%w: the part ends in the middle of it", errFrame)
	}
	return err
}

// seekStep is how close the search comes before it reads frame by frame.
const seekStep = 32 << 10

// seek finds where to begin for a record: a frame right after a record for which wanted is
// false, or the first frame.
func (t *text) seek(wanted func(commit) bool) (int64, error) {
	low, high := t.begins, t.whole()
	buf := make([]byte, 8<<10)
	for high-low > seekStep {
		middle := low + (high-low)/2
		c, after, err := t.commitFrom(middle, high, buf)
		switch {
		case err != nil:
			return 0, err
		case after == 0 || wanted(c):
			high = middle
		default:
			low = after
		}
	}
	return low, nil
}

// lineRecord is how the closing line of a record begins, after the line before.
var lineRecord = append([]byte{'\n'}, beginRecord...)

// commitFrom finds the first record whose closing line begins between two places, and
// where the next frame begins; 0 for none.
func (t *text) commitFrom(at, to int64, buf []byte) (c commit, after int64, err error) {
	for at < to {
		n, err := t.ReadAt(buf[:min(int64(len(buf)), t.whole()-at)], at)
		if err != nil && !errors.Is(err, io.EOF) {
			return c, 0, err
		}
		i := bytes.Index(buf[:n], lineRecord)
		if i < 0 {
			if n <= len(lineRecord) {
				return c, 0, nil
			}
			at += int64(n - len(lineRecord))
			continue
		}
		return t.commitAt(at+int64(i)+1, buf)
	}
	return c, 0, nil
}

// commitAt reads the line that closes a record.
func (t *text) commitAt(at int64, buf []byte) (commit, int64, error) {
	var line []byte
	for {
		n, err := t.ReadAt(buf[:min(int64(len(buf)), t.whole()-at-int64(len(line)))], at+int64(len(line)))
		if err != nil && !errors.Is(err, io.EOF) {
			return commit{}, 0, err
		}
		if n == 0 || len(line) > mostFrame {
			return commit{}, 0, nil // it is not whole
		}
		end := bytes.Index(buf[:n], newline)
		if end < 0 {
			line = append(line, buf[:n]...)
			continue
		}
		line = append(line, buf[:end+1]...)
		c, err := parseCommit(line)
		return c, at + int64(len(line)), err
	}
}

// Records yields the records from a number on, in order, up to the one that is the last
// when the iteration begins. It stops at the first error, which it yields with a zero
// Record; a missing record is a *BrokenError, or an *AwayError if its part is away. The
// record's slices belong to the caller.
func (r *Reader) Records(from uint64) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		end, err := r.end()
		if err == nil && from <= end.seq {
			err = r.records(max(from, 1), end.seq, yield)
		}
		if err != nil {
			yield(Record{}, r.fault("read records", err))
		}
	}
}

func (r *Reader) records(from, last uint64, yield func(Record, error) bool) error {
	next := from
	return r.each(from, func(rec *Record) (bool, error) {
		if rec.Seq > next {
			if raised, err := r.raisedTo(rec.Seq); err != nil || !raised {
				return false, cmp.Or(err, missing(next, rec.Seq))
			}
		}
		next = rec.Seq + 1
		return yield(rec.clone(), nil) && rec.Seq < last, nil
	})
}

// raisedTo reports whether the journal continues with a number above the next one: with
// its first record, and above what the pit had heard of. The error is the disk's.
func (r *Reader) raisedTo(seq uint64) (bool, error) {
	numbers, err := r.numbers()
	for _, number := range slices.Backward(numbers) { // most often it is the newest
		p, failed := r.shelf.get(number)
		switch {
		case diskFails(failed):
			err = cmp.Or(err, failed)
		case failed != nil:
		case p.raises() && p.Record == seq-1:
			return true, nil
		case p.Record < seq-1:
			return false, err // those before begin with lower numbers
		}
	}
	return false, err
}

// each calls visit with the records from a number on, or from the next one that exists.
// The record is overwritten after visit returns.
func (r *Reader) each(from uint64, visit func(*Record) (bool, error)) error {
	var rec Record
	return r.from(func(c commit) bool { return c.seq >= from }, func(t *text, f *frame) (bool, error) {
		if !f.is(beginRecord) {
			return true, nil
		}
		if c, err := parseCommit(f.close); err != nil || c.seq < from {
			return true, damaged(err)
		}
		if err := parseRecord(f, &rec); err != nil {
			return false, damaged(err)
		}
		rec.Boot, rec.Unfit = t.Boot, t.unfit
		return visit(&rec)
	})
}

// record reads the record with the given number, which must exist.
func (r *Reader) record(seq uint64) (Record, error) {
	var found Record
	err := r.each(seq, func(rec *Record) (bool, error) {
		if rec.Seq == seq {
			found = rec.clone()
		}
		return false, nil
	})
	if err == nil && found.Seq == 0 {
		err = &BrokenError{Seq: seq, What: "is missing"}
	}
	return found, err
}

// FirstOf is the first record that belongs to a round or to a later one, 0 if there is
// none. It assumes that the rounds' numbers rise.
func (r *Reader) FirstOf(round uint64) (seq uint64, err error) {
	defer faultOf(fmt.Sprintf("find round %d", round), r.path, &err)
	end, err := r.end()
	if err != nil {
		return 0, err
	}
	err = r.from(func(c commit) bool { return c.round >= round }, func(_ *text, f *frame) (bool, error) {
		if !f.is(beginRecord) {
			return true, nil
		}
		c, err := parseCommit(f.close)
		if err != nil || c.round < round {
			return true, damaged(err)
		}
		if c.seq <= end.seq {
			seq = c.seq
		}
		return false, nil
	})
	return seq, err
}

// Events returns at most limit events after the event with the given number, in order;
// none if there are no more. The events of one record may be spread over several calls.
func (r *Reader) Events(after uint64, limit int) ([]Event, error) {
	end, err := r.end()
	if err != nil || limit <= 0 || end.event <= after {
		return nil, r.fault("read events", err)
	}
	if r.live != nil {
		if events, ok := r.live.recently(after, limit); ok {
			return events, nil
		}
	}
	var events []Event
	err = r.from(func(c commit) bool { return c.event > after }, func(t *text, f *frame) (bool, error) {
		if !f.is(beginRecord) {
			return true, nil
		}
		if c, err := parseCommit(f.close); err != nil || c.event <= after {
			return true, damaged(err)
		}
		var rec Record
		if err := parseRecord(f, &rec); err != nil {
			return false, damaged(err)
		}
		rec.Boot = t.Boot
		if rec.Seq > end.seq {
			return false, nil
		}
		had := len(events)
		events = rec.appendEvents(events, after, limit)
		if len(events) > had && t.leaves(events[had].Number) {
			events[had].Above = true
		}
		return len(events) < limit, nil
	})
	return events, r.fault("read events", err)
}

// leaves reports whether an event is the first of a part before which numbers were left out.
func (p *part) leaves(event uint64) bool {
	return event == p.Event+1 && (p.Above != nil || p.Before == 0 && p.Former != nil && p.Event > 0)
}

// appendEvents adds the record's events above the number after, until there are limit
// events.
func (r *Record) appendEvents(events []Event, after uint64, limit int) []Event {
	own := Record{Entry: Entry{Outputs: bytes.Clone(r.Outputs)}}
	number := r.FirstEvent
	for line := range own.Lines() {
		if len(events) == limit {
			break
		}
		if number > after {
			events = append(events, Event{
				Number: number, RecordSeq: r.Seq, Boot: r.Boot, At: r.At, Round: r.Round, Line: line,
			})
		}
		number++
	}
	return events
}

// end is the journal's state after its last durable record.
func (r *Reader) end() (state, error) {
	if r.closed.Load() {
		return state{}, ErrClosed
	}
	if r.live != nil {
		return r.live.state(), nil
	}
	return r.readEnd()
}

// readEnd reads the newest part, unless it has not grown since the last time.
func (r *Reader) readEnd() (state, error) {
	numbers, err := r.shelf.all()
	if err != nil {
		return state{}, err
	}
	if len(numbers) == 0 {
		return state{}, fmt.Errorf("%w: its parts were removed", ErrDamaged)
	}
	t, err := r.shelf.content(numbers, len(numbers)-1)
	if err != nil {
		return state{}, err
	}
	defer t.shut()
	end, err := r.settled(t)
	return end.state, err
}

// trim drops an incomplete write at the end of the newest part, as the next start will.
// Damage is left for whoever reads it.
func (r *Reader) trim(t *text) error {
	end, err := r.settled(t)
	if err == nil {
		t.size = end.size
	}
	if err != nil && !errors.Is(err, ErrDamaged) {
		t.shut()
		return err
	}
	return nil
}

// settled finds the end of the last whole write in the newest part, and checks what was
// added since the last call.
func (r *Reader) settled(t *text) (tail, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.seen.part != t.Part || r.seen.size > t.size {
		r.seen = tail{t.Part, t.begins, t.Header.state(t.hash)}
	}
	c := checker{state: r.seen.state}
	for in := t.frames(r.seen.size); ; {
		f, err := in.next()
		if err == nil {
			err = c.check(&f)
		}
		if err != nil {
			return r.seen, t.unlessTorn(r.seen.size, err)
		}
		if !f.more {
			r.seen = tail{t.Part, f.end(), c.state}
		}
	}
}

// Head is the number and the hash of the last record; 0 and the chain's origin if there is
// none. A copy of it kept elsewhere shows later whether the end of the journal has been
// cut off, which the chain alone cannot.
func (r *Reader) Head() (seq uint64, hash [32]byte, err error) {
	seq, hash, err = r.head()
	return seq, hash, r.fault("read the last record", err)
}

func (r *Reader) head() (seq uint64, hash [32]byte, err error) {
	s, err := r.end()
	if err != nil || s.seq == 0 {
		return 0, origin(r.id), err
	}
	if s.last != [32]byte{} {
		return s.seq, s.last, nil
	}
	rec, err := r.record(s.seq) // it is in an earlier part
	if !errors.Is(err, ErrDamaged) {
		return s.seq, rec.Hash, err
	}
	numbers, err := r.numbers() // or it does not exist: numbers continue above it
	if err != nil {
		return 0, hash, err
	}
	return r.lastBefore(numbers, len(numbers))
}

// lastBefore is the last record before the i-th part, 0 if there is none.
func (r *Reader) lastBefore(numbers []uint64, i int) (seq uint64, hash [32]byte, err error) {
	for i--; i >= 0 && seq == 0 && err == nil; i-- {
		err = r.eachIn(numbers, i, func(f *frame, c commit) { seq, hash = c.seq, f.hash })
	}
	if seq == 0 {
		hash = origin(r.id)
	}
	return seq, hash, err
}

// eachIn calls visit with the closing lines of a part's records.
func (r *Reader) eachIn(numbers []uint64, i int, visit func(*frame, commit)) error {
	if counts, err := r.shelf.counts(numbers, i); err != nil || !counts {
		return err
	}
	_, err := r.part(numbers, i, false, nil, func(_ *text, f *frame) (bool, error) {
		c, err := parseCommit(f.close)
		if f.is(beginRecord) && err == nil {
			visit(f, c)
		}
		return true, nil
	})
	return err
}

// Checkpoint is the last record with a Carry, and the Input of the set-up in force there:
// a restart begins with these, and then takes the records after seq. All are zero if there
// is none.
func (r *Reader) Checkpoint() (seq uint64, carry, setup []byte, err error) {
	defer faultOf("read the checkpoint", r.path, &err)
	s, err := r.end()
	if err != nil || s.checkpoint == 0 {
		return 0, nil, nil, err
	}
	rec, err := r.record(s.checkpoint)
	return rec.Seq, rec.Carry, s.setupInput, err
}

// SetUp is the input of a set-up, by the number of its record. If that record's part is
// away, it comes from a later part's header.
func (r *Reader) SetUp(seq uint64) ([]byte, error) {
	rec, err := r.record(seq)
	if err == nil {
		return rec.Input, nil
	}
	numbers, listing := r.shelf.all()
	for _, number := range slices.Backward(numbers) { // most often it is in force
		if p, err := r.shelf.get(number); err == nil && p.Setup != nil && p.Setup.Record == seq {
			return p.Setup.Input, nil
		}
	}
	return nil, r.fault("read a set-up", errors.Join(err, listing))
}

// Rules is the full text of the rules with a fingerprint, or nil if the journal does not
// have it.
func (r *Reader) Rules(fingerprint string) (text []byte, err error) {
	numbers, err := r.shelf.all()
	for i := len(numbers) - 1; i >= 0 && text == nil; i-- {
		var failed error
		text, failed = r.rulesIn(numbers, i, fingerprint)
		err = cmp.Or(err, failed)
	}
	if text != nil {
		err = nil // what could not be read did not matter
	}
	return text, r.fault("read the rules", err)
}

func (r *Reader) rulesIn(numbers []uint64, i int, fingerprint string) (found []byte, err error) {
	t, err := r.content(numbers, i)
	if err != nil {
		return nil, err
	}
	defer t.shut()
	s := state{cursors: map[string]uint64{}}
	for in := t.frames(t.begins); found == nil; {
		f, err := in.next()
		if diskFails(err) {
			return nil, fmt.Errorf("%s: byte %d: %w", t.name, f.at, err)
		}
		if err != nil {
			break // a walk reports what is wrong with it
		}
		if !f.is(beginRules) {
			continue
		}
		if n, err := s.parseNote(&f); err == nil && n.Rules != nil && *n.Rules == fingerprint {
			found = append(found, n.Text...)
		}
	}
	return found, nil
}

// Boot is one opening of the journal for writing.
type Boot struct {
	// Number counts the openings from 1.
	Number uint64
	// Program is the name and version of the program that opened it.
	Program string
	// FirstRecord is the number of the first record that it could write.
	FirstRecord uint64
}

// Boots lists the openings of the journal whose parts are in the folder, in order.
func (r *Reader) Boots(ctx context.Context) (boots []Boot, err error) {
	numbers, err := r.shelf.all()
	for i, number := range numbers {
		if err = ctx.Err(); err != nil {
			break
		}
		var p *part
		if p, err = r.shelf.get(number); err != nil {
			break
		}
		counts, failed := r.shelf.counts(numbers, i)
		if diskFails(failed) {
			err = failed
			break
		}
		if !counts {
			continue // the next one tells what is wrong with it
		}
		if n := len(boots); n == 0 || boots[n-1].Number != p.Boot {
			boots = append(boots, Boot{p.Boot, p.Program, p.Record + 1})
		}
	}
	return boots, r.fault("read the boots", err)
}

// Cursor is how far the named publisher has come: the number of the last event that it
// need not send again, 0 for a name that has never been set.
func (r *Reader) Cursor(name string) (event uint64, err error) {
	s, err := r.end()
	return s.cursors[name], r.fault("read the cursor "+name, err)
}
