package journal

import "errors"

// mostLift bounds how far numbers may be lifted: what says that the pit has heard of more
// comes from a broker, and numbers must not run out.
const mostLift = 1 << 40

// Lift has numbers go on above a record and an event that the pit has heard of and the
// journal lacks, since it was put back to an earlier state. It begins a new part, whose
// header says so. Where the journal has them already it does nothing.
func (j *Journal) Lift(record, event uint64) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	s := &j.tail
	switch {
	case j.shut:
		return fault("go on above what the pit has heard", j.path, ErrClosed)
	case record <= s.seq && event <= s.event:
		return nil
	case record > s.seq+mostLift || event > s.event+mostLift:
		return fault("go on above what the pit has heard", j.path, brokenf(record, "cannot have been heard of: it is too far above record %d", s.seq))
	}
	n := beginning{why: "the pit has heard of more", state: s, above: &[2]uint64{record, event}}
	var err error
	if j.current == nil {
		err = j.beginPart(n)
	} else {
		err = j.turn(n)
	}
	if err == nil && j.tail.seq < record {
		err = errors.New("no part could be begun")
	}
	return fault("go on above what the pit has heard", j.path, err)
}
