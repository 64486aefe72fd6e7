package journal

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
)

// authentic checks the codes of the frames before the newest part's own, from the one on at which the table's key
// stands. The checker goes on behind that part's header.
func (j *Journal) authentic(numbers []uint64, newest *text) (*checker, error) {
	c := &checker{state: newest.Header.state(newest.hash)}
	k, number := j.codes.kept.Load(), newest.coded()
	begun := k != nil && k.journal == j.id && k.frame > 1
	switch {
	case j.key == nil || number == 0 && !begun:
		return c, nil
	case number == 0:
		return nil,
			fmt.Errorf("%w: the frames of part %d have no codes, but this table has made some in this journal: its "+
				"end was cut off", ErrDamaged, newest.Part)
	case k == nil:
		return nil, fmt.Errorf("%w: %s, so that nobody can tell which of its lines the table wrote", ErrDamaged,
			j.codes.wrong)
	case k.by != newest.Coded.By:
		return nil, fmt.Errorf("%w: its codes follow from the audit key %s, but this table's from %s", ErrDamaged,
			newest.Coded.By, k.by)
	}
	i, err := j.keyIn(numbers, k)
	if err != nil {
		return nil, err
	}
	c.state = state{keys: k.ratchet}
	if k.journal == j.id {
		c.pin = k
	}
	for ; i < len(numbers)-1; i++ {
		if err := j.authenticPart(c, numbers, i); err != nil {
			return nil, err
		}
	}
	return c, damaged(c.begin(newest))
}

// keyIn finds the part in which the frame is at which the table's key stands. If that is a frame of a journal that this
// one replaces, or none yet, it is the first part.
func (j *Journal) keyIn(numbers []uint64, k *keptKey) (int, error) {
	for i := len(numbers) - 1; i >= 0; i-- {
		p, err := j.shelf.get(numbers[i])
		if err != nil {
			return 0, err
		}
		counts, err := j.shelf.counts(numbers, i)
		if err != nil {
			return 0, err
		}
		switch first := p.Before == 0 && p.coded() >= k.frame; {
		case !counts:
		case p.coded() == 0:
			i = 0
		case k.journal == j.id && p.coded() <= k.frame, k.journal != j.id && first:
			return i, nil
		}
	}
	return 0,
		fmt.Errorf("%w: no part has the frame %d, at which the table's key stands: the journal was replaced by an "+
			"earlier state of it, or parts are missing", ErrDamaged, k.frame)
}

// authenticPart checks the frames of one of the parts before the newest.
func (j *Journal) authenticPart(c *checker, numbers []uint64, i int) error {
	if counts, err := j.shelf.counts(numbers, i); err != nil || !counts {
		return err
	}
	t, err := j.shelf.content(numbers, i)
	if err != nil {
		return err
	}
	defer t.shut()
	if err := c.begin(t); err != nil {
		return damaged(err)
	}
	for in := t.frames(t.begins); ; {
		f, err := in.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			err = c.check(&f)
		}
		if err != nil {
			return fmt.Errorf("%s: byte %d: %w", t.name, f.at, damaged(cutShort(err)))
		}
	}
}

// begin moves past the header of a part, and checks its code as far as the key is known.
func (c *checker) begin(t *text) error {
	before, err := t.chainBefore()
	if err != nil {
		return err
	}
	number, keys := t.coded(), c.state.keys
	if c.state.frame > 0 && (number != c.state.frame || before != c.state.hash) {
		return fmt.Errorf("%w: part %d does not follow what is before it", ErrDamaged, t.Part)
	}
	if number > 0 {
		if keys.frame > 0 && c.pin == nil && !keys.to(number) {
			return fmt.Errorf("%w: part %d begins before the frame at which the table's key stands", ErrDamaged, t.Part)
		}
		if keys, err = c.header(t, before, keys); err != nil {
			return err
		}
	}
	c.state = t.Header.state(t.hash)
	c.state.keys = keys
	return nil
}

// header checks the code of a part's header.
func (c *checker) header(t *text, before [sha256.Size]byte, keys ratchet) (ratchet, error) {
	f, err := t.frames(0).next()
	if err != nil {
		return keys, cutShort(err)
	}
	c.state = state{seq: t.Record, hash: before, frame: t.coded(), keys: keys}
	c.linker.fits(&before, &f, c.keyed())
	err = c.authentic(&f)
	return c.state.keys, err
}
