package angeleye

import "time"

// repeatWithin is the longest time between two copies of a report. Nobody draws cards so fast that their numbers come
// round within it.
const repeatWithin = 3 * time.Second

// remembered is how many reports are known again by their copies: the copies of one may come mixed with those of its
// neighbours. It is far less than the numbers there are: a new report is taken for an old one only if five or more were
// lost in between, all within repeatWithin.
const remembered = 4

// heard is a report that came.
type heard struct {
	report
	at       time.Duration // when its last copy came
	set      bool
	odd      bool // it has an unexpected length
	differed bool // a copy that differed was reported
	earlier  bool // it came before the port was opened
	doubtful bool // a start came after it, or a copy of a start that had come before it
}

// recent says whether copies of it may still come.
func (h *heard) recent(at time.Duration) bool { return at-h.at < repeatWithin }

// maybe says whether an equal report under its number may be a copy of it, although nobody knows.
func (h *heard) maybe(at time.Duration) bool { return h.earlier || h.doubtful && h.recent(at) }

// memory is the last reports, no two with the same number.
type memory [remembered]heard

// find returns the report with a number, nil if it is not remembered.
func (m *memory) find(number byte) *heard {
	for i := range m {
		if h := &m[i]; h.set && h.number == number {
			return h
		}
	}
	return nil
}

// add remembers one more report, in place of the one with its number, or of the oldest.
func (m *memory) add(h heard) {
	last := 0
	for last < remembered-1 && m[last].set && m[last].number != h.number {
		last++
	}
	copy(m[1:last+1], m[:last])
	h.set = true
	m[0] = h
}

// age notes that the port was closed and opened again.
func (m *memory) age() {
	for i := range m {
		m[i].earlier = true
	}
}

// doubt notes that a start came. What is too old to be repeated is forgotten, since its number is used anew.
func (m *memory) doubt(at time.Duration) {
	for i := range m {
		h := &m[i]
		if !h.recent(at) && !h.earlier {
			*h = heard{}
			continue
		}
		h.at, h.doubtful = at, true
	}
}
