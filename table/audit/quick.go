package audit

import (
	"bytes"
	"time"

	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/vocab"
)

// quick knows inputs again. A night has few that differ in more than their time: cards,
// calls, the stakes of the same guests. So an input that was read once is known by its
// line without the time, as long as the line has the record's own time.
type quick struct {
	known map[string]*vocab.Input
	key   []byte
	day   day
}

// mostKnown bounds how many inputs are kept, mostKey how long their lines are.
const (
	mostKnown = 4096
	mostKey   = 200
)

// timeField is how the time stands in the lines that a table writes, behind "in".
var timeField = []byte(`,"t":"`)

// cut finds the key of a record's input: its line without the time. It is false for a
// line of another form, or with another time than the record's.
func (q *quick) cut(rec *journal.Record) bool {
	line := rec.Input
	at := bytes.IndexByte(line, ',')
	if at < 0 || !bytes.HasPrefix(line[at:], timeField) || len(line) > mostKey {
		return false
	}
	head, rest := line[:at], line[at+len(timeField):]
	end := bytes.IndexByte(rest, '"')
	if end < 0 || !q.day.is(rest[:end], rec.At) {
		return false
	}
	q.key = append(append(q.key[:0], head...), rest[end+1:]...)
	return true
}

// find gives the input of a record whose key is cut, nil where it is not known. It is
// valid until the next.
func (q *quick) find(rec *journal.Record) *vocab.Input {
	in := q.known[string(q.key)]
	if in != nil {
		in.Line, in.Time = rec.Seq, rec.At
	}
	return in
}

// learn keeps the input of a record whose key is cut. A set-up is read anew each time.
func (q *quick) learn(in vocab.Input) {
	if in.Kind == vocab.InSetup {
		return
	}
	if q.known == nil || len(q.known) == mostKnown {
		q.known = map[string]*vocab.Input{}
	}
	q.known[string(q.key)] = &in
}

// day is the day of the record before: reading a time of it is a matter of a few
// digits.
type day struct {
	begins int64 // Unix nanoseconds
	text   [len("2006-01-02T")]byte
}

// is says whether a text is a moment, as tables write it: 2026-11-21T20:15:04.123Z.
// A text of another form is not looked into, and is none.
func (d *day) is(text []byte, moment int64) bool {
	const clock = len("15:04:05")
	if since := moment - d.begins; since < 0 || since >= int64(24*time.Hour) {
		d.move(moment)
	}
	if len(text) < len(d.text)+clock+1 || !bytes.Equal(text[:len(d.text)], d.text[:]) || text[len(text)-1] != 'Z' {
		return false
	}
	text = text[len(d.text) : len(text)-1]
	seconds, ok := ofDay(text[:clock])
	part, whole := fraction(text[clock:])
	return ok && whole && d.begins+seconds*int64(time.Second)+part == moment
}

func (d *day) move(moment int64) {
	at := time.Unix(0, moment).UTC()
	midnight := time.Date(at.Year(), at.Month(), at.Day(), 0, 0, 0, 0, time.UTC)
	d.begins = midnight.UnixNano()
	copy(d.text[:], midnight.Format("2006-01-02T"))
}

// ofDay reads 15:04:05 into seconds.
func ofDay(text []byte) (seconds int64, ok bool) {
	if text[2] != ':' || text[5] != ':' {
		return 0, false
	}
	hours, a := two(text[0], text[1])
	minutes, b := two(text[3], text[4])
	rest, c := two(text[6], text[7])
	return hours*3600 + minutes*60 + rest, a && b && c && hours < 24 && minutes < 60 && rest < 60
}

func two(a, b byte) (int64, bool) {
	a, b = a-'0', b-'0'
	return int64(a)*10 + int64(b), a <= 9 && b <= 9
}

// fraction reads .123 into nanoseconds, and nothing into none.
func fraction(text []byte) (nanoseconds int64, ok bool) {
	if len(text) == 0 {
		return 0, true
	}
	if text[0] != '.' || len(text) < 2 || len(text) > 10 {
		return 0, false
	}
	for i := 1; i < 10; i++ {
		digit := byte('0')
		if i < len(text) {
			digit = text[i]
		}
		if digit < '0' || digit > '9' {
			return 0, false
		}
		nanoseconds = nanoseconds*10 + int64(digit-'0')
	}
	return nanoseconds, true
}
