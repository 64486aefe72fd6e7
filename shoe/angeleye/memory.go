package angeleye

import "time"

// repeatWithin is the longest time between two copies of a report. Nobody draws cards so fast that their numbers come
// round within it.
const repeatWithin = 3 * time.Second

// remembered is how many reports are known again by their copies: the copies of one may come mixed with those of its
// neighbours. It is far less than the numbers there are: a new report is taken for a copy of an old one only if six or
// more were lost in between, all within repeatWithin.
const remembered = 3

// heard is a report that came, or one that a gap has counted as lost.
type heard struct {
	report
	at       time.Duration // when its last copy came
	set      bool
	lost     bool // no copy has come; only the number is known
	odd      bool // it has an unexpected length
	differed bool // a copy that differed was reported
}

// recent says whether copies of it may still come.
func (h *heard) recent(at time.Duration) bool { return at-h.at < repeatWithin }

// memory is the last reports, the newest first.
type memory [remembered]heard

// find returns the newest report with a number, nil if it is not remembered.
func (m *memory) find(number byte) *heard {
	for i := range m {
		if h := &m[i]; h.set && h.number == number {
			return h
		}
	}
	return nil
}

// newest returns the last report that came, nil if there is none.
func (m *memory) newest() *heard {
	for i := range m {
		if h := &m[i]; h.set && !h.lost {
			return h
		}
	}
	return nil
}

// add remembers one more report.
func (m *memory) add(h heard) {
	copy(m[1:], m[:])
	h.set = true
	m[0] = h
}
