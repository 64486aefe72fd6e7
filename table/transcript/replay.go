package transcript

import (
	"errors"
	"io"

	"github.com/sabot-table/sabot/table"
)

// Replay puts a transcript, packed by zstd or not, through a fresh table and writes every
// output as a line, in the order in which they happened. The first line sets the table
// up, unless the parser's House does. It stops at the first input that is not valid, with
// an *Error; what came before has been written.
//
// Reading runs ahead of the table and writing behind it, each on a goroutine of its
// own; both have ended when Replay returns.
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
	inputs, outputs := readAhead(in), writeBehind(w, "the outputs")
	err = play(&t, inputs, outputs)
	inputs.end()
	return errors.Join(err, outputs.end())
}

// play puts inputs through a table until there are no more, or one is not valid, or
// outputs cannot be written.
func play(t *table.Table, inputs *ahead, outputs *behind) error {
	for {
		some, err := inputs.next()
		for i := range some {
			outs := t.Step(&some[i])
			for j := range outs {
				outputs.buf = append(AppendOutput(outputs.buf, &outs[j]), '\n')
			}
			if !outputs.flush() {
				return nil // end says why
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
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
