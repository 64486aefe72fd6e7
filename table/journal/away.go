package journal

import (
	"cmp"
	"maps"
)

// awayIn are the parts that were moved away according to a part's notes.
func (r *Reader) awayIn(numbers []uint64, i int) map[uint64]AwayError {
	t, err := r.shelf.content(numbers, i)
	if err != nil {
		return nil
	}
	defer t.shut()
	found := map[uint64]AwayError{}
	s := t.Header.state(t.hash)
	var link linker
	for in := t.frames(t.begins); ; {
		f, err := in.next()
		if err != nil || link.sum(&s.hash, f.covered()) != f.hash {
			return found // a walk reports what is wrong with it
		}
		s.hash = f.hash
		if !f.is(beginAway) {
			continue
		}
		if n, err := s.parseNote(&f); err == nil && n.Away != nil {
			found[*n.Away] = AwayError{Part: *n.Away, First: n.First, Last: n.Last, To: n.To}
		}
	}
}

// awayNote is the newest note about a part that was moved away; moved is false if there
// is none.
func (r *Reader) awayNote(numbers []uint64, number uint64) (note AwayError, moved bool) {
	for i := len(numbers) - 1; i >= 0 && !moved; i-- {
		note, moved = r.awayIn(numbers, i)[number]
	}
	return note, moved
}

// where adds what the journal says about a missing part.
func (r *Reader) where(e *AwayError) *AwayError {
	numbers, _ := r.numbers()
	if note, moved := r.awayNote(numbers, e.Part); moved {
		e.To = note.To
		e.First = cmp.Or(e.First, note.First)
	}
	return e
}

// awayAll are all parts that were moved away according to the journal.
func (r *Reader) awayAll() map[uint64]AwayError {
	all := map[uint64]AwayError{}
	numbers, err := r.shelf.all()
	if err != nil {
		return all // the walk has reported it
	}
	for i := range numbers {
		maps.Copy(all, r.awayIn(numbers, i))
	}
	return all
}
