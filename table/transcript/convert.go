package transcript

import (
	"errors"
	"io"

	"github.com/sabot-table/sabot/table/vocab"
)

// Compact writes a transcript, of either form, in the compact form. No house is
// looked up: setups are passed on as they stand. It stops at the first input that is
// not valid, with an *Error or a *CompactError; what was written by then has no end
// mark, and nobody takes it for the whole.
func Compact(r io.Reader, w io.Writer) error {
	e := NewEncoder(w)
	err := eachInput(r, func(in *vocab.Input) bool { return e.Encode(in) == nil })
	if err != nil {
		return err
	}
	return e.Close()
}

// Expand writes a transcript, of either form, as JSON lines, each with the number
// that it had: where there were empty lines there are again. Otherwise it does as
// Compact does; what came before an input that is not valid has been written.
func Expand(r io.Reader, w io.Writer) error {
	out := writeBehind(w, "the lines")
	last := uint64(0)
	err := eachInput(r, func(in *vocab.Input) bool {
		for last++; last < in.Line; last++ {
			if out.buf = append(out.buf, '\n'); !out.flush() {
				return false
			}
		}
		out.buf = append(AppendInput(out.buf, in), '\n')
		return out.flush()
	})
	return errors.Join(err, out.end())
}

// eachInput does something with each input of a transcript, until it returns false.
func eachInput(r io.Reader, do func(in *vocab.Input) bool) error {
	p := NewParser(nil)
	p.AnyHouse = true
	reader := NewReader(r, p)
	var in vocab.Input
	for {
		err := reader.Read(&in)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil || !do(&in) {
			return err
		}
	}
}
