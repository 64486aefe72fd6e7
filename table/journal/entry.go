package journal

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"iter"
	"math"
	"unicode/utf8"
)

// Entry is one input and what the engine answered to it, as it is appended.
type Entry struct {
	// At is when the host took the input, in Unix nanoseconds.
	At int64
	// Input is one transcript line, without its newline.
	Input []byte
	// Outputs are transcript lines, each ended by a newline; empty when the
	// engine had nothing to say.
	Outputs []byte
	// ShoeBoot and ShoeSeq are the position of the shoe's event; both are 0 for
	// an input that did not come from a shoe.
	ShoeBoot, ShoeSeq uint32
	// Round is the number of the round to which the input belongs, 0 before the
	// first. It is at most math.MaxInt64, as SQLite's integers are.
	Round uint64
	// Rules is the fingerprint of the rules in force behind the input: the 32 bytes
	// of a SHA-256, or empty before the table was first set up.
	Rules []byte
	// Carry is a checkpoint: what the engine carries from one round into the
	// next, in the engine's own encoding. It stands only on an entry that ends a
	// round or sets the table up, and is empty on all others.
	Carry []byte
}

// fromShoe says whether the entry has a shoe's position.
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

// Record is an Entry as it stands in the journal.
type Record struct {
	Entry
	// Seq numbers the records 1, 2, 3, … without a gap.
	Seq uint64
	// Boot is the number of the start in which the record was written: each
	// opening of the journal for writing counts one further.
	Boot uint64
	// FirstEvent is the number of the record's first output. Outputs are
	// numbered 1, 2, 3, … over the whole journal; for a record without outputs
	// it is the number that the next output gets.
	FirstEvent uint64
	// Setup, Shoe and Checkpoint point back to the last record, this one
	// included, that set the table up, came from a shoe, and holds a Carry.
	// They are 0 where there is none.
	Setup, Shoe, Checkpoint uint64
	// Hash chains the record to the one before; README.md defines it.
	Hash [32]byte
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
}

var newline = []byte{'\n'}

// validate says what keeps the entry out of the journal.
func (e *Entry) validate() error {
	switch {
	case len(e.Input) == 0:
		return errors.New("the input is empty")
	case bytes.Contains(e.Input, newline):
		return errors.New("the input holds a newline: an input is one line")
	case len(e.Outputs) > 0 && !bytes.HasSuffix(e.Outputs, newline):
		return errors.New("the last output does not end with a newline")
	case bytes.HasPrefix(e.Outputs, newline) || bytes.Contains(e.Outputs, []byte("\n\n")):
		return errors.New("an output is empty")
	case len(e.Rules) != 0 && len(e.Rules) != sha256.Size:
		return fmt.Errorf("the rules' fingerprint has %d bytes: it is a SHA-256, or empty", len(e.Rules))
	case e.Round > math.MaxInt64:
		return fmt.Errorf("round %d is too large for SQLite's integers", e.Round)
	}
	if err := validText(e.Input); err != nil {
		return fmt.Errorf("the input is no text: %w", err)
	}
	if err := validText(e.Outputs); err != nil {
		return fmt.Errorf("the outputs are no text: %w", err)
	}
	return nil
}

// validText refuses what SQLite tools could not show as text.
func validText(b []byte) error {
	if i := bytes.IndexByte(b, 0); i >= 0 {
		return fmt.Errorf("byte %d is NUL", i)
	}
	if !utf8.Valid(b) {
		return errors.New("it is not valid UTF-8")
	}
	return nil
}
