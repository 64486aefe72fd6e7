package sqlitejournal

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strconv"
)

// origin is the hash before the first record.
func origin(id string) [32]byte { return sha256.Sum256([]byte("sabot journal " + id)) }

// sum is the hash of a record after one with the hash before.
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

// chain is where a journal stands after a record.
type chain struct {
	seq, event, boot        uint64
	setup, shoe, checkpoint uint64
	hash                    [32]byte
}

// follow takes the next record, or says why it cannot be that.
func (c *chain) follow(r *Record) error {
	if r.Seq != c.seq+1 {
		return brokenf(c.seq+1, "is missing: record %d comes next", r.Seq)
	}
	c.seq = r.Seq
	c.point(r)
	switch {
	case r.Boot == 0 || r.Boot < c.boot:
		return brokenf(r.Seq, "says boot %d after boot %d", r.Boot, c.boot)
	case r.FirstEvent != c.event+1:
		return brokenf(r.Seq, "starts with event %d where %d is next", r.FirstEvent, c.event+1)
	case r.Setup != c.setup:
		return brokenf(r.Seq, "points to the set-up in record %d, which is in record %d", r.Setup, c.setup)
	case r.Shoe != c.shoe:
		return brokenf(r.Seq, "points to the shoe's event in record %d, which is in record %d", r.Shoe, c.shoe)
	case r.Checkpoint != c.checkpoint:
		return brokenf(r.Seq, "points to the checkpoint in record %d, which is in record %d", r.Checkpoint, c.checkpoint)
	case r.Hash != r.sum(c.hash):
		return brokenf(r.Seq, "does not fit its hash: it, or the record before it, is not what was written")
	}
	c.boot, c.hash = r.Boot, r.Hash
	c.event += uint64(bytes.Count(r.Outputs, []byte("\n")))
	return nil
}

// point moves the pointers on.
func (c *chain) point(r *Record) {
	if r.ShoeBoot != 0 || r.ShoeSeq != 0 {
		c.shoe = r.Seq
	}
	if len(r.Carry) == 0 {
		return
	}
	c.checkpoint = r.Seq
	var line struct {
		In string `json:"in"`
	}
	if json.Unmarshal(r.Input, &line) == nil && line.In == "setup" {
		c.setup = r.Seq
	}
}

func brokenf(seq uint64, format string, args ...any) error {
	return fmt.Errorf("record %d "+format, append([]any{seq}, args...)...)
}
