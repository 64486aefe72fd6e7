package transcript

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/sabot-table/sabot/table"
)

// maxLine bounds a transcript's line, in bytes.
const maxLine = 64 << 10

// Replay puts a transcript through a fresh table and writes every output as a
// line, in the order in which they happened. The first line sets the table up,
// unless the parser's House does. It stops at the first line that is no valid
// input, with an *Error; what came before has been written.
func Replay(r io.Reader, p *Parser, w io.Writer) error {
	out := bufio.NewWriterSize(w, 64<<10)
	err := replay(r, p, out)
	return errors.Join(err, out.Flush())
}

func replay(r io.Reader, p *Parser, out *bufio.Writer) error {
	var t table.Table
	if p.House != "" {
		if err := impliedSetup(&t, p); err != nil {
			return err
		}
	}
	lines := bufio.NewScanner(r)
	lines.Buffer(make([]byte, 0, 4096), maxLine)
	var buf []byte
	var number uint64
	ready := p.House != ""
	for lines.Scan() {
		number++
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		in, err := p.Parse(lines.Bytes(), number)
		if err != nil {
			return err
		}
		if ready = ready || in.Kind == table.InSetup; !ready {
			return &Error{Line: number, Column: 1, What: "the first line must be a setup: put {\"in\":\"setup\",\"house\":…} before it, or name the house to replay by"}
		}
		buf = buf[:0]
		for _, o := range t.Step(&in) {
			buf = append(AppendOutput(buf, &o), '\n')
		}
		if _, err := out.Write(buf); err != nil {
			return fmt.Errorf("writing the outputs: %w", err)
		}
	}
	return readingFault(lines.Err(), number+1)
}

func readingFault(err error, number uint64) error {
	if errors.Is(err, bufio.ErrTooLong) {
		return &Error{Line: number, Column: maxLine, What: fmt.Sprintf("the line is longer than %d bytes", maxLine)}
	}
	if err != nil {
		return fmt.Errorf("reading the transcript at line %d: %w", number, err)
	}
	return nil
}

// impliedSetup sets the table up as the parser's house by its defaults.
func impliedSetup(t *table.Table, p *Parser) error {
	in, err := p.Parse([]byte(`{"in":"setup","house":"-"}`), 0)
	if err != nil {
		var e *Error
		if errors.As(err, &e) {
			return errors.New(e.What)
		}
		return err
	}
	t.Step(&in)
	return nil
}
