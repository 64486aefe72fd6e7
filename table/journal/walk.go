package journal

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// Step is one step of a walk: a frame, or what is in the place of one. One of its pointers
// is set, or only Fault.
type Step struct {
	// Header is the beginning of a part.
	Header *Header
	// Record is a record; its Rules are nil if they are the same as before.
	Record *Record
	// Seal is a seal under everything before it.
	Seal *Seal
	// Rules is the text of rules, which fits the fingerprint.
	Rules []byte
	// Cursor names a publisher, and Event is how far it has come.
	Cursor string
	Event  uint64
	// Away is a part that was moved away.
	Away *AwayError
	// Accepted is what somebody has accepted.
	Accepted *Accepted
	// Part is the part to which the step belongs.
	Part uint64
	// More says that the next step was written together with this one, by one Append.
	More bool
	// Coded says that the frame has a code, and Checked that it is by one of the keys given to CheckCodes.
	Coded, Checked bool
	// Fault says how this differs from what was written, nil if it does not. It is a
	// *BrokenError, or an *AwayError for missing parts.
	Fault error
}

// Walk reads everything from the first part on, checks each frame, and passes it to visit.
// It continues after a fault, trusting what follows, so that every fault is reported once.
// It leaves it to the caller to check the seals' signatures.
//
// Walk sees the journal as it is at the beginning; a table may write in the meantime. What
// visit gets is overwritten after it returns; an error of visit ends the walk.
func (r *Reader) Walk(ctx context.Context, visit func(*Step) error) error {
	return r.fault("read everything", r.walk(ctx, visit))
}

func (r *Reader) walk(ctx context.Context, visit func(*Step) error) error {
	w := walker{ctx: ctx, reader: r, visit: visit, shelf: shelf{disk: r.shelf.disk, trusting: true}}
	numbers, err := r.numbersOf(&w.shelf)
	if err != nil {
		return err
	}
	for i := range numbers {
		if err := w.part(numbers, i); err != nil {
			return err
		}
	}
	return nil
}

// walker reads and checks.
type walker struct {
	ctx     context.Context
	reader  *Reader
	shelf   shelf
	visit   func(*Step) error
	checker checker
	ahead   ahead
	step    Step
	// before is the part that was read last, 0 for none, and lost says that what follows
	// cannot be compared with what came before.
	before uint64
	lost   bool
	// missing says that nothing of that part could be read, and uncounted that not all of its frames could.
	missing, uncounted bool
	// keys is the key of the last header whose code was to be checked, and by is the audit key that it follows from.
	keys ratchet
	by   string
	// away are the parts that were moved away, nil until they are needed.
	away map[uint64]AwayError
}

// report passes a step to visit.
func (w *walker) report(s Step) error {
	w.step = s
	return w.visit(&w.step)
}

// unread reports what the disk does not read where nothing else depends on it.
func (w *walker) unread(format string, args ...any) error {
	return w.report(Step{Part: w.before, Fault: brokenf(w.checker.state.seq+1, format, args...)})
}

func (w *walker) fault(err error) error {
	w.lost = true
	return w.report(Step{Part: w.before, Fault: err})
}

// part reads a part.
func (w *walker) part(numbers []uint64, i int) error {
	counts, unsure := w.shelf.counts(numbers, i)
	t, err := w.reader.contentOf(&w.shelf, numbers, i)
	if errors.Is(err, ErrClosed) {
		return err
	}
	if err != nil && !counts {
		return w.unread("may be in part %d, which was given up, and cannot be read: %v", numbers[i], err)
	}
	if err != nil {
		w.before, w.missing = numbers[i], true
		return w.fault(&BrokenError{
			Seq: w.checker.state.seq + 1, Gone: true,
			What: fmt.Sprintf("and those after it are in part %d, which cannot be read: %v", numbers[i], err),
		})
	}
	defer t.shut()
	if !counts {
		return w.abandoned(t)
	}
	if unsure = cmp.Or(unsure, t.unsure); unsure != nil {
		if err := w.unread("may be in part %d: how much of it counts cannot be read: %v", t.Part, unsure); err != nil {
			return err
		}
	}
	if err := w.header(t); err != nil {
		return err
	}
	w.before, w.lost, w.missing, w.uncounted = t.Part, false, false, false
	if err := w.torn(t); err != nil {
		return err
	}
	if err := w.frames(t); err != nil {
		return err
	}
	return w.over(numbers, i, t)
}

