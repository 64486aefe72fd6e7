package transcript

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/sabot-table/sabot/table/vocab"
)

// maxLine bounds a transcript's line, in bytes.
const maxLine = 64 << 10

// Reader reads the inputs of a transcript one after the other, from JSON lines or
// from the compact form: it sees which of them it has. A Reader is used by one
// goroutine at a time.
type Reader struct {
	in   *bufio.Reader
	p    *Parser
	form form
	// setUp says that the first input may be any: there is a table already.
	setUp bool
}

// form is a form in which inputs are written.
type form interface {
	// Decode reads the next input; io.EOF ends the transcript.
	Decode(in *vocab.Input) error
	// refuse is the error of an input that was read and cannot be taken.
	refuse(in *vocab.Input, what string) error
}

// NewReader returns a reader of the transcript in r.
func NewReader(r io.Reader, p *Parser) *Reader {
	return &Reader{in: bufio.NewReaderSize(r, maxLine), p: p, setUp: true}
}

// Read reads the next input. At the end of the transcript the error is io.EOF; an
// input that is not valid is an *Error in JSON and a *CompactError in the compact
// form. As with Parse, texts and lists are shared.
func (r *Reader) Read(in *vocab.Input) error {
	if r.form == nil {
		r.form = r.recognise()
	}
	if err := r.form.Decode(in); err != nil {
		return err
	}
	if r.setUp = r.setUp || in.Kind == vocab.InSetup; !r.setUp {
		return r.form.refuse(in, "the first line must be a setup: put {\"in\":\"setup\",\"house\":…} before it, or name the house to replay by")
	}
	return nil
}

// recognise looks at the first byte. Reading it may fail: the form will say so.
func (r *Reader) recognise() form {
	if first, err := r.in.Peek(1); err == nil && first[0] == magic[0] {
		return NewDecoder(r.in, r.p)
	}
	lines := &jsonLines{p: r.p, scanner: bufio.NewScanner(r.in)}
	lines.scanner.Buffer(make([]byte, 0, 4096), maxLine)
	return lines
}

// jsonLines reads JSON lines.
type jsonLines struct {
	p       *Parser
	scanner *bufio.Scanner
	number  uint64
}

func (l *jsonLines) Decode(in *vocab.Input) error {
	for l.scanner.Scan() {
		l.number++
		line := l.scanner.Bytes()
		if len(bytes.TrimSpace(line)) > 0 {
			return l.p.parseInto(in, line, l.number)
		}
	}
	err := l.scanner.Err()
	switch {
	case err == nil:
		return io.EOF
	case errors.Is(err, bufio.ErrTooLong):
		return &Error{Line: l.number + 1, Column: maxLine, What: fmt.Sprintf("the line is longer than %d bytes", maxLine)}
	default:
		return fmt.Errorf("reading the transcript at line %d: %w", l.number+1, err)
	}
}

func (l *jsonLines) refuse(in *vocab.Input, what string) error {
	return &Error{Line: in.Line, Column: 1, What: what}
}
