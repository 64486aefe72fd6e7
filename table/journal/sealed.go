package journal

import "fmt"

// SealOver is the first seal that confirms a record; nil where there is none yet, or where the
// journal is not sealed.
func (r *Reader) SealOver(seq uint64) (*Seal, error) {
	var found *Seal
	var before [32]byte
	err := r.from(func(c commit) bool { return c.seq >= seq }, func(t *text, f *frame) (bool, error) {
		if f.at == t.begins {
			before = t.hash
		}
		if !f.is(beginSeal) {
			before = f.hash
			return t.Key != "", nil
		}
		seal, err := readSeal(f, before)
		before = f.hash
		if err == nil && seal.Seq >= seq {
			found = &seal
		}
		return found == nil, err
	})
	return found, r.fault(fmt.Sprintf("find the seal over record %d", seq), err)
}
