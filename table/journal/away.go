package journal

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"sync"
)

// awayIn are the parts that were moved away according to a part's notes, as far as the part is what was written: a walk
// reports what is wrong with it. The error is the disk's.
func (r *Reader) awayIn(numbers []uint64, i int) (map[uint64]AwayError, error) {
	found := map[uint64]AwayError{}
	t, err := r.shelf.content(numbers, i)
	switch {
	case diskFails(err):
		return nil, err
	case err != nil:
		return found, nil
	}
	defer t.shut()
	s := t.Header.state(t.hash)
	var link linker
	for in := t.frames(t.begins); ; {
		f, err := in.next()
		switch {
		case diskFails(err):
			return found, fmt.Errorf("%s: byte %d: %w", t.name, f.at, err)
		case err != nil || link.sum(&s.hash, f.covered()) != f.hash:
			return found, nil
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

// awayNote is the newest note about a part that was moved away; moved is false if there is none.
func (r *Reader) awayNote(numbers []uint64, number uint64) (note AwayError, moved bool, err error) {
	note, moved, _, err = r.noteWithin(numbers, number, number, func() bool { return true })
	return note, moved, err
}

// noteWithin is awayNote while more allows to read another part: sure is false where the note may be in one that was
// not read, and err says why the disk did not read one. Only a part after some other has it, and it is looked for first
// where one was found before.
func (r *Reader) noteWithin(numbers []uint64, number, after uint64, more func() bool) (note AwayError, moved,
	sure bool, err error,
) {
	look := func(i int) bool {
		notes, failed := r.awayIn(numbers, i)
		err = cmp.Or(err, failed)
		note, moved = notes[number]
		return moved
	}
	if i := slices.Index(numbers, r.noted.in(number)); i >= 0 && numbers[i] > number && look(i) {
		return note, true, true, nil
	}
	for i := len(numbers) - 1; i >= 0 && numbers[i] > after; i-- {
		if !more() {
			return note, false, false, err
		}
		if look(i) {
			r.noted.learn(map[uint64]uint64{number: numbers[i]})
			return note, true, true, nil
		}
	}
	return note, false, err == nil, err
}

// noted remembers in which parts the notes of others were found.
type noted struct {
	mu    sync.Mutex
	where map[uint64]uint64
}

// in is the part that has the note of another one, 0 for none that is known.
func (n *noted) in(number uint64) uint64 {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.where[number]
}

func (n *noted) learn(where map[uint64]uint64) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.where == nil {
		n.where = map[uint64]uint64{}
	}
	maps.Copy(n.where, where)
}

// behind are those of the parts right before one that is there: the gaps of a list.
func (n *noted) behind(numbers []uint64) map[uint64]uint64 {
	n.mu.Lock()
	defer n.mu.Unlock()
	list := maps.Clone(n.where)
	maps.DeleteFunc(list, func(number, _ uint64) bool { return !slices.Contains(numbers, number+1) })
	return list
}

// where adds what the journal says about a missing part, as far as that can be read: the part is missing in any case.
func (r *Reader) where(e *AwayError) *AwayError {
	numbers, _ := r.numbers()
	if note, moved, _ := r.awayNote(numbers, e.Part); moved {
		e.To = note.To
		e.First = cmp.Or(e.First, note.First)
	}
	return e
}

// awayAll are all parts that were moved away according to the journal. The error is the disk's, and what was read
// comes with it.
func (r *Reader) awayAll() (map[uint64]AwayError, error) {
	all := map[uint64]AwayError{}
	numbers, err := r.shelf.all()
	for i := range numbers {
		found, failed := r.awayIn(numbers, i)
		maps.Copy(all, found)
		err = cmp.Or(err, failed)
	}
	return all, err
}