// abandoned checks that a part that does not count has no more than its beginning: nothing
// was ever written to it.
func (w *walker) abandoned(t *text) error {
	for in, begun := t.frames(t.begins), !t.more; ; {
		f, err := in.next()
		if diskFails(err) {
			return w.unread("may be in part %d, which was given up: %s cannot be read at byte %d: %v",
				t.Part, t.name, f.at, err)
		}
		if err != nil {
			return nil // it was not finished
		}
		if begun {
			return w.fault(&BrokenError{
				Seq: t.Record + 1, Gone: true,
				What: fmt.Sprintf("and those after it may be in part %d, which the part after it leaves out", t.Part),
			})
		}
		begun = !f.more
	}
}

// torn leaves out the end of the newest part if that is the rest of a write that was never
// finished.
func (w *walker) torn(t *text) error {
	if !t.last {
		return nil
	}
	end := t.begins
	for in := t.frames(t.begins); ; {
		f, err := in.next()
		if errors.Is(err, errFrame) {
			in.pass(f.text)
			continue
		}
		if diskFails(err) {
			return w.unread("may be the last: %s cannot be read at byte %d: %v", t.name, f.at, err)
		}
		if err != nil {
			break // the end, or text that cannot be read, which frames reports
		}
		if !f.more {
			end = f.end()
		}
	}
	rest := make([]byte, min(t.size-end, mostFrame+1))
	if _, err := t.ReadAt(rest, end); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if len(rest) <= mostFrame && unfinished(rest, end) && !foreign(rest) {
		t.size = end
	}
	return nil
}

// foreign reports whether text has a line that no journal has. Sectors that were never
// written are zeros.
func foreign(text []byte) bool {
	for line := range bytes.Lines(text) {
		inner := bytes.HasPrefix(line, beginIn) || bytes.HasPrefix(line, beginOut)
		if bytes.HasSuffix(line, newline) && bytes.IndexByte(line, 0) < 0 && !inner &&
			!bytes.HasSuffix(line, afterHash) {
			return true
		}
	}
	return false
}

// over checks that a finished part's file has no more bytes than the next part allows for.
func (w *walker) over(numbers []uint64, i int, t *text) error {
	next, err := w.shelf.next(numbers, i)
	if err != nil || next == nil || next.Before != t.Part {
		return nil // what is wrong with it is reported with that part
	}
	what, err := t.over(next)
	if err != nil {
		what = fmt.Sprintf("whose file cannot be read to its end: %v", err)
	}
	if what != "" {
		return w.fault(brokenf(w.checker.state.seq, "is the last of part %d, %s", t.Part, what))
	}
	return nil
}

// over says what is wrong with the end of a finished part's file, behind what counts of it, "" for nothing. The error
// is the disk's.
func (t *text) over(next *part) (what string, err error) {
	if next.Over > int64(len(next.Again))+mostFrame {
		what = fmt.Sprintf("and part %d allows for %d bytes after it: no write is that long", next.Part, next.Over)
		return what, nil
	}
	over := max(0, t.file-t.size)
	if over > next.Over {
		return fmt.Sprintf("to whose file %d bytes were added", over-next.Over), nil
	}
	rest := make([]byte, over)
	if _, err := t.from.ReadAt(rest, t.size); err != nil && !errors.Is(err, io.EOF) {
		return "", err
	}
	if next.Starts() && !leftOf(rest, []byte(next.Again), t.size) {
		what = fmt.Sprintf("whose file does not end with what part %d repeats: the file was changed", next.Part)
	}
	return what, nil
}

// leftOf reports whether text can be the rest of a write after which the program ended:
// sectors of it may be zero, and what follows it was never finished.
func leftOf(text, written []byte, at int64) bool {
	n := min(len(text), len(written))
	if rest := text[n:]; !unfinished(rest, at+int64(n)) || foreign(rest) {
		return false
	}
	for i, b := range text[:n] {
		if b != 0 && b != written[i] {
			return false
		}
	}
	return true
}

