package journal

import "maps"

// awayIn are the parts that a part's notes say were moved away, and where to.
func (r *Reader) awayIn(numbers []uint64, i int) map[uint64]AwayError {
	t, err := r.shelf.content(numbers, i)
	if err != nil {
		return nil
	}
	defer t.shut()
	found := map[uint64]AwayError{}
	s := t.Header.state(t.hash)
	for in := t.frames(t.begins); ; {
		f, err := in.next()
		if err != nil {
			return found // what is wrong with it is for others to say
		}
		if !f.is(beginAway) {
			continue
		}
		if n, err := s.parseNote(&f); err == nil && n.Away != nil {
			found[*n.Away] = AwayError{Part: *n.Away, First: n.First, Last: n.Last, To: n.To}
		}
	}
}

// awayNote is what the journal says of a part that was moved away, false where it says
// nothing of it. The newest note counts.
func (r *Reader) awayNote(numbers []uint64, number uint64) (note AwayError, moved bool) {
	for i := len(numbers) - 1; i >= 0 && !moved; i-- {
		note, moved = r.awayIn(numbers, i)[number]
	}
	return note, moved
}

// where adds to what is known of a part that is not there what the journal says of it.
func (r *Reader) where(e *AwayError) *AwayError {
	numbers, _ := r.numbers()
	if told, moved := r.awayNote(numbers, e.Part); moved {
		e.To = told.To
		if e.First == 0 {
			e.First = told.First
		}
	}
	return e
}

// awayAll are all parts that the journal says were moved away.
func (r *Reader) awayAll() map[uint64]AwayError {
	all := map[uint64]AwayError{}
	numbers, err := r.shelf.all()
	if err != nil {
		return all // the walk has said so
	}
	for i := range numbers {
		maps.Copy(all, r.awayIn(numbers, i))
	}
	return all
}
