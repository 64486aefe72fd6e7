package sabot

import (
	"time"

	"github.com/sabot-table/sabot/firmware-protocol/wire"
	"github.com/sabot-table/sabot/shoe"
)

// What is not worth a line in the log each time it happens.
const (
	damaged      = "damaged frames from the shoe dropped"
	strangeBytes = "bytes came that make no frame"
	lostBytes    = "the port lost bytes from the shoe, or received them damaged"
	skipped      = "messages from the shoe skipped"        // of unknown types, echoes
	misused      = "wrong messages from the shoe"          // intact frames with wrong contents
	talkedOver   = "log lines of the shoe dropped"         // beyond its allowance
	attacked     = "more signs of tampering with the line" // frames that the shoe did not send in this session
)

// linesEvery is how many log lines of the shoe are allowed per shoe.RemarksEvery.
const linesEvery = 20

// logLine is what the shoe wants the operator to read.
type logLine struct {
	level wire.Level
	text  wire.Text
}

// remarks collects what is to be logged.
type remarks struct {
	book     shoe.Remarks
	lines    []logLine
	lineSpan time.Time // when the allowance of lines began
	lineUsed int
}

func (r *remarks) note(text string, err error) { r.book.Note(text, err) }

func (r *remarks) line(now time.Time, l logLine) {
	if now.Sub(r.lineSpan) >= shoe.RemarksEvery {
		r.lineSpan, r.lineUsed = now, 0
	}
	if r.lineUsed == linesEvery {
		r.note(talkedOver, nil)
		return
	}
	r.lineUsed++
	r.lines = append(r.lines, l)
}

// due removes and returns what may be logged now.
func (r *remarks) due(now time.Time) (sums []shoe.RemarkSum, lines []logLine) {
	lines, r.lines = r.lines, nil
	return r.book.Due(now), lines
}
