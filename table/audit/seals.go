package audit

import (
	"bytes"
	"crypto/ed25519"
	"fmt"

	"github.com/sabot-table/sabot/table/journal"
)

// seals finds out how far the journal is sealed. A seal stands in the chain itself, so
// that a valid one vouches for everything before it, earlier seals included. Where it is
// not valid, the first one before it that is not is searched for.
type seals struct {
	count uint64
	// expected is the key that headers name, "" where parts are not sealed.
	expected string
	// since are the seals after the last one whose signature was checked, that one not
	// included.
	since []sealedIn
	// good is the last seal that is valid, and bad how many were found that are not.
	good sealedIn
	bad  uint64
	// judged is what was told of the first that is not, and at is the record before it.
	judged *Finding
	at     uint64
	// open is a record that ended a round or set the table up, and has no seal so far;
	// its Seq is 0 where there is none.
	open journal.Record
	// begun is a part whose beginning has no seal so far, 0 for none.
	begun uint64
	// bare counts the records without their seal, and told is the fault that says so.
	bare uint64
	told *Finding
}

// sealedIn is a seal, and the round of the record before it.
type sealedIn struct {
	journal.Seal
	round uint64
	// step is its place in the walk.
	step uint64
}

// block is how many seals are taken together: the signature of the last one is checked,
// which vouches for the others.
const block = 256

// header takes the beginning of a part, which is to be sealed together with it.
func (s *seals) header(a *auditor, h *journal.Header) {
	s.check(a)
	given := a.o.Key != nil && h.Key != "" && h.Key != journal.PublicLine(a.o.Key)
	switch {
	case s.expected != "" && h.Key == "":
		s.fault(a, h.Record+1,
			fmt.Sprintf("part %d, from record %d on, is not sealed, and the parts before it are: the program was "+
				"started without its key, or somebody else wrote the part", h.Part, h.Record+1))
	case s.expected == "" && h.Key != "" && a.report.Parts > 1:
		s.fault(a, h.Record+1,
			fmt.Sprintf("part %d, from record %d on, is sealed, and the parts before it are not: a table that is "+
				"given a key begins a journal anew, so their key was taken away", h.Part, h.Record+1))
	case given, s.expected != "" && h.Key != s.expected:
		s.fault(a, h.Record+1,
			fmt.Sprintf("part %d, from record %d on, names the key %s, and not the table's: the table was given "+
				"another key, or somebody else wrote the part", h.Part, h.Record+1, h.Key))
	}
	if h.Key != "" {
		s.begun = h.Part
	}
	s.expected = h.Key
}

// fault tells of a record that is known by its number alone.
func (s *seals) fault(a *auditor, record uint64, what string) {
	f := a.finding(Seals, nil, what)
	f.Record = record
	a.report.fault(f)
}

// record takes a record: what ends a round, or sets the table up, is sealed together with
// it.
func (s *seals) record(rec *journal.Record) {
	if len(rec.Carry) > 0 && s.expected != "" && s.open.Seq == 0 {
		s.open = journal.Record{Seq: rec.Seq, Boot: rec.Boot}
		s.open.At, s.open.Round = rec.At, rec.Round
	}
}

// written is called behind everything that was written together, and tells of what should
// have a seal then. The first record is told alone, with how many more there are.
func (s *seals) written(a *auditor) {
	if s.begun != 0 {
		a.fault(Seals, nil,
			fmt.Sprintf("the beginning of part %d is not sealed: its seal was taken away, or somebody without the "+
				"key began the part", s.begun))
		s.begun = 0
	}
	if s.open.Seq == 0 {
		return
	}
	if s.bare++; s.bare == 1 {
		s.told = a.fault(Seals, &s.open,
			"the record ended a round or set the table up, and the seal behind it is missing: seals were taken away")
	}
	s.open.Seq = 0
}

// seal takes a seal.
func (s *seals) seal(a *auditor, seal *journal.Seal) {
	s.count++
	s.open.Seq, s.begun = 0, 0
	s.since = append(s.since, sealedIn{*seal, a.round, a.codes.steps})
	if len(s.since) >= block || a.o.EverySeal {
		s.check(a)
	}
}

// broken is called where the chain does not hold: a seal behind vouches for nothing
// before.
func (s *seals) broken(a *auditor) {
	s.check(a)
	s.begun = 0
}

