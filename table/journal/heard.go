package journal

import "errors"

// Compare says how the journal is not what the pit has heard of it, "" where it is, or has
// gone on since.
func (j *Journal) Compare(heard Heard) (found string, err error) {
	found, err = j.compare(heard)
	return found, fault("compare with what the pit has heard", j.path, err)
}

func (j *Journal) compare(heard Heard) (string, error) {
	s := j.state()
	switch {
	case heard.ID == "" || heard.ID != j.id && j.inPlaceOf(heard):
		return "", nil
	case heard.ID != j.id || heard.Record > s.seq:
		return behindWords(heard, j.id, s.seq), nil
	}
	err := j.asHeard(&s, heard)
	if errors.Is(err, ErrDamaged) {
		return err.Error(), nil
	}
	return "", err
}
