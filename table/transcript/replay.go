package transcript

import (
	"bufio"
	"errors"
	"fmt"
	"io"

	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/vocab"
)

// Replay puts a transcript, packed by zstd or not, through a fresh table and writes every
// output as a line, in the order in which they happened. The first line sets the table
// up, unless the parser's House does. It stops at the first input that is not valid, with
// an *Error; what came before has been written.
func Replay(r io.Reader, p *Parser, w io.Writer) error {
	var t table.Table
	lines, err := Unpack(r)
	if err != nil {
		return err
	}
	defer lines.Close()
	in := NewReader(lines, p)
	if in.setUp = p.House != ""; in.setUp {
		if err := impliedSetup(&t, p); err != nil {
			return err
		}
	}
	outputs := bufio.NewWriterSize(w, maxLine)
	err = play(&t, in, outputs)
	if failed := outputs.Flush(); failed != nil {
		return fmt.Errorf("writing the outputs: %w", failed)
	}
	return err
}

// play puts inputs through a table until there are no more, or one is not valid, or
// outputs cannot be written.
func play(t *table.Table, inputs *Reader, outputs *bufio.Writer) error {
	var in vocab.Input
	var line []byte
	for {
		if err := inputs.Read(&in); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		outs := t.Step(&in)
		for i := range outs {
			line = append(AppendOutput(line[:0], &outs[i]), '\n')
			if _, err := outputs.Write(line); err != nil {
				return nil // Flush says why
			}
		}
	}
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
