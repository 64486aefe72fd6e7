package journal

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
)

// Stretch is a piece of the journal, byte for byte, for somebody who keeps a copy elsewhere. It
// is of one start of the program, and complete: what is missing before its first record is
// its Gap.
type Stretch struct {
	// After is the record that it was asked to begin after.
	After uint64
	// Head and Hash are the journal's last record when the stretch was read.
	Head uint64
	Hash [sha256.Size]byte
	// Gap says which records between After and the first one are missing, nil for none.
	Gap *Gap
	// Former is the journal that this one replaces, with the first records of a journal that
	// replaces one.
	Former *Former
	// Boot is the start in which the records were written, and Program wrote them; 0 and ""
	// without records.
	Boot    uint64
	Program string
	// SetUp is the set-up in force before the first record, where something is missing before
	// it; nil for none.
	SetUp *SetUp
	// InForce is the fingerprint of the rules in force before the first record, "" for none.
	InForce string
	// Rules are the texts of those rules and of those that come into force in the records, by
	// their fingerprints.
	Rules map[string][]byte
	// Frames are the records, each as it is in the journal.
	Frames [][]byte
	// Seals are the seals after the record After, up to the last of the records and right after
	// it.
	Seals []Seal
}

// Gap is records that a Stretch leaves out, both ends included.
type Gap struct {
	First, Last uint64
	// Why is one of the Gap reasons, and Text says more.
	Why, Text string
}

// The reasons of a Gap.
const (
	// GapUnused are numbers that no record of the journal has: it replaced another journal, or
	// an earlier state of it was restored, and it continued above what the pit had heard of.
	GapUnused = "unused"
	// GapAway are records whose part was moved to the archive.
	GapAway = "away"
	// GapDamaged are records that cannot be read, or are not what was written.
	GapDamaged = "damaged"
)

// Stretch reads the records after a number, as many as have so many bytes together, at least
// one, and not beyond the end of their part. After the head it has none.
func (r *Reader) Stretch(after uint64, most int) (Stretch, error) {
	s := stretcher{reader: r, most: most, Stretch: Stretch{After: after, Rules: map[string][]byte{}}}
	return s.Stretch, r.fault("read a stretch", s.read())
}

// stretcher reads one stretch.
type stretcher struct {
	Stretch
	reader *Reader
	most   int
	size   int // of the frames so far
	// last is the last record that was read, or is known to be missing.
	last uint64
	// trouble is what is wrong with the part before, "" for nothing.
	trouble string
	link    linker
	// rules are those in force after last, and coming are those whose text was read last.
	rules, coming inForce
}

func (s *stretcher) read() (err error) {
	r := s.reader
	if s.Head, s.Hash, err = r.head(); err != nil || s.After > s.Head {
		return err
	}
	s.last = s.After
	numbers, i, err := s.find()
	for ; err == nil && i < len(numbers) && len(s.Frames) == 0; i++ {
		err = s.part(numbers, i)
	}
	if err == nil && len(s.Frames) == 0 && s.last < s.Head {
		s.leaveOut(s.Head, GapDamaged, cmp.Or(s.trouble, "the journal ends before them"))
	}
	return err
}

// find is the part in which to begin: the last that begins with the record After or before it.
func (s *stretcher) find() (numbers []uint64, i int, err error) {
	numbers, i, err = s.reader.find(func(c commit) bool { return c.seq > s.After })
	if away := (*AwayError)(nil); errors.As(err, &away) {
		return numbers, 0, nil
	}
	if !errors.Is(err, ErrDamaged) {
		return numbers, i, err
	}
	numbers, err = s.reader.numbers()
	for k, number := range numbers { // a header cannot be read
		if p, failed := s.reader.shelf.get(number); failed == nil && p.Record <= s.After {
			i = k
		}
	}
	return numbers, i, err
}

// part reads from a part. What is wrong with it ends the stretch, or is the reason for a gap.
func (s *stretcher) part(numbers []uint64, i int) error {
	counts, err := s.reader.shelf.counts(numbers, i)
	if err != nil || !counts {
		return s.spoilt(err)
	}
	t, err := s.reader.content(numbers, i)
	if err != nil {
		return s.spoilt(err)
	}
	defer t.shut()
	at, err := s.begin(t, slices.Contains(numbers, t.Before))
	if err != nil {
		return s.spoilt(err)
	}
	return s.spoilt(s.frames(t, at))
}

// spoilt keeps what is wrong with a part, and returns what has nothing to do with it.
func (s *stretcher) spoilt(err error) error {
	away := (*AwayError)(nil)
	if errors.Is(err, ErrDamaged) || errors.As(err, &away) {
		s.trouble = err.Error()
		return nil
	}
	return err
}

