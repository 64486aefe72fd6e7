package audit

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"fmt"

	"github.com/sabot-table/sabot/table/journal"
)

// seals finds out how far the journal is sealed. The chain covers everything before a
// record, so that the last valid seal vouches for all; only where it is not valid the
// last one that is must be searched for.
type seals struct {
	count uint64
	last  journal.Seal // with memory of its own
	// ended is the last record that ended a round or set the table up: what should be
	// sealed.
	ended journal.Record
	// misfit is the fault of the first seal that is under another hash than its record
	// has, and misfits how many there are.
	misfit  *Finding
	misfits uint64
}

// unfit reports a seal that is under another hash than its record has. All behind it
// are, too, so the first is told alone.
func (s *seals) unfit(a *auditor, step *journal.Step) {
	if s.misfits++; s.misfits == 1 {
		s.misfit = a.finding(Seals, step.Record, step.Fault.Error())
		a.report.fault(s.misfit)
	}
}

func (s *seals) see(step *journal.Step) {
	rec := step.Record
	if len(rec.Carry) > 0 {
		s.ended.Seq, s.ended.Round, s.ended.Boot, s.ended.At = rec.Seq, rec.Round, rec.Boot, rec.At
	}
	if seal := step.Seal; seal != nil {
		s.count++
		key, signature := append(s.last.Key[:0], seal.Key...), append(s.last.Signature[:0], seal.Signature...)
		s.last = *seal
		s.last.Key, s.last.Signature = key, signature
	}
}

// end checks the signatures.
func (s *seals) end(ctx context.Context, a *auditor) error {
	if s.misfits > 1 {
		s.misfit.What += fmt.Sprintf("; so have the records of %s behind it", count(s.misfits-1, "more seal"))
	}
	sealed := &a.report.Sealed
	sealed.Seals, sealed.Key, sealed.Given = s.count, a.o.Key, a.o.Key != nil
	if s.count == 0 {
		s.unsealed(a)
		return nil
	}
	if !sealed.Given {
		sealed.Key = s.last.Key
		a.remark(OwnKey, nil, "the seals were checked against the key that the journal names itself: that proves nothing against somebody "+
			"who wrote the journal anew and signed it with a key of his own; check with --key and the line that was made with the table's key")
	}
	sealed.Line = journal.PublicLine(sealed.Key)
	good, bad, err := s.search(ctx, a, sealed.Key)
	if err != nil {
		return err
	}
	if good.Seq > 0 {
		sealed.Record, sealed.At, sealed.Round = good.Seq, moment(good.At), a.record(good.Seq).Round
	}
	s.judge(a, &good, &bad)
	return nil
}

// unsealed tells of a journal without seals. Whoever gives a key knows that there must
// be some.
func (s *seals) unsealed(a *auditor) {
	if a.o.Key != nil {
		a.report.Sealed.Line = journal.PublicLine(a.o.Key)
		a.fault(Seals, nil, "the journal has no seal, and should have some by the key that was given")
		return
	}
	a.remark(NotSealed, nil, "the journal is not sealed: whoever could write the file could write all of it anew, and nothing in it would show that")
}

// search finds the last valid seal, and the first that is not, behind it; zero for
// none. It takes for granted that valid ones come first, as they do where somebody
// without the key has written what follows.
func (s *seals) search(ctx context.Context, a *auditor, key ed25519.PublicKey) (good, bad journal.Seal, err error) {
	valid := func(seal *journal.Seal) bool {
		return bytes.Equal(seal.Key, key) && a.hashOf(seal.Seq) == seal.Hash && seal.Valid(a.report.ID)
	}
	if valid(&s.last) {
		return s.last, bad, nil
	}
	bad = s.last
	// All seals up to low are valid, none from top on is.
	for low, top := uint64(0), bad.Seq; low+1 < top; {
		middle := low + 1 + (top-low-1)/2
		seal, found, err := a.reader.SealFrom(ctx, middle)
		switch {
		case err != nil:
			return good, bad, err
		case !found || seal.Seq >= top:
			top = middle // there is none between
		case valid(&seal):
			good, low = seal, seal.Seq
		default:
			bad, top = seal, seal.Seq
		}
	}
	return good, bad, nil
}

// judge says what the search means.
func (s *seals) judge(a *auditor, good, bad *journal.Seal) {
	sealed := &a.report.Sealed
	switch {
	case bad.Seq == 0 && s.ended.Seq > good.Seq:
		a.fault(Seals, &s.ended, fmt.Sprintf("the last seal stands behind record %d, and a round ended here without one: "+
			"seals were taken away, or the program was started without its key", good.Seq))
	case bad.Seq == 0:
	case good.Seq == 0:
		a.fault(Seals, nil, fmt.Sprintf("no seal is valid by the key %s: it is another table's key, or the journal was changed or written by %s",
			sealed.Line, s.by(bad, sealed.Key)))
	default:
		a.fault(Seals, nil, fmt.Sprintf("the seals are valid up to record %d (round %d), and the one behind record %d is not: "+
			"what follows record %d was changed or written by %s", good.Seq, sealed.Round, bad.Seq, good.Seq, s.by(bad, sealed.Key)))
	}
}

// by says who may have made a seal that is not valid.
func (s *seals) by(bad *journal.Seal, key ed25519.PublicKey) string {
	if bytes.Equal(bad.Key, key) {
		return "somebody without the key"
	}
	return "somebody without the key, or with the key " + journal.PublicLine(bad.Key)
}

// record reads a record anew, the zero Record where it cannot be read: then the walk has
// said so.
func (a *auditor) record(seq uint64) journal.Record {
	for rec, err := range a.reader.Records(seq) {
		if err == nil && rec.Seq == seq {
			return rec
		}
		break
	}
	return journal.Record{}
}

func (a *auditor) hashOf(seq uint64) [32]byte { return a.record(seq).Hash }
