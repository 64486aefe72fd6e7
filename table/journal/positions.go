package journal

import (
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
