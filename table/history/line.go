package history

import (
	"encoding/json"

	"github.com/sabot-table/sabot/table/transcript"
	"github.com/sabot-table/sabot/table/vocab"
)

// Line is one input or output: its text as it was recorded, and what it says. A line that
// cannot be read, and each of the two that it is not, is of no kind.
type Line struct {
	text string
	In   vocab.Input
	Out  vocab.Output
}

// Reader reads recorded lines, whichever version of the program wrote them. It is used by
// one goroutine at a time.
type Reader struct{ lines *transcript.Parser }

func (r *Reader) parser() *transcript.Parser {
	if r.lines == nil {
		r.lines = transcript.NewParser(nil)
	}
	return r.lines
}

// Input takes an input as it was recorded. What cannot be read is kept as text: the record
// is shown whatever it holds.
func (r *Reader) Input(text []byte) Line {
	in, _ := r.parser().ReadInput(text)
	return Line{text: string(text), In: in}
}

// Output takes an output as it was recorded.
func (r *Reader) Output(text []byte) Line {
	out, _ := r.parser().ReadOutput(text)
	return Line{text: string(text), Out: out}
}

// Text is the line as it was recorded.
func (l *Line) Text() string { return l.text }

// MarshalJSON writes the line as it was recorded; one that is no JSON as a text.
func (l Line) MarshalJSON() ([]byte, error) {
	if json.Valid([]byte(l.text)) {
		return []byte(l.text), nil
	}
	return json.Marshal(l.text)
}

// Amount is an amount that may not be known: nil then.
func Amount(minor int64, known bool) *int64 {
	if !known {
		return nil
	}
	return &minor
}