// key is what the seals are checked against: the auditor's, else the first one's.
func (s *seals) key(a *auditor) ed25519.PublicKey {
	sealed := &a.report.Sealed
	if sealed.Key == nil {
		sealed.Key, sealed.Given = a.o.Key, a.o.Key != nil
		if sealed.Key == nil {
			sealed.Key = s.since[0].Key
		}
		sealed.Line = journal.PublicLine(sealed.Key)
	}
	return sealed.Key
}

// check checks the signature of the last seal since the last check.
func (s *seals) check(a *auditor) {
	if len(s.since) == 0 {
		return
	}
	key := s.key(a)
	last := &s.since[len(s.since)-1]
	if s.valid(a, key, &last.Seal) {
		s.good = *last
	} else {
		s.search(a, key)
	}
	s.since = s.since[:0]
}

// valid says whether a seal is the key's, with its turn in the count of what was done.
func (s *seals) valid(a *auditor, key ed25519.PublicKey, seal *journal.Seal) bool {
	a.report.Sealed.Checked++
	return bytes.Equal(seal.Key, key) && seal.Valid(a.report.ID)
}

// search finds the first seal since the last check that is not valid, and tells of it,
// unless it has told of one before: those behind it are not, either.
func (s *seals) search(a *auditor, key ed25519.PublicKey) {
	for i := range s.since {
		seal := &s.since[i]
		if s.valid(a, key, &seal.Seal) {
			s.good = *seal
			continue
		}
		if s.bad++; s.bad == 1 {
			s.judge(a, &seal.Seal)
		}
		return
	}
}

// judge says what the first seal means that is not valid.
func (s *seals) judge(a *auditor, bad *journal.Seal) {
	sealed := &a.report.Sealed
	s.at = bad.Seq
	if s.good.Seq == 0 && s.good.Key == nil {
		s.judged = a.fault(Seals, nil,
			fmt.Sprintf("no seal is valid by the key %s: it is another table's key, or the journal was changed or "+
				"written by %s",
				sealed.Line, s.by(bad, sealed.Key)))
		return
	}
	s.judged = a.fault(Seals, nil,
		fmt.Sprintf("the seals are valid up to record %d (round %d), and the one behind record %d is not: "+
			"what follows record %d was changed or written by %s", s.good.Seq, s.good.round, bad.Seq, s.good.Seq,
			s.by(bad, sealed.Key)))
}

// by says who may have made a seal that is not valid.
func (s *seals) by(bad *journal.Seal, key ed25519.PublicKey) string {
	if bytes.Equal(bad.Key, key) {
		return "somebody without the key"
	}
	return "somebody without the key, or with the key " + journal.PublicLine(bad.Key)
}

// end checks what is left, and says how far the journal is sealed.
func (s *seals) end(a *auditor) {
	s.check(a)
	if s.bare > 1 && s.told != nil {
		s.told.What += fmt.Sprintf("; so have %s behind it", count(s.bare-1, "more record"))
	}
	if s.judged != nil && s.good.Key != nil && s.good.Seq > s.at {
		s.judged.What = fmt.Sprintf("the seal behind record %d is not valid, and later ones are, up to record %d: "+
			"either the program that made it has erred, or somebody has the key, or the chain does not hold "+
			"between them", s.at, s.good.Seq)
	}
	sealed := &a.report.Sealed
	sealed.Seals = s.count
	switch {
	case s.count > 0:
	case a.o.Key != nil:
		// Whoever gives a key knows that there must be some.
		sealed.Key, sealed.Given, sealed.Line = a.o.Key, true, journal.PublicLine(a.o.Key)
		a.fault(Seals, nil, "the journal has no seal, and should have some by the key that was given")
		return
	default:
		a.remark(NotSealed, nil,
			"the journal is not sealed: whoever could write the file could write all of it anew, and nothing in it "+
				"would show that")
		return
	}
	if !sealed.Given {
		a.remark(OwnKey, nil,
			"the seals were checked against the key that the journal names itself: that proves nothing against "+
				"somebody "+
				"who wrote the journal anew and signed it with a key of his own; check with --key and the line that "+
				"was made with the table's key")
	}
	if s.good.Key != nil {
		sealed.Record, sealed.At, sealed.Round = s.good.Seq, moment(s.good.At), s.good.round
	}
}
