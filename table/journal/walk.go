package journal

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Step is one step of a walk: a frame, or what stands in the place of one. One of its
// pointers is set, or Fault alone.
type Step struct {
	// Header is the beginning of a part.
	Header *Header
	// Record is a record; its Rules are nil where they are those before.
	Record *Record
	// Seal is a seal under all that stands before it.
	Seal *Seal
	// Rules is the text of rules, which fits the fingerprint.
	Rules []byte
	// Imported is a seal of a journal in another format, as it was taken over.
	Imported []byte
	// Cursor names a publisher, and Event is how far it has come.
	Cursor string
	Event  uint64
	// Away is a part that was moved away.
	Away *AwayError
	// Part is the part that the step is of.
	Part uint64
	// Fault says how this is not what was written, nil for nothing. It is a *BrokenError,
	// or an *AwayError for parts that are not there.
	Fault error
}

// Walk reads everything from the first part on, checks each frame, and hands it to visit.
// It goes on behind a fault, taking what follows at its word, so that every fault is told
// once. Whether a seal's signature is valid is left to the caller.
//
// Walk sees the journal as it is at the beginning; a table may write meanwhile. What is
// handed to visit is overwritten after it returns; an error of visit ends the walk.
func (r *Reader) Walk(ctx context.Context, visit func(*Step) error) error {
	return r.fault("read everything", r.walk(ctx, visit))
}

func (r *Reader) walk(ctx context.Context, visit func(*Step) error) error {
	r.shelf.forget() // what is on the disk now is to be checked
	numbers, err := r.numbers()
	if err != nil {
		return err
	}
	w := walker{ctx: ctx, reader: r, visit: visit}
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
	visit   func(*Step) error
	checker checker
	step    Step
	// before is the part that was read last, 0 for none, and lost says that what follows
	// cannot be compared with what was before.
	before uint64
	lost   bool
	// unread says that before cannot be read at all.
	unread bool
}

// tell hands a step to visit.
func (w *walker) tell(s Step) error {
	w.step = s
	return w.visit(&w.step)
}

func (w *walker) fault(err error) error {
	w.lost = true
	return w.tell(Step{Part: w.before, Fault: err})
}

// part reads a part.
func (w *walker) part(numbers []uint64, i int) error {
	if counts, err := w.reader.shelf.counts(numbers, i); err == nil && !counts {
		return nil
	}
	t, err := w.reader.content(numbers, i)
	if errors.Is(err, ErrClosed) {
		return err
	}
	if err != nil {
		w.before, w.unread = numbers[i], true
		return w.fault(brokenf(w.checker.state.seq+1, "and those after it are in part %d, which cannot be read: %v", numbers[i], err))
	}
	defer t.shut()
	if err := w.header(t); err != nil {
		return err
	}
	w.before, w.lost, w.unread = t.Part, false, false
	if err := w.frames(t); err != nil {
		return err
	}
	if over := t.file - t.size; !t.last && over > w.over(numbers, i) {
		return w.fault(brokenf(w.checker.state.seq, "is the last of part %d, to whose file %d bytes were added", t.Part, over))
	}
	return nil
}

// over is how many bytes the next part says that may follow in a part.
func (w *walker) over(numbers []uint64, i int) int64 {
	next, err := w.reader.shelf.next(numbers, i)
	if err != nil || next == nil || next.Before != numbers[i] {
		return 0
	}
	return next.Over
}

// header checks that a part follows the one before.
func (w *walker) header(t *text) error {
	s := &w.checker.state
	begins := t.Header.state(t.hash)
	after, err := t.chainBefore()
	switch {
	case err != nil:
		err = w.fault(brokenf(s.seq+1, "is behind what part %d repeats, which cannot be read: %v", t.Part, err))
	case w.before == 0 && t.Before == 0:
		err = w.first(t, after)
	case t.Before != w.before:
		err = w.gap(t)
	case w.unread:
		err = w.repeated(t)
	case !w.lost:
		err = w.follows(t, &begins, after)
	}
	rules := s.rulesText
	*s = begins
	s.rulesText = rules
	if err != nil {
		return err
	}
	return w.tell(Step{Header: &t.Header, Part: t.Part})
}

// first checks the header of the first part.
func (w *walker) first(t *text, after [32]byte) error {
	if after != origin(t.Journal) || t.Again != "" {
		return w.fault(brokenf(t.Record+1, "is in the first part, whose header does not follow from the journal's id"))
	}
	return nil
}

// gap tells of parts that are not there.
func (w *walker) gap(t *text) error {
	if t.Before < w.before {
		return w.fault(brokenf(t.Record+1, "is in part %d, which says that it follows part %d; it follows %d", t.Part, t.Before, w.before))
	}
	if err := w.fault(w.reader.where(&AwayError{Part: t.Before, First: w.checker.state.seq + 1, Last: t.Record})); err != nil || t.Lost == "" {
		return err
	}
	return w.repeated(t)
}

// repeated reads what a header repeats of a part that was taken away: it stands nowhere else.
func (w *walker) repeated(t *text) error {
	for in := newFrames(strings.NewReader(t.Again), 0, int64(len(t.Again))); ; {
		f, err := in.next()
		if err != nil {
			return nil // chainBefore has looked at it
		}
		if err := w.frame(t, &f); err != nil {
			return err
		}
	}
}

