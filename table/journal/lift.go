package journal

import "errors"

// mostLift limits how far numbers may be lifted: the numbers that the pit has heard of come
// from a broker, and the range of numbers must not be exhausted.
const mostLift = 1 << 40

// Lift makes numbers continue, with some room, above a record and an event that the pit has
// heard of and the journal lacks because an earlier state of it was restored. It begins a
// new part, whose header says so. If the journal has them already, it does nothing.
func (j *Journal) Lift(record, event uint64) (err error) {
	defer faultOf("continue above what the pit has heard of", j.path, &err)
	j.mu.Lock()
	defer j.mu.Unlock()
	s := &j.tail
	switch {
	case j.shut:
		return ErrClosed
	case record <= s.seq && event <= s.event:
		return nil
	case record > s.seq+mostLift || event > s.event+mostLift:
		return brokenf(record, "cannot have been heard of: it is too far above record %d", s.seq)
	}
	n := beginning{why: "the pit has heard of more", state: s, above: (&Heard{Record: record, Event: event}).room()}
	if j.current == nil {
		err = j.beginPart(n)
	} else {
		err = j.turn(n)
	}
	if err == nil && j.tail.seq < record {
		err = errors.New("no part could be begun")
	}
	return err
}
