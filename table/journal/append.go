package journal

import "fmt"

// Append adds entries at the end of the journal, all of them or none, with one
// wait for the disk: when it returns nil they are durable. After an error nothing
// of them is in, and the same call may be tried again. An entry that cannot stand
// in a journal is refused, as README.md says. Append keeps none of the slices.
func (j *Journal) Append(entries []Entry) error {
	if len(entries) == 0 {
		return nil
	}
	for i := range entries {
		if err := entries[i].validate(); err != nil {
			return fault("append", j.path, fmt.Errorf("entry %d of %d: %w", i+1, len(entries), err))
		}
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.shut {
		return fault("append", j.path, ErrClosed)
	}
	tail, sealed := j.tail, j.sealed
	err := j.writer.transaction(func() (err error) {
		if err := j.insert(&tail, entries); err != nil {
			return err
		}
		sealed, err = j.sealEnds(&tail, entries)
		return err
	})
	if err != nil {
		return fault("append", j.path, fmt.Errorf("%d entries from record %d on: %w", len(entries), j.tail.seq+1, err))
	}
	j.tail, j.sealed = tail, sealed
	for i := range entries {
		if e := &entries[i]; e.fromShoe() {
			j.shoeBoot, j.shoeSeq = e.ShoeBoot, e.ShoeSeq
		}
	}
	j.announce()
	return nil
}

// insert puts entries into the open transaction, and moves tail behind them.
func (j *Journal) insert(tail *chain, entries []Entry) error {
	for i := range entries {
		rec := tail.link(&j.hasher, j.boot, &entries[i])
		if err := j.writer.insert(&rec); err != nil {
			return err
		}
		*tail = after(&rec)
	}
	return nil
}

// Changed returns a channel that is closed by the next Append that succeeds, or
// by Close. Take it first, then read, and wait on it when there was nothing to
// read: so no append is missed.
func (j *Journal) Changed() <-chan struct{} {
	j.news.Lock()
	defer j.news.Unlock()
	if j.changed == nil {
		j.changed = make(chan struct{})
	}
	return j.changed
}

// announce wakes who waits on Changed.
func (j *Journal) announce() {
	j.news.Lock()
	defer j.news.Unlock()
	if j.changed != nil {
		close(j.changed)
		j.changed = nil
	}
}
