package journal

import (
	"bytes"
	"encoding/json"
)

// chain is where the journal stands after a record: all that the next record
// builds on. Append makes records with it, and Verify makes them again.
type chain struct {
	seq, event              uint64 // the last record and the last event
	boot                    uint64
	setup, shoe, checkpoint uint64 // as in Record
	hash                    [32]byte
}

// link makes the record that follows.
func (c *chain) link(h *hasher, boot uint64, e *Entry) Record {
	r := Record{Entry: *e, Seq: c.seq + 1, Boot: boot, FirstEvent: c.event + 1}
	r.Setup, r.Shoe, r.Checkpoint = c.pointers(e)
	r.Hash = h.sum(c.hash, &r)
	return r
}

// pointers are those of the entry that follows.
func (c *chain) pointers(e *Entry) (setup, shoe, checkpoint uint64) {
	setup, shoe, checkpoint = c.setup, c.shoe, c.checkpoint
	if e.fromShoe() {
		shoe = c.seq + 1
	}
	if len(e.Carry) > 0 {
		checkpoint = c.seq + 1
		if isSetup(e.Input) {
			setup = c.seq + 1
		}
	}
	return setup, shoe, checkpoint
}

// after is the chain's state behind r, which is taken at its word.
func after(r *Record) chain {
	return chain{
		seq: r.Seq, event: r.FirstEvent - 1 + r.events(), boot: r.Boot,
		setup: r.Setup, shoe: r.Shoe, checkpoint: r.Checkpoint,
		hash: r.Hash,
	}
}

// check says why r cannot be the record that follows, or nil.
func (c *chain) check(h *hasher, r *Record) error {
	setup, shoe, checkpoint := c.pointers(&r.Entry)
	switch {
	case r.Seq != c.seq+1:
		return missing(c.seq+1, r.Seq)
	case r.Boot == 0 || r.Boot < c.boot:
		return brokenf(r.Seq, "says boot %d after boot %d", r.Boot, c.boot)
	case r.FirstEvent != c.event+1:
		return brokenf(r.Seq, "starts with event %d where %d is next", r.FirstEvent, c.event+1)
	case r.Setup != setup:
		return brokenf(r.Seq, "points to the set-up in record %d, which is in record %d", r.Setup, setup)
	case r.Shoe != shoe:
		return brokenf(r.Seq, "points to the shoe's event in record %d, which is in record %d", r.Shoe, shoe)
	case r.Checkpoint != checkpoint:
		return brokenf(r.Seq, "points to the checkpoint in record %d, which is in record %d", r.Checkpoint, checkpoint)
	case r.Hash != h.sum(c.hash, r):
		return &BrokenError{Seq: r.Seq, What: "does not fit its hash: it, or the record before it, is not what was written"}
	}
	return nil
}

// isSetup says whether an input sets the table up. Most that are asked about end a
// round, which is plain to see without taking them apart.
func isSetup(input []byte) bool {
	if !bytes.Contains(input, []byte("setup")) && !bytes.ContainsRune(input, '\\') {
		return false
	}
	var line struct {
		In string `json:"in"`
	}
	return json.Unmarshal(input, &line) == nil && line.In == "setup"
}
