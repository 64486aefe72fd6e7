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

// Reader reads the inputs of a transcript one after the other, from JSON lines. A Reader
// is used by one goroutine at a time.
type Reader struct {
	p       *Parser
	scanner *bufio.Scanner
	number  uint64
	// setUp says that the first input may be any: there is a table already.
	setUp bool
}

// NewReader returns a reader of the transcript in r. The parser remembers lines from then
// on.
func NewReader(r io.Reader, p *Parser) *Reader {
	p.Remember()
	lines := bufio.NewScanner(r)
	lines.Buffer(make([]byte, 0, maxLine), maxLine)
	return &Reader{p: p, scanner: lines, setUp: true}
}

// Read reads the next input. At the end of the transcript the error is io.EOF; an
// input that is not valid is an *Error. As with Parse, texts and lists are shared.
func (r *Reader) Read(in *vocab.Input) error {
	for r.scanner.Scan() {
		r.number++
		line := r.scanner.Bytes()
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		if err := r.p.parseInto(in, line, r.number); err != nil {
			return err
		}
		if r.setUp = r.setUp || in.Kind == vocab.InSetup; !r.setUp {
			return &Error{
				Line: r.number, Column: 1,
				What: "the first line must be a setup: put {\"in\":\"setup\",\"house\":…} before it, or name the " +
					"house to replay by",
			}
		}
		return nil
	}
	err := r.scanner.Err()
	switch {
	case err == nil:
		return io.EOF
	case errors.Is(err, bufio.ErrTooLong):
		return &Error{
			Line: r.number + 1, Column: maxLine,
			What: fmt.Sprintf("the line is longer than %d bytes", maxLine),
		}
	default:
		return fmt.Errorf("reading the transcript at line %d: %w", r.number+1, err)
	}
}