// header checks that a part follows the one before.
func (w *walker) header(t *text) error {
	s := &w.checker.state
	begins := t.Header.state(t.hash)
	after, err := t.chainBefore()
	switch wasCoded := s.frame > 0; {
	case t.fault != nil:
		err = w.fault(brokenf(t.Record+1, "is in part %d, which is not what was written: %v", t.Part, t.fault))
	case err != nil:
		err = w.fault(brokenf(s.seq+1, "comes after what part %d repeats, which cannot be read: %v", t.Part, err))
	case t.Journal != w.reader.id:
		err = w.fault(brokenf(t.Record+1, "is in part %d, which belongs to the journal %s; this is %s", t.Part,
			t.Journal, w.reader.id))
	case wasCoded && t.coded() == 0:
		err = w.fault(&BrokenError{
			Seq: t.Record, Forged: true,
			What: fmt.Sprintf("comes before part %d, whose lines have no codes, and those before it have some",
				t.Part),
		})
	case t.Before != 0 && t.Former != nil:
		err = w.fault(brokenf(t.Record+1,
			"is in part %d, which says that the journal began with it: only the first part may say that", t.Part))
	case w.before == 0 && t.Before == 0:
		err = w.first(t, after)
	case t.Before != w.before:
		err = w.gap(t)
	case w.missing:
		err = w.repeated(t)
	case !w.lost:
		err = w.follows(t, &begins, after)
	}
	if err == nil {
		err = w.codes(t, after)
	}
	rules, keys := s.rulesText, s.keys
	*s = begins
	s.rulesText, s.keys = rules, keys
	if err != nil {
		return err
	}
	return w.report(Step{
		Header: &t.Header, Part: t.Part, More: t.more, Coded: t.coded() > 0,
		Checked: s.keys.frame > 0,
	})
}

// codes checks the code of a part's header, where its key is known, so that those of the frames behind it can be
// checked, too. before is the hash before the header's.
func (w *walker) codes(t *text, before [32]byte) error {
	s, number := &w.checker.state, t.coded()
	s.keys = ratchet{}
	if number == 0 || t.fault != nil {
		return nil
	}
	if t.Coded.By != w.by || w.keys.frame > number {
		w.by, w.keys = t.Coded.By, ratchet{}
		w.keys, _ = w.reader.auditKey(w.by)
	}
	if !w.keys.to(number) {
		return nil
	}
	keys, err := (&checker{}).header(t, before, w.keys)
	if err != nil {
		return w.fault(broken(err, t.Record))
	}
	s.keys = keys
	return nil
}

// first checks the header of the first part.
func (w *walker) first(t *text, after [32]byte) error {
	if after != origin(t.Journal) || t.Again != "" {
		return w.fault(brokenf(t.Record+1, "is in the first part, whose header does not follow from the journal's id"))
	}
	return nil
}

// gap reports missing parts.
func (w *walker) gap(t *text) error {
	s := &w.checker.state
	if t.Before < w.before {
		return w.fault(brokenf(t.Record+1, "is in part %d, which says that it follows part %d; it follows %d", t.Part,
			t.Before, w.before))
	}
	if w.away == nil {
		var err error
		if w.away, err = w.reader.awayAll(); err != nil {
			if err := w.unread("may have been moved away: the notes cannot be read: %v", err); err != nil {
				return err
			}
		}
	}
	// The notes of parts that were moved away must lead back to the part before.
	last, gone := t.Record, []AwayError(nil)
	for _, number := range slices.Backward(slices.Sorted(maps.Keys(w.away))) {
		if note := w.away[number]; number <= t.Before && number > w.before && note.Last == last {
			last, gone = note.First-1, append(gone, note)
		}
	}
	if len(gone) == 0 || gone[0].Part != t.Before || last != s.seq {
		if err := w.fault(&AwayError{Part: t.Before, First: s.seq + 1, Last: t.Record}); err != nil || t.Lost == "" {
			return err
		}
		return w.repeated(t)
	}
	for i := range gone {
		if err := w.fault(&gone[len(gone)-1-i]); err != nil {
			return err
		}
	}
	return nil
}

// repeated reads what a header repeats of a part that was removed: nothing else has it.
func (w *walker) repeated(t *text) error {
	for in := newFrames(strings.NewReader(t.Again), 0, int64(len(t.Again))); ; {
		f, err := in.next()
		if err != nil {
			return nil // chainBefore has checked it
		}
		if err := w.frame(t, &found{frame: f}); err != nil {
			return err
		}
	}
}

