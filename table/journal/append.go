package journal

import (
	"fmt"
	"time"
)

// Append adds entries at the end of the journal, all of them or none, with one wait for
// the disk: when it returns nil they are durable. After an error none of them is in the
// journal, and the same call may be repeated. An entry that cannot be in a journal is
// refused; README.md says which. Append keeps none of the slices.
//
// A file in which a write or a sync has failed is never written again: Append begins a new
// part, and repeats there what may not be durable. It returns an error if that fails too.
func (j *Journal) Append(entries []Entry) (err error) {
	defer faultOf("append", j.path, &err)
	if len(entries) == 0 {
		return nil
	}
	for i := range entries {
		if err := entries[i].validate(); err != nil {
			return fmt.Errorf("entry %d of %d: %w", i+1, len(entries), err)
		}
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.shut {
		return ErrClosed
	}
	if err := j.rotate(entries[0].At); err != nil {
		return err
	}
	err = j.write(func(b *batch) error {
		for i := range entries {
			b.record(&entries[i])
			if err := j.accepted(b, &entries[i]); err != nil {
				return err
			}
		}
		if j.key != nil && sealable(entries) {
			b.seal(j)
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("%d entries from record %d: %w", len(entries), j.tail.seq+1, err)
	}
	j.wereAccepted(entries)
	return nil
}

// write makes a batch, which is durable when write returns nil.
func (j *Journal) write(fill func(*batch) error) error {
	b := &j.batch
	b.begin(&j.tail)
	b.cursors(j.cursors)
	if err := fill(b); err != nil {
		return err
	}
	b.end()
	if len(b.text) > mostBatch {
		return fmt.Errorf("%d bytes are too many at once: the limit is %d; append fewer entries at a time",
			len(b.text), mostBatch)
	}
	if j.current == nil {
		return j.again("the part before could not be written to")
	}
	switch what, err := j.tampered(0); {
	case what != "":
		return j.rescue(what, 0)
	case err != nil:
		return j.elsewhere(err, 0)
	}
	written := int64(len(b.text))
	if err := j.putText(b.text); err != nil {
		return j.elsewhere(err, written)
	}
	switch what, err := j.tampered(written); {
	case what != "":
		return j.rescue(what, written)
	case err != nil:
		return j.elsewhere(err, written)
	}
	j.current.size += written
	j.tail = b.state
	j.left = ending{part: j.current.part, size: j.current.size, hash: j.tail.hash}
	j.show()
	j.lookAround()
	return nil
}

// elsewhere begins a new part with what could not be written to this one, of which written bytes may be there.
func (j *Journal) elsewhere(failed error, written int64) error {
	j.giveUp(written)
	if err := j.again("the part before could not be written to: " + failed.Error()); err != nil {
		return fmt.Errorf("%w; and a new part cannot be begun: %w", failed, err)
	}
	j.o.Warn("a write to the journal failed: the file is not written any more, and "+j.current.name+
		" has what it was", failed)
	return nil
}

// putText writes and waits for the disk.
func (j *Journal) putText(text []byte) error {
	if err := j.current.file.Append(text); err != nil {
		return err
	}
	began := time.Now()
	err := j.current.file.Sync()
	j.o.Synced(time.Since(began))
	return err
}

// giveUp abandons the part that is being written. Only what was durable before the last
// write counts.
func (j *Journal) giveUp(written int64) {
	j.left.over = written
	j.leave(j.current)
	j.current = nil
}

// leave closes a part that is no longer written. The next part repeats what was in doubt,
// so the error of Close does not matter.
func (j *Journal) leave(w *writing) {
	_ = w.file.Close()
	j.watch.add(j.disk, w.name)
}

// again begins a part that repeats the batch.
func (j *Journal) again(why string) error {
	return j.beginPart(beginning{why: why, again: j.batch.text, state: &j.batch.state, check: true})
}

// rotate begins a new part when the day or the size requires it: between rounds, or at
// once if it cannot wait.
func (j *Journal) rotate(at int64) error {
	if j.current == nil {
		return nil
	}
	between := j.tail.checkpoint == j.tail.seq
	day := j.day(at)
	grown := j.current.size - j.current.begins
	switch {
	case day > j.current.day && between && grown > 0:
		return j.turn(beginning{why: "a new gaming day", state: &j.tail, day: day})
	case grown >= j.o.PartMost && between, grown >= 2*j.o.PartMost:
		return j.turn(beginning{why: "the part before has its size", state: &j.tail, day: day})
	}
	return nil
}

// turn finishes the part that is being written, and begins the next.
func (j *Journal) turn(n beginning) error {
	if j.key != nil && j.tail.sealed != j.tail.seq {
		if err := j.sealEnd(); err != nil || j.current == nil {
			return err
		}
	}
	before, top := j.current, j.top
	err := j.beginPart(n)
	if err != nil && j.top == top {
		return nil // nothing of the new part exists, and this one is still good
	}
	if err != nil {
		j.current = nil // the new part may exist: nothing may follow in this one
	}
	j.leave(before)
	return nil
}

// day numbers the gaming day of a time.
func (j *Journal) day(at int64) int64 {
	t := time.Unix(0, at).Add(-j.o.DayBegins)
	_, offset := t.Zone()
	return (t.Unix() + int64(offset)) / (24 * 60 * 60)
}
