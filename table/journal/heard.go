package journal

import (
	"errors"
	"fmt"
)

// mostHeard limits what the pit can have heard of: no table gets there, and numbers that are set above it, again and
// again, leave enough up to mostNumber.
const mostHeard = 1 << 50

// Check returns why nobody can have heard of such a head, or nil.
func (h *Heard) Check() error {
	switch {
	case !isID(h.ID):
		return fmt.Errorf("it names the journal %.40q, and not with 32 hexadecimal digits", h.ID)
	case max(h.Record, h.Event) > mostHeard:
		return fmt.Errorf("it names record %d and event %d, which no table reaches", h.Record, h.Event)
	}
	return nil
}

// Compare says how the journal differs from what the pit has heard of it, "" if it does not
// or has only continued since.
func (j *Journal) Compare(heard Heard) (found string, err error) {
	defer faultOf("compare with what the pit has heard", j.path, &err)
	s := j.state()
	switch {
	case heard.ID == "":
		return "", nil
	case heard.ID != j.id || heard.Record > s.seq:
		return j.behind(heard, s.seq), nil
	}
	err = j.asHeard(&s, heard)
	if errors.Is(err, ErrDamaged) {
		return err.Error(), nil
	}
	return "", err
}

// heardRoom is how many numbers are left out above those that the pit is known to have
// heard of. It gets a head every few seconds, and may have heard of more since: it would
// drop an event that has the number of one that it knows.
const heardRoom = 10_000

// room is the record and the event above which numbers continue.
func (h *Heard) room() *[2]uint64 { return &[2]uint64{h.Record + heardRoom, h.Event + heardRoom} }