// follows compares what a header says with the state after the parts before.
func (w *walker) follows(t *text, begins *state, after [32]byte) error {
	s := &w.checker.state
	seq, event := s.seq, s.event
	if w.uncounted && s.frame > 0 {
		s.frame = t.coded()
	}
	if t.Above != nil {
		seq, event = max(seq, t.Above[0]), max(event, t.Above[1])
	}
	switch {
	case after != s.hash && t.Lost != "":
		return w.fault(brokenf(s.seq+1, "is missing, and whatever came after it: %s", t.Lost))
	case after != s.hash:
		return w.fault(brokenf(s.seq,
			"is the last of part %d, but part %d follows something else: a part was changed, or its end was cut off",
			w.before, t.Part))
	}
	if counted := t.coded(); s.frame > 0 && counted != s.frame {
		return w.fault(&BrokenError{Seq: s.seq, Forged: true, What: fmt.Sprintf(
			"is the last before part %d, whose first line is the %d. of the table, and should be the %d.: lines "+
				"were taken out or put in before it", t.Part, counted, s.frame)})
	}
	if what := s.differs(begins, seq, event); what != "" {
		return w.fault(brokenf(s.seq, "is the last before part %d, whose header has another %s", t.Part, what))
	}
	return nil
}

// differs says in what a header differs from the state after the parts before, "" for
// nothing.
func (s *state) differs(h *state, seq, event uint64) string {
	switch {
	case h.seq != seq:
		return "last record"
	case h.event != event:
		return "last event"
	case h.round != s.round:
		return "round"
	case h.setup != s.setup || !sameJSON(h.setupInput, s.setupInput):
		return "set-up"
	case h.checkpoint != s.checkpoint:
		return "checkpoint"
	case h.shoe != s.shoe:
		return "position of the shoe"
	case !slices.Equal(h.shoes, s.shoes):
		return "list of the shoes' earlier positions"
	case !slices.Equal(h.accepted, s.accepted):
		return "list of what was accepted"
	case !slices.Equal(h.aside, s.aside):
		return "list of what was set aside"
	case !bytes.Equal(h.rules, s.rules):
		return "fingerprint of the rules"
	}
	for name := range s.cursors {
		if _, there := h.cursors[name]; !there {
			return "list of the publishers' cursors"
		}
	}
	for _, at := range h.cursors {
		if at > event {
			return "last event than a publisher's cursor"
		}
	}
	return ""
}

// sameJSON ignores white space, which a header leaves out.
func sameJSON(a, b []byte) bool {
	if bytes.Equal(a, b) {
		return true
	}
	var x, y bytes.Buffer
	return json.Compact(&x, a) == nil && json.Compact(&y, b) == nil && bytes.Equal(x.Bytes(), y.Bytes())
}

// frames reads what follows a part's header.
func (w *walker) frames(t *text) error {
	in := t.frames(t.begins)
	in.digests = w.checker.state.keys.frame > 0
	w.ahead.readAhead(in)
	defer w.ahead.end()
	for n := 0; ; n++ {
		f, rest, err := w.ahead.get()
		switch {
		case errors.Is(err, io.EOF): // torn has left out what may be missing
			return nil
		case err != nil:
			w.uncounted = true
			return w.fault(brokenf(w.checker.state.seq+1, "cannot be read: %s, byte %d: %v", t.name, rest.at,
				cutShort(err)))
		case n%progressStep == 0 && w.ctx.Err() != nil:
			return w.ctx.Err()
		case w.reader.closed.Load():
			return ErrClosed
		case f.wrong != nil:
			err = w.skip(t, f)
		default:
			err = w.frame(t, f)
		}
		if err != nil {
			return err
		}
	}
}

// skip reports text that is not a frame.
func (w *walker) skip(t *text, f *found) error {
	w.uncounted = true
	if w.lost {
		return nil
	}
	return w.fault(brokenf(w.checker.state.seq+1, "cannot be read: %s, byte %d %v", t.name, f.at, f.wrong))
}

