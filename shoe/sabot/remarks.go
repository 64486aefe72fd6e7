package sabot

import (
	"time"

	"github.com/sabot-table/sabot/firmware-protocol/wire"
)

// What is not worth a line in the log each time that it happens.
type remarkKind uint8

const (
	damaged    remarkKind = iota // frames that could not be opened
	skipped                      // messages of unknown types, echoes
	misused                      // intact frames with wrong contents
	talkedOver                   // log lines of the shoe beyond its allowance
	attacked                     // frames that the shoe did not send in this session
	remarkKinds
)

var remarkTexts = [remarkKinds]string{
	damaged:    "damaged frames from the shoe dropped",
	skipped:    "messages from the shoe skipped",
	misused:    "wrong messages from the shoe",
	talkedOver: "log lines of the shoe dropped",
	attacked:   "more signs of tampering with the line",
}

// How much may be said in a span of time about things that the line or the shoe
// can repeat at will.
const (
	remarkEvery = 10 * time.Second
	linesEvery  = 20 // log lines of the shoe in that time
)

// remark says how often a thing happened since it was last spoken of.
type remark struct {
	kind  remarkKind
	count uint64
	last  error
}

// logLine is what the shoe wants people to read.
type logLine struct {
	level wire.Level
	text  wire.Text
}

// remarks collects what is to be logged: of each kind the first at once, and
// later ones as a sum.
type remarks struct {
	open     [remarkKinds]remark
	said     [remarkKinds]time.Time
	lines    []logLine
	lineSpan time.Time // when the allowance of lines began
	lineUsed int
}

func (r *remarks) note(kind remarkKind, err error) {
	r.open[kind].count++
	r.open[kind].last = err
}

func (r *remarks) line(now time.Time, l logLine) {
	if now.Sub(r.lineSpan) >= remarkEvery {
		r.lineSpan, r.lineUsed = now, 0
	}
	if r.lineUsed == linesEvery {
		r.note(talkedOver, nil)
		return
	}
	r.lineUsed++
	r.lines = append(r.lines, l)
}

// due takes out what may be said now.
func (r *remarks) due(now time.Time) (sums []remark, lines []logLine) {
	for kind := range r.open {
		if r.open[kind].count == 0 || now.Sub(r.said[kind]) < remarkEvery {
			continue
		}
		r.open[kind].kind = remarkKind(kind)
		sums = append(sums, r.open[kind])
		r.open[kind], r.said[kind] = remark{}, now
	}
	lines, r.lines = r.lines, nil
	return sums, lines
}
