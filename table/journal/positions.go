package journal

import (
	"errors"
	"slices"
)

// Position is one boot id of a shoe, and the number of its last event that is in the journal.
type Position struct{ Boot, Seq uint32 }

// MostPositions is how many boot ids of shoes a journal keeps. A shoe has an event that is
// in the journal still to report only if it kept its power, and its boot id, since it was
// last at the table. Shoes that take turns at a table are few; each power cut of the one that
// is there adds an id. With ten of these a day a shoe may be away for three weeks, and a
// header has at most 6 kB more.
const MostPositions = 256

// Positions are the last positions of each boot id, the latest first: the events of a shoe
// up to there are stored.
func (j *Journal) Positions() []Position {
	s := j.state()
	if s.shoe == (Position{}) {
		return nil
	}
	return slices.Insert(slices.Clone(s.shoes), 0, s.shoe)
}

// place moves the state past a record with a position.
func (s *state) place(p Position) {
	if p.Boot != s.shoe.Boot && s.shoe != (Position{}) {
		s.shoes = merged([]Position{s.shoe}, s.shoes, p.Boot)
	}
	s.shoe = p
}

// merged are the positions of two lists, the earlier ones last: the first of each boot id,
// and none of the boot id present.
func merged(list, earlier []Position, present uint32) []Position {
	for _, p := range earlier {
		known := func(other Position) bool { return other.Boot == p.Boot }
		if p.Boot != present && p != (Position{}) && len(list) < MostPositions-1 && !slices.ContainsFunc(list, known) {
			list = append(list, p)
		}
	}
	return list
}

// mostSearched is how many parts are read for positions: some two months of a busy table,
// half a gigabyte, which takes half a second and the time that the disk needs. No shoe keeps
// its power for so long beside a table.
const mostSearched = 64

// earlierPositions completes the positions at the end of a journal whose headers do not list
// them, as those of format 1. It reads the latest parts that are in the folder, once: the next
// header has the list. What is wrong with a part does not matter here: the auditor finds it.
func (j *Journal) earlierPositions(numbers []uint64, s *state) (read int) {
	for i := len(numbers) - 2; i >= 0 && !s.listed && read < mostSearched && len(s.shoes) < MostPositions-1; i-- {
		if counts, err := j.shelf.counts(numbers, i); err != nil || !counts {
			continue
		}
		before, ok := j.positionsIn(numbers, i)
		if !ok {
			continue
		}
		read++
		s.shoes = merged(slices.Clip(s.shoes), slices.Insert(slices.Clone(before.shoes), 0, before.shoe), s.shoe.Boot)
		s.listed = before.listed
	}
	s.listed = true
	return read
}

// positionsIn is the state at the end of a part, as far as it concerns shoes.
func (j *Journal) positionsIn(numbers []uint64, i int) (s state, ok bool) {
	t, err := j.shelf.content(numbers, i)
	if err != nil {
		return s, false
	}
	defer t.shut()
	s = t.Header.state(t.hash)
	var rec Record
	for in := t.frames(t.begins); ; {
		f, err := in.next()
		switch {
		case err == nil && f.is(beginRecord):
			if parseRecord(&f, &rec) == nil && rec.fromShoe() {
				s.place(Position{rec.ShoeBoot, rec.ShoeSeq})
			}
		case errors.Is(err, errFrame):
			in.pass(f.text)
		case err != nil:
			return s, true
		}
	}
}
