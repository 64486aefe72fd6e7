package journal

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
)

// appendCommit writes the fields of the line that closes a record. Their order is part of
// the format: the reader requires it.
func appendCommit(b []byte, r *Record) []byte {
	b = strconv.AppendUint(append(b, beginRecord...), r.Seq, 10)
	b = strconv.AppendUint(append(b, `,"event":`...), r.lastEvent(), 10)
	b = strconv.AppendInt(append(b, `,"at":`...), r.At, 10)
	b = strconv.AppendUint(append(b, `,"round":`...), r.Round, 10)
	if r.fromShoe() {
		b = strconv.AppendUint(append(b, `,"shoe":[`...), uint64(r.ShoeBoot), 10)
		b = strconv.AppendUint(append(b, ','), uint64(r.ShoeSeq), 10)
		b = append(b, ']')
	}
	if r.Setup != 0 {
		b = strconv.AppendUint(append(b, `,"setup":`...), r.Setup, 10)
	}
	if r.Checkpoint != 0 {
		b = strconv.AppendUint(append(b, `,"checkpoint":`...), r.Checkpoint, 10)
	}
	if len(r.Rules) > 0 {
		b = hex.AppendEncode(append(b, `,"rules":"`...), r.Rules)
		b = append(b, '"')
	}
	if len(r.Carry) > 0 {
		b = append(append(b, `,"carry":`...), r.Carry...)
	}
	return b
}

// commit is the journal's position according to a record's closing line.
type commit struct {
	seq, event, round uint64
}

// parseCommit reads the beginning of such a line: enough to find a record.
func parseCommit(line []byte) (c commit, err error) {
	s := scanner{line: line}
	c.seq = s.unsigned(string(beginRecord))
	c.event = s.unsigned(`,"event":`)
	s.signed(`,"at":`)
	c.round = s.unsigned(`,"round":`)
	return c, s.err
}

// parseRecord reads a record's frame. The record's slices are parts of the frame, except
// for the rules. Its boot is not in the frame.
func parseRecord(f *frame, r *Record) error {
	s := scanner{line: f.fields()}
	*r = Record{Hash: f.hash}
	r.Seq = s.unsigned(string(beginRecord))
	last := s.unsigned(`,"event":`)
	r.At = s.signed(`,"at":`)
	r.Round = s.unsigned(`,"round":`)
	if s.has(`,"shoe":[`) {
		r.ShoeBoot, r.ShoeSeq = s.short(""), s.short(",")
		s.want("]")
	}
	if s.has(`,"setup":`) {
		r.Setup = s.unsigned("")
	}
	if s.has(`,"checkpoint":`) {
		r.Checkpoint = s.unsigned("")
	}
	if s.has(`,"rules":"`) {
		r.Rules = s.hex(sha256.Size)
		s.want(`"`)
	}
	if s.has(`,"carry":`) {
		r.Carry, s.line = s.line, nil
	}
	if s.err == nil && len(s.line) > 0 {
		s.fail("a field that a record does not have")
	}
	if s.err != nil {
		return s.err
	}
	return r.lines(f, last)
}

// lines finds the input and the outputs in the record's frame.
func (r *Record) lines(f *frame, last uint64) error {
	body := f.text[:len(f.text)-len(f.close)]
	switch events := uint64(f.lines) - 1; {
	case f.lines == 0 || !bytes.HasPrefix(body, beginIn):
		return fmt.Errorf("%w: a record without an input", errFrame)
	case f.inputs > 1:
		return fmt.Errorf("%w: a record with two inputs", errFrame)
	case events > last:
		return fmt.Errorf("%w: a record with more events than the journal has", errFrame)
	default:
		r.FirstEvent = last - events + 1
	}
	n := f.first
	r.Input, r.Outputs = body[:n:n], body[n+1:len(body):len(body)]
	return nil
}

// scanner reads a line whose fields have a fixed order, and keeps the first error.
type scanner struct {
	line []byte
	err  error
}

func (s *scanner) fail(what string) {
	if s.err == nil {
		s.err = fmt.Errorf("%w: %s", errFrame, what)
	}
}

// has takes text off the beginning of the line, if it is there.
func (s *scanner) has(text string) bool {
	if s.err != nil || len(s.line) < len(text) || string(s.line[:len(text)]) != text {
		return false
	}
	s.line = s.line[len(text):]
	return true
}

func (s *scanner) want(text string) {
	if !s.has(text) {
		s.fail("no " + text + " where it belongs")
	}
}

// unsigned reads a number after the text.
func (s *scanner) unsigned(text string) (n uint64) {
	if s.want(text); s.err != nil {
		return 0
	}
	line := s.line
	i := 0
	for ; i < len(line) && i < 20; i++ {
		digit := line[i] - '0'
		if digit > 9 {
			break
		}
		n = n*10 + uint64(digit)
	}
	if i == 0 || i > 19 || i > 1 && line[0] == '0' {
		s.fail("no number after " + text)
		return 0
	}
	s.line = line[i:]
	return n
}

func (s *scanner) signed(text string) int64 {
	s.want(text)
	negative := s.has("-")
	n := int64(s.unsigned(""))
	if n < 0 {
		s.fail("too large a number after " + text)
	}
	if negative {
		return -n
	}
	return n
}

func (s *scanner) short(text string) uint32 {
	n := s.unsigned(text)
	if n > 1<<32-1 {
		s.fail("too large a number for a shoe")
	}
	return uint32(n)
}

// hex reads n bytes in hexadecimal digits.
func (s *scanner) hex(n int) []byte {
	if len(s.line) < 2*n {
		s.fail(fmt.Sprintf("fewer than %d hexadecimal digits", 2*n))
		return nil
	}
	b := make([]byte, n)
	if _, err := hex.Decode(b, s.line[:2*n]); err != nil {
		s.fail(fmt.Sprintf("not %d hexadecimal digits", 2*n))
	}
	s.line = s.line[2*n:]
	return b
}