// follows compares what a header says with what the parts before have come to.
func (w *walker) follows(t *text, begins *state, after [32]byte) error {
	s := &w.checker.state
	seq, event := s.seq, s.event
	if t.Above != nil {
		seq, event = max(seq, t.Above[0]), max(event, t.Above[1])
	}
	switch {
	case after != s.hash && t.Lost != "":
		return w.fault(brokenf(s.seq+1, "is missing, and what was behind it: %s", t.Lost))
	case after != s.hash:
		return w.fault(brokenf(s.seq, "is the last of part %d, and part %d follows something else: a part was changed, or its end cut off", w.before, t.Part))
	case begins.seq != seq || begins.event != event || begins.setup != s.setup || begins.checkpoint != s.checkpoint || begins.round != s.round,
		begins.shoeBoot != s.shoeBoot, begins.shoeSeq != s.shoeSeq, string(begins.rules) != string(s.rules):
		return w.fault(brokenf(s.seq, "is the last before part %d, whose header says something else of it", t.Part))
	}
	return nil
}

// frames reads what follows a part's header.
func (w *walker) frames(t *text) error {
	in := t.frames(t.begins)
	for n := 0; ; n++ {
		f, err := in.next()
		if n%progressStep == 0 && w.ctx.Err() != nil {
			return w.ctx.Err()
		}
		if w.reader.closed.Load() {
			return ErrClosed
		}
		switch {
		case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) && t.last:
			return nil
		case errors.Is(err, errFrame):
			err = w.skip(t, in, &f, err)
		case err != nil:
			return w.fault(brokenf(w.checker.state.seq+1, "cannot be read: %s, byte %d: %v", t.name, f.at, cutShort(err)))
		default:
			err = w.frame(t, &f)
		}
		if err != nil {
			return err
		}
	}
}

// skip tells of text that is no frame, and goes on at the next line.
func (w *walker) skip(t *text, in *frames, f *frame, why error) error {
	in.pass(f)
	if w.lost {
		return nil
	}
	return w.fault(brokenf(w.checker.state.seq+1, "cannot be read: %s, byte %d %v", t.name, f.at, why))
}

// frame checks a frame and tells it.
func (w *walker) frame(t *text, f *frame) error {
	c := &w.checker
	fault := w.check(f)
	s := Step{Part: t.Part, Fault: fault}
	switch {
	case fault != nil && !f.is(beginRecord):
	case f.is(beginRecord):
		c.rec.Boot = t.Boot
		s.Record = &c.rec
	case f.is(beginSeal):
		s.Seal = &c.seal
	case c.note.Rules != nil:
		s.Rules = c.note.Text
	case c.note.Imported != nil:
		s.Imported = *c.note.Imported
	case c.note.Away != nil:
		s.Away = &AwayError{Part: *c.note.Away, First: c.note.First, Last: c.note.Last, To: c.note.To}
	case c.note.Cursor != nil:
		s.Cursor, s.Event = *c.note.Cursor, c.note.Event
	}
	if s.Record != nil && c.rec.Seq == 0 {
		s.Record = nil
	}
	return w.tell(s)
}

// check checks a frame. After a fault the frame is taken at its word.
func (w *walker) check(f *frame) error {
	c := &w.checker
	c.rec.Seq = 0
	if w.lost {
		c.state.hash = f.hash
		w.lost = false
		return c.trust(f)
	}
	err := c.check(f)
	if err == nil {
		return nil
	}
	if trusting := c.trust(f); trusting != nil {
		w.lost = true
	}
	return broken(err, c.state.seq)
}

// trust goes on behind a frame that does not follow.
func (c *checker) trust(f *frame) error {
	defer func() { c.state.hash = f.hash }()
	switch {
	case f.is(beginRecord):
		if err := parseRecord(f, &c.rec); err != nil {
			c.rec.Seq = 0
			return broken(err, c.state.seq+1)
		}
		c.state.take(&c.rec)
		return nil
	case f.is(beginSeal):
		_, err := c.state.parseSeal(f)
		return err
	default:
		_, err := c.state.parseNote(f)
		return err
	}
}

// broken says of an error which record it is about.
func broken(err error, seq uint64) error {
	if b, ok := errors.AsType[*BrokenError](err); ok {
		return b
	}
	return &BrokenError{Seq: seq, What: fmt.Sprintf("cannot be read: %v", err)}
}

// pass goes on at the line behind what is no frame.
func (r *frames) pass(f *frame) { r.used += max(len(f.text), 1) }

// progressStep is how many records Verify checks between two reports.
const progressStep = 4096

// Verify walks the whole journal and checks each frame: its numbers, its pointers back,
// and the hash chain, from part to part. It reports the first thing that is wrong, as a
// *BrokenError or, for parts that are away, an *AwayError. progress may be nil; it is
// called now and then, and at the end.
//
// Verify finds every change, loss and swap inside the journal. It cannot tell
// that somebody has computed the whole chain anew, or has cut the end off: for that there
// are the seals' signatures, which package audit checks, and a copy of Head kept elsewhere.
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