// frame checks and reports a frame.
func (w *walker) frame(t *text, f *found) error {
	c := &w.checker
	fault := w.check(f)
	s := Step{Part: t.Part, More: f.more, Fault: fault, Coded: f.coded, Checked: f.coded && c.state.keys.frame > 0}
	switch {
	case fault != nil && !f.is(beginRecord):
	case f.is(beginRecord):
		c.rec.Boot = t.Boot
		s.Record = &c.rec
	case f.is(beginSeal):
		s.Seal = &c.seal
	case c.note.Rules != nil:
		s.Rules = c.note.Text
	case c.note.Accepted != nil:
		s.Accepted = &Accepted{Found: *c.note.Accepted, By: c.note.By, At: c.note.At}
	case c.note.Away != nil:
		s.Away = &AwayError{Part: *c.note.Away, First: c.note.First, Last: c.note.Last, To: c.note.To}
	case c.note.Cursor != nil:
		s.Cursor, s.Event = *c.note.Cursor, c.note.Event
	}
	if s.Record != nil && c.rec.Seq == 0 {
		s.Record = nil
	}
	return w.report(s)
}

// check checks a frame. After a fault it trusts the frame.
func (w *walker) check(f *found) error {
	c := &w.checker
	c.rec.Seq = 0
	number := c.state.frame
	if w.lost {
		c.state.hash = f.hash
		w.lost = false
		c.uncheck(number)
		return c.trust(&f.frame)
	}
	// The state's hash is that of the frame before, if there was one.
	fits := f.fits
	if !f.linked {
		fits = c.linker.fits(&c.state.hash, &f.frame, c.keyed())
	}
	err := c.takeFrame(&f.frame, fits)
	if err == nil {
		return nil
	}
	w.uncounted = true
	c.uncheck(number)
	if trusting := c.trust(&f.frame); trusting != nil {
		w.lost = true
	}
	return broken(err, c.state.seq)
}

// uncheck moves past a frame that is not what was written: which code the next one should have is not known any more,
// until the next part says it.
func (c *checker) uncheck(number uint64) {
	c.state.keys = ratchet{}
	if number > 0 && c.state.frame == number {
		c.state.frame++
	}
}

// trust moves the state past a frame that does not follow.
func (c *checker) trust(f *frame) error {
	defer func() { c.state.hash = f.hash }()
	switch {
	case f.is(beginRecord):
		if err := parseRecord(f, &c.rec); err != nil {
			c.rec.Seq = 0
			return broken(err, c.state.seq+1)
		}
		c.state.takeRecord(&c.rec)
		return nil
	case f.is(beginSeal):
		_, err := c.state.parseSeal(f)
		return err
	default:
		_, err := c.state.parseNote(f)
		return err
	}
}

// broken adds to an error the record that it concerns.
func broken(err error, seq uint64) error {
	if b, ok := errors.AsType[*BrokenError](err); ok {
		return b
	}
	return &BrokenError{Seq: seq, What: fmt.Sprintf("cannot be read: %v", err)}
}

// pass continues at the line after text that is not a frame.
func (r *frames) pass(text []byte) {
	if r.skip {
		return
	}
	r.used += max(len(text), 1)
	r.skip = len(text) > mostFrame
}

// progressStep is how many records Verify checks between two reports.
const progressStep = 4096

// Verify walks the whole journal and checks each frame: its numbers, its pointers back,
// and the hash chain, from part to part. It reports the first fault, as a *BrokenError or,
// for parts that are away, an *AwayError. progress may be nil; it is called from time to
// time, and at the end.
//
// Verify finds every change, loss and swap inside the journal. It cannot detect that the
// whole chain was computed anew, or that the end was cut off: that needs the seals'
// signatures, which package audit checks, and a copy of Head kept elsewhere.
func (r *Reader) Verify(ctx context.Context, progress func(done, total uint64)) error {
	if progress == nil {
		progress = func(uint64, uint64) {}
	}
	end, err := r.end()
	if err != nil {
		return r.fault("verify", err)
	}
	err = r.walk(ctx, func(s *Step) error {
		if s.Fault != nil {
			return s.Fault
		}
		if s.Record != nil && s.Record.Seq%progressStep == 0 {
			progress(s.Record.Seq, max(end.seq, s.Record.Seq))
		}
		return nil
	})
	if err == nil {
		progress(end.seq, end.seq)
	}
	return r.fault("verify", err)
}