// begin finds where to begin in a part, and what is missing before it. there says whether the
// part before is in the folder.
func (s *stretcher) begin(t *text, there bool) (at int64, err error) {
	if t.Record > s.last {
		switch {
		case s.trouble != "":
			s.leaveOut(t.Record, GapDamaged, s.trouble)
		case t.Before != 0 && !there:
			s.leaveOut(t.Record, GapAway, s.reader.where(&AwayError{Part: t.Before, Last: t.Record}).Error())
		default:
			s.leaveOut(t.Record, GapUnused,
				"no record of this journal has these numbers: it continues above those that others had heard of")
		}
		s.SetUp = t.Setup
	}
	s.trouble = ""
	if t.Before == 0 && s.After <= t.Record {
		s.Former = t.Former
	}
	if s.last == t.Record {
		s.rules, err = t.rulesBefore(t.begins)
		return t.begins, err
	}
	if at, err = t.seek(func(c commit) bool { return c.seq >= s.last }); err != nil {
		return 0, damaged(err)
	}
	if known, ok := s.reader.rules.at(t.Part, s.last); ok {
		s.rules = known
		return at, nil
	}
	s.rules, err = t.rulesBefore(at)
	return at, err
}

// leaveOut notes that the records up to last are missing.
func (s *stretcher) leaveOut(last uint64, why, text string) {
	if s.Gap == nil {
		s.Gap = &Gap{First: s.last + 1, Why: why, Text: text}
	}
	if s.Gap.Why == GapUnused && why != GapUnused {
		s.Gap.Why, s.Gap.Text = why, text
	}
	s.Gap.Last, s.last = last, last
}

// frames reads the frames of a part from a place on.
func (s *stretcher) frames(t *text, at int64) error {
	before, err := t.hashBefore(at)
	if err != nil {
		return damaged(err)
	}
	defer func() { s.reader.rules.keep(t.Part, s.last, s.rules) }()
	for in := t.frames(at); ; {
		f, err := in.next()
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) && t.last {
			return nil // an incomplete write does not count
		}
		if err != nil {
			return fmt.Errorf("%s: byte %d: %w", t.name, f.at, damaged(cutShort(err)))
		}
		if s.link.sum(&before, f.covered()) != f.hash {
			return brokenf(s.last+1, "or what comes before it does not fit its hash")
		}
		if more, err := s.frame(t, &f, before); err != nil || !more {
			return damaged(err)
		}
		before = f.hash
	}
}

// frame takes a frame, and reports whether there is room for more.
func (s *stretcher) frame(t *text, f *frame, before [sha256.Size]byte) (more bool, err error) {
	switch {
	case f.is(beginRules):
		if s.coming, err = readRules(f); s.coming.fingerprint == s.rules.fingerprint {
			s.rules = s.coming
		}
	case f.is(beginSeal):
		var seal Seal
		if seal, err = readSeal(f, before); err == nil && seal.Seq >= s.After {
			s.Seals = append(s.Seals, seal)
		}
	case f.is(beginRecord):
		return s.record(t, f)
	}
	return err == nil, err
}

// record takes a record.
func (s *stretcher) record(t *text, f *frame) (more bool, err error) {
	var rec Record
	if err := parseRecord(f, &rec); err != nil {
		return false, err
	}
	sent := rec.Seq > s.last
	switch {
	case rec.Seq > s.Head || sent && len(s.Frames) > 0 && s.size+len(f.text) > s.most:
		return false, nil
	case sent && rec.Seq != s.last+1:
		return false, missing(s.last+1, rec.Seq)
	case sent && len(s.Frames) == 0:
		s.Boot, s.Program, s.InForce = t.Boot, t.Program, s.rules.fingerprint
		s.addRules()
	}
	if len(rec.Rules) > 0 {
		fingerprint := hex.EncodeToString(rec.Rules)
		if s.rules = s.coming; s.rules.fingerprint != fingerprint {
			s.rules = inForce{fingerprint: fingerprint}
		}
	}
	if sent {
		s.last, s.size = rec.Seq, s.size+len(f.text)
		s.Frames = append(s.Frames, bytes.Clone(f.text))
		s.addRules()
	}
	return true, nil
}

// addRules adds the text of the rules in force, if the journal has it.
func (s *stretcher) addRules() {
	if s.rules.text != nil {
		s.Rules[s.rules.fingerprint] = s.rules.text
	}
}

// ParseRecord reads a record from its text, as a Stretch has it. Its Boot is the stretch's. The
// record's slices are parts of the text; its hash is the one that the text names.
func ParseRecord(text []byte) (Record, error) {
	var rec Record
	f, err := cutFrame(text)
	switch {
	case err != nil:
		err = damaged(cutShort(err))
	case len(f.text) != len(text) || !f.is(beginRecord):
		err = fmt.Errorf("%w: the text is not one record", ErrDamaged)
	default:
		err = damaged(parseRecord(&f, &rec))
	}
	return rec, err
}
