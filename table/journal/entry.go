package journal

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"math"
	"unicode/utf8"
)

// Entry is one input and the engine's answer, as it is appended.
type Entry struct {
	// At is when the host took the input, in Unix nanoseconds.
	At int64
	// Input is one transcript line, without its newline.
	Input []byte
	// Outputs are transcript lines, each ending with a newline; empty if the engine did
	// not answer.
	Outputs []byte
	// ShoeBoot and ShoeSeq are the position of the shoe's event; both are 0 for an input
	// that did not come from a shoe.
	ShoeBoot, ShoeSeq uint32
	// Round is the number of the round to which the input belongs, 0 before the
	// first. It is at most math.MaxInt64.
	Round uint64
	// Rules is the fingerprint of the rules in force after the input: the 32 bytes of a
	// SHA-256, or empty before the table was first set up. A Record that was read has it
	// only where other rules came into force.
	Rules []byte
	// RulesText is the full text of the rules, whose SHA-256 is Rules: JSON in one line.
	// It is needed where other rules come into force, and may be nil elsewhere.
	RulesText []byte
	// Carry is a checkpoint: what the engine carries from one round into the next, in the
	// engine's own encoding, a JSON object in one line. Only an entry that ends a round or
	// sets the table up has it; it is empty on all others.
	Carry []byte
	// AcceptedBy is who accepts by this input what Found has told, "" where it does not accept anything. That goes on
	// record as lines of their own, and a Record has none.
	AcceptedBy string
}

// fromShoe reports whether the entry has a shoe's position.
func (e *Entry) fromShoe() bool { return e.ShoeBoot != 0 || e.ShoeSeq != 0 }

// events counts the entry's outputs.
func (e *Entry) events() uint64 { return uint64(bytes.Count(e.Outputs, newline)) }

// Lines yields the entry's outputs one by one, without their newlines.
func (e *Entry) Lines() iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for line := range bytes.Lines(e.Outputs) {
			if !yield(bytes.TrimSuffix(line, newline)) {
				return
			}
		}
	}
}

// Record is an Entry as it is in the journal.
type Record struct {
	Entry
	// Seq numbers the records 1, 2, 3, … without a gap.
	Seq uint64
	// Boot is the number of the start in which the record was written: each opening of the
	// journal for writing counts one more.
	Boot uint64
	// FirstEvent is the number of the record's first output. Outputs are numbered 1, 2, 3,
	// … over the whole journal; for a record without outputs it is the number that the
	// next output gets.
	FirstEvent uint64
	// Setup and Checkpoint point back to the last record, this one included, that set the
	// table up, and that holds a Carry. They are 0 if there is none.
	Setup, Checkpoint uint64
	// Hash chains the record to the one before; README.md defines it.
	Hash [32]byte
	// Unfit says that the record, or what comes right before it, does not fit its hash: it is not
	// what was written. Only a Lenient reader has such records.
	Unfit bool
}

// Event is a single output of a record.
type Event struct {
	// Number is the event's place among all outputs of the journal, from 1.
	Number uint64
	// RecordSeq is the record whose output the event is.
	RecordSeq uint64
	// Boot, At and Round are the record's.
	Boot  uint64
	At    int64
	Round uint64
	// Line is the output's transcript line, without its newline.
	Line []byte
	// Above says that numbers were left out before it, because a lost journal had used
	// them.
	Above bool
}

var newline = []byte{'\n'}

// lastEvent is the number of the record's last output, or of the last output before it.
func (r *Record) lastEvent() uint64 { return r.FirstEvent - 1 + r.events() }

// clone is the record with slices of its own.
func (r *Record) clone() Record {
	c := *r
	c.Input, c.Outputs, c.Carry = bytes.Clone(r.Input), bytes.Clone(r.Outputs), bytes.Clone(r.Carry)
	return c
}

const (
	// mostLines limits the size of an entry, in bytes.
	mostLines = 1 << 20
	// mostBatch limits the size of one write, in bytes. A header that repeats it, with each
	// byte escaped, and the last set-up stays below mostFrame.
	mostBatch = 2 << 20
)

// validate returns what keeps the entry out of the journal.
func (e *Entry) validate() error {
	switch {
	case !bytes.HasPrefix(e.Input, beginIn) || bytes.Contains(e.Input, newline) || !json.Valid(e.Input):
		return fmt.Errorf("the input is not one line with a JSON object that begins with %s", beginIn)
	case len(e.Carry) > 0 && (e.Carry[0] != '{' || bytes.Contains(e.Carry, newline) || !json.Valid(e.Carry)):
		return errors.New("the carry is not one line with a JSON object")
	case len(e.Rules) != 0 && len(e.Rules) != sha256.Size:
		return fmt.Errorf("the rules' fingerprint has %d bytes: it is a SHA-256, or empty", len(e.Rules))
	case e.RulesText != nil && !e.hasText():
		return errors.New("the rules' text is not one line of JSON with their fingerprint")
	case e.Round > math.MaxInt64 || e.At == math.MinInt64:
		return errors.New("its round or its time is out of range")
	case !utf8.Valid(e.Input) || !utf8.Valid(e.Outputs) || !utf8.Valid(e.Carry):
		return errors.New("it is not valid UTF-8")
	case len(e.Input)+len(e.Outputs)+len(e.Carry)+len(e.RulesText) > mostLines:
		return fmt.Errorf("it has more than %d bytes", mostLines)
	}
	for line := range bytes.Lines(e.Outputs) {
		if !bytes.HasPrefix(line, beginOut) || !bytes.HasSuffix(line, newline) || !json.Valid(line) {
			return fmt.Errorf("an output is not one line with a JSON object that begins with %s", beginOut)
		}
	}
	return nil
}

// hasText reports whether the fingerprint is that of the rules' text.
func (e *Entry) hasText() bool {
	sum := sha256.Sum256(e.RulesText)
	return bytes.Equal(sum[:], e.Rules) && !bytes.Contains(e.RulesText, newline) && json.Valid(e.RulesText) &&
		utf8.Valid(e.RulesText) && len(bytes.TrimSpace(e.RulesText)) == len(e.RulesText) // as it is read back
}
