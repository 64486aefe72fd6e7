package journal

import (
	"crypto/sha256"
	"encoding/binary"
)

// hasher computes the hashes of records. Its buffer is kept from one record to
// the next, so that a hash costs no allocation.
type hasher struct{ buf []byte }

// origin is the hash before the first record. It holds the journal's own name,
// so that records cannot be carried over from another journal.
func origin(id string) [32]byte {
	return sha256.Sum256([]byte("sabot journal " + id))
}

// sum is the hash of r after a record with the hash prev. Integers are 8 bytes,
// most significant first; texts and blobs are their length as such an integer,
// then their bytes: no two records have the same encoding.
func (h *hasher) sum(prev [32]byte, r *Record) [32]byte {
	b := append(h.buf[:0], prev[:]...)
	for _, n := range [...]uint64{
		r.Seq, r.Boot, uint64(r.At), r.Round, uint64(r.ShoeBoot), uint64(r.ShoeSeq),
		r.FirstEvent, r.Setup, r.Shoe, r.Checkpoint,
	} {
		b = binary.BigEndian.AppendUint64(b, n)
	}
	for _, s := range [...][]byte{r.Rules, r.Input, r.Outputs, r.Carry} {
		b = binary.BigEndian.AppendUint64(b, uint64(len(s)))
		b = append(b, s...)
	}
	h.buf = b
	return sha256.Sum256(b)
}
