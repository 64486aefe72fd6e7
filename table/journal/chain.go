package journal

import "encoding/json"

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
	r := Record{
		Entry: *e,
		Seq:   c.seq + 1, Boot: boot, FirstEvent: c.event + 1,
		Setup: c.setup, Shoe: c.shoe, Checkpoint: c.checkpoint,
	}
	if e.fromShoe() {
		r.Shoe = r.Seq
	}
	if len(e.Carry) > 0 {
		r.Checkpoint = r.Seq
		if isSetup(e.Input) {
			r.Setup = r.Seq
		}
	}
	r.Hash = h.sum(c.hash, &r)
	return r
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
	want := c.link(h, r.Boot, &r.Entry)
	switch {
	case r.Seq != want.Seq:
		return &BrokenError{Seq: want.Seq, What: "is missing"}
	case r.Boot == 0 || r.Boot < c.boot:
		return brokenf(r.Seq, "says boot %d after boot %d", r.Boot, c.boot)
	case r.FirstEvent != want.FirstEvent:
		return brokenf(r.Seq, "starts with event %d where %d is next", r.FirstEvent, want.FirstEvent)
	case r.Setup != want.Setup:
		return brokenf(r.Seq, "points to the set-up in record %d, which is in record %d", r.Setup, want.Setup)
	case r.Shoe != want.Shoe:
		return brokenf(r.Seq, "points to the shoe's event in record %d, which is in record %d", r.Shoe, want.Shoe)
	case r.Checkpoint != want.Checkpoint:
		return brokenf(r.Seq, "points to the checkpoint in record %d, which is in record %d", r.Checkpoint, want.Checkpoint)
	case r.Hash != want.Hash:
		return &BrokenError{Seq: r.Seq, What: "does not fit its hash: it, or the record before it, is not what was written"}
	}
	return nil
}

// isSetup says whether an input sets the table up.
func isSetup(input []byte) bool {
	var line struct {
		In string `json:"in"`
	}
	return json.Unmarshal(input, &line) == nil && line.In == "setup"
}
