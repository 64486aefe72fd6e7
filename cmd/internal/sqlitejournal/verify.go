package sqlitejournal

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"fmt"
	"iter"

	"github.com/sabot-table/sabot/table/journal"
)

// progressStep is how many records there are between two progress reports.
const progressStep = 4096

// Checked is what Verify found in an intact journal.
type Checked struct {
	// Records, Events, Boots and Seals are how many there are.
	Records, Events, Boots, Seals uint64
	// Hash is the last record's, or the chain's origin.
	Hash [32]byte
	// Sealed is the last record that a seal vouches for, and Key the one that signed it;
	// 0 and nil for a journal without seals.
	Sealed uint64
	Key    ed25519.PublicKey
}

// Verify checks that the journal is as it was written: each record's number, events,
// pointers, boot and hash, each seal's hash and signature, and that no boot, seal or cursor
// refers to a missing record. The error is the first fault.
//
// key is the public half of the table's key, as the auditor has it: the last seal must be
// signed with it, and come after the last round that ended. Without key the seals are
// checked against the keys that they name, which proves nothing against somebody who
// rewrote the journal. progress may be nil.
func (j *Journal) Verify(ctx context.Context, key ed25519.PublicKey, progress func(done, total uint64)) (Checked, error) {
	v := verifier{j: j, end: NewChain(j.id)}
	if err := v.run(ctx, progress); err != nil {
		return Checked{}, j.fault(err)
	}
	if err := v.vouched(key); err != nil {
		return Checked{}, j.fault(err)
	}
	v.found.Records, v.found.Events, v.found.Hash = v.end.seq, v.end.event, v.end.hash
	return v.found, nil
}

// verifier is a check under way.
type verifier struct {
	j     *Journal
	end   *Chain
	found Checked

	boot  Boot // the last that began
	next  step[Boot]
	seal  step[Seal]
	ended uint64 // the last record that ended a round or set the table up
}

// step is the current row of several; next returns the following one.
type step[T any] struct {
	row  T
	more bool
	next func() (T, error, bool)
}

func (s *step[T]) advance() (err error) {
	s.row, err, s.more = s.next()
	return err
}

func (v *verifier) run(ctx context.Context, progress func(done, total uint64)) error {
	var stop func()
	v.next.next, stop = iter.Pull2(v.j.Boots(ctx))
	defer stop()
	v.seal.next, stop = iter.Pull2(v.j.Seals(ctx))
	defer stop()
	if err := v.next.advance(); err != nil {
		return err
	}
	if err := v.seal.advance(); err != nil {
		return err
	}
	if err := v.records(ctx, progress); err != nil {
		return err
	}
	return v.rest(ctx)
}

func (v *verifier) records(ctx context.Context, progress func(done, total uint64)) error {
	total, _, err := v.j.Head(ctx)
	if err != nil {
		return err
	}
	for r, err := range v.j.Records(ctx) {
		if err != nil {
			return err
		}
		if err := v.record(&r); err != nil {
			return err
		}
		if progress != nil && (r.Seq%progressStep == 0 || r.Seq == total) {
			progress(r.Seq, total)
		}
	}
	return nil
}

func (v *verifier) record(r *Record) error {
	if err := v.end.follow(r); err != nil {
		return err
	}
	if err := v.begin(r.Seq); err != nil {
		return err
	}
	if r.Boot != v.boot.Number {
		return brokenf(r.Seq, "says boot %d, but was written in boot %d, which began with record %d", r.Boot, v.boot.Number, v.boot.FirstRecord)
	}
	if len(r.Carry) > 0 {
		v.ended = r.Seq
	}
	return v.sealed(r)
}

// begin takes the boots that began with a record or before it.
func (v *verifier) begin(seq uint64) error {
	for v.next.more && v.next.row.FirstRecord <= seq {
		b := v.next.row
		if b.Number != v.boot.Number+1 || b.FirstRecord != seq {
			return fmt.Errorf("boot %d, which began with record %d, does not follow boot %d, which began with record %d",
				b.Number, b.FirstRecord, v.boot.Number, v.boot.FirstRecord)
		}
		v.boot = b
		v.found.Boots++
		if err := v.next.advance(); err != nil {
			return err
		}
	}
	return nil
}

// sealed takes the seal after a record, if there is one.
func (v *verifier) sealed(r *Record) error {
	s := &v.seal.row
	if !v.seal.more || s.Seq > r.Seq {
		return nil
	}
	switch {
	case s.Seq < r.Seq:
		return fmt.Errorf("a seal comes after record %d, which does not exist", s.Seq)
	case s.Hash != r.Hash:
		return brokenf(r.Seq, "does not have the hash for which the seal after it was made")
	case len(s.Key) != ed25519.PublicKeySize || !ed25519.Verify(s.Key, s.text(v.j.id), s.Signature):
		return fmt.Errorf("the seal after record %d is not valid by its own key: it was changed, or made without the key", s.Seq)
	}
	v.found.Seals++
	v.found.Sealed, v.found.Key = s.Seq, bytes.Clone(s.Key)
	return v.seal.advance()
}

// rest checks that the journal's end has not been cut off.
func (v *verifier) rest(ctx context.Context) error {
	if err := v.begin(v.end.seq + 1); err != nil {
		return err
	}
	if v.next.more {
		return brokenf(v.end.seq+1, "is missing: boot %d began with record %d", v.next.row.Number, v.next.row.FirstRecord)
	}
	if v.seal.more {
		return brokenf(v.end.seq+1, "is missing: a seal comes after record %d", v.seal.row.Seq)
	}
	for c, err := range v.j.Cursors(ctx) {
		if err != nil {
			return err
		}
		if c.Event > v.end.event {
			return brokenf(v.end.seq+1, "is missing: the cursor %s has reached event %d, but the last is %d", c.Name, c.Event, v.end.event)
		}
	}
	return nil
}

// vouched returns what keeps the auditor's key from vouching for the journal.
func (v *verifier) vouched(key ed25519.PublicKey) error {
	switch {
	case key == nil:
		return nil
	case v.found.Seals == 0:
		return fmt.Errorf("it has no seal, but should have some by the key %s: they were removed, or it is another table's key", journal.PublicLine(key))
	case !bytes.Equal(key, v.found.Key):
		return fmt.Errorf("its last seal, after record %d, was made with the key %s and not with %s: it is another table's key, "+
			"or somebody rewrote the journal and signed it with another key", v.found.Sealed, journal.PublicLine(v.found.Key), journal.PublicLine(key))
	case v.ended > v.found.Sealed:
		return fmt.Errorf("its last seal comes after record %d, but a round ended in record %d without one: seals were removed, "+
			"or the program was started without its key", v.found.Sealed, v.ended)
	}
	return nil
}
