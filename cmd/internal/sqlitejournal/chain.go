package sqlitejournal

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/sabot-table/sabot/table/journal"
)

// origin is the hash before the first record.
func origin(id string) [32]byte { return sha256.Sum256([]byte("sabot journal " + id)) }

// sum is the hash of a record that follows the hash before.
func (r *Record) sum(before [32]byte) [32]byte {
	b := before[:]
	for _, n := range [...]uint64{
		r.Seq, r.Boot, uint64(r.At), r.Round, uint64(r.ShoeBoot), uint64(r.ShoeSeq), r.FirstEvent, r.Setup, r.Shoe, r.Checkpoint,
	} {
		b = binary.BigEndian.AppendUint64(b, n)
	}
	for _, part := range [...][]byte{r.Rules, r.Input, r.Outputs, r.Carry} {
		b = binary.BigEndian.AppendUint64(b, uint64(len(part)))
		b = append(b, part...)
	}
	return sha256.Sum256(b)
}

// text is what a seal signs.
func (s *Seal) text(id string) []byte {
	b := append([]byte("sabot journal seal\n"), id...)
	b = append(b, '\n')
	b = strconv.AppendUint(b, s.Seq, 10)
	b = append(b, '\n')
	b = hex.AppendEncode(b, s.Hash[:])
	b = append(b, '\n')
	b = strconv.AppendInt(b, s.At, 10)
	return append(b, '\n')
}

// Chain recomputes the chain. All columns of a record follow from its entry, its boot, and
// the records before it, wherever those are kept now.
type Chain struct {
	seq, event, boot        uint64
	setup, shoe, checkpoint uint64
	hash                    [32]byte
}

// NewChain is the chain of the journal with an id, before its first record.
func NewChain(id string) *Chain { return &Chain{hash: origin(id)} }

// Hash is the last record's hash, or the chain's origin.
func (c *Chain) Hash() [32]byte { return c.hash }

// Add makes the record that follows, with all of its columns.
func (c *Chain) Add(e *journal.Entry, boot uint64) Record {
	c.seq++
	c.point(e)
	r := Record{
		Entry: *e, Seq: c.seq, Boot: boot, FirstEvent: c.event + 1,
		Setup: c.setup, Shoe: c.shoe, Checkpoint: c.checkpoint,
	}
	r.Hash = r.sum(c.hash)
	c.boot, c.hash = boot, r.Hash
	c.event += uint64(bytes.Count(e.Outputs, []byte("\n")))
	return r
}

// follow takes the next record, or returns why it cannot be the next.
func (c *Chain) follow(r *Record) error {
	if r.Seq != c.seq+1 {
		return brokenf(c.seq+1, "is missing: record %d comes next", r.Seq)
	}
	if r.Boot == 0 || r.Boot < c.boot {
		return brokenf(r.Seq, "says boot %d after boot %d", r.Boot, c.boot)
	}
	want := c.Add(&r.Entry, r.Boot)
	switch {
	case r.FirstEvent != want.FirstEvent:
		return brokenf(r.Seq, "starts with event %d, but %d is next", r.FirstEvent, want.FirstEvent)
	case r.Setup != want.Setup:
		return brokenf(r.Seq, "points to the set-up in record %d, which is in record %d", r.Setup, want.Setup)
	case r.Shoe != want.Shoe:
		return brokenf(r.Seq, "points to the shoe's event in record %d, which is in record %d", r.Shoe, want.Shoe)
	case r.Checkpoint != want.Checkpoint:
		return brokenf(r.Seq, "points to the checkpoint in record %d, which is in record %d", r.Checkpoint, want.Checkpoint)
	case r.Hash != want.Hash:
		return brokenf(r.Seq, "does not fit its hash: it, or the record before it, is not what was written")
	}
	return nil
}

// point moves the pointers to the chain's current record.
func (c *Chain) point(e *journal.Entry) {
	if e.ShoeBoot != 0 || e.ShoeSeq != 0 {
		c.shoe = c.seq
	}
	if len(e.Carry) == 0 {
		return
	}
	c.checkpoint = c.seq
	var line struct {
		In string `json:"in"`
	}
	if json.Unmarshal(e.Input, &line) == nil && line.In == "setup" {
		c.setup = c.seq
	}
}

func brokenf(seq uint64, format string, args ...any) error {
	return fmt.Errorf("record %d "+format, append([]any{seq}, args...)...)
}
