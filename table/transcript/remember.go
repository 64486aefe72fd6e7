package transcript

import (
	"bytes"
	"hash/maphash"
	"time"

	"github.com/sabot-table/sabot/table/vocab"
)

// memory knows lines again. A night has few that differ in more than their time: cards,
// calls, the stakes of the same guests. So an input that was read once is known by its
// line without the time. An audit parses every input that a table ever had, and takes a
// twentieth to a tenth more of processor time without this.
type memory struct {
	seed  maphash.Seed
	lines [1 << memoryBits]remembered
	day   day
}

// remembered is an input with its line: what stands before the time and after it.
type remembered struct {
	head, rest []byte
	in         vocab.Input
}

const (
	memoryBits = 11
	// mostRemembered bounds how long lines are that are remembered.
	mostRemembered = 320
)

// timeField is how the time stands in the lines that a table writes: as the second field.
var timeField = []byte(`,"t":"`)

// Remember makes the parser know lines again, but for their time. It is for those who read
// the lines of many rounds, an audit or a replay, and costs half a megabyte.
func (p *Parser) Remember() {
	if p.memory == nil {
		p.memory = &memory{seed: maphash.MakeSeed()}
	}
}

// cut takes the time out of a line: it is between head and rest. A line that has it
// elsewhere, or has none, is all rest. It is false for a line that is not to be remembered.
func (m *memory) cut(line []byte) (head, rest []byte, moment int64, ok bool) {
	if len(line) > mostRemembered {
		return nil, nil, 0, false
	}
	at := bytes.IndexByte(line, ',')
	if at < 0 || !bytes.HasPrefix(line[at:], timeField) {
		return nil, line, 0, true
	}
	text := line[at+len(timeField):]
	end := bytes.IndexByte(text, '"')
	if end < 0 {
		return nil, nil, 0, false
	}
	moment, ok = m.day.read(text[:end])
	return line[:at], text[end:], moment, ok
}

// place is where an input would be remembered.
func (m *memory) place(head, rest []byte) *remembered {
	sum := maphash.Bytes(m.seed, rest)
	if len(head) > 0 {
		sum += 31 * maphash.Bytes(m.seed, head)
	}
	return &m.lines[sum>>(64-memoryBits)]
}

// parse reads a line that may be known.
func (m *memory) parse(p *Parser, in *vocab.Input, line []byte, number uint64) error {
	head, rest, moment, ok := m.cut(line)
	if !ok {
		return p.read(in, line, number)
	}
	r := m.place(head, rest)
	if bytes.Equal(r.rest, rest) && bytes.Equal(r.head, head) {
		*in = r.in
		if in.Line = number; head != nil {
			in.Time = moment
		}
		return nil
	}
	err := p.read(in, line, number)
	if err == nil && in.Kind != vocab.InSetup { // which depends on the houses that there are
		r.head, r.rest, r.in = append(r.head[:0], head...), append(r.rest[:0], rest...), *in
	}
	return err
}

// day reads moments of one day, and of the next.
type day struct {
	begins int64 // Unix nanoseconds
	text   [len("2006-01-02T")]byte
}

// read reads a moment as tables write it: 2026-11-21T20:15:04.123Z. A text of another form
// is not looked into.
func (d *day) read(text []byte) (moment int64, ok bool) {
	const clock = len("15:04:05")
	if len(text) < len(d.text)+clock+1 || text[len(text)-1] != 'Z' {
		return 0, false
	}
	if !bytes.Equal(text[:len(d.text)], d.text[:]) && !d.begin(text[:len(d.text)]) {
		return 0, false
	}
	text = text[len(d.text) : len(text)-1]
	seconds, ok := ofDay(text[:clock])
	part, whole := fraction(text[clock:])
	return d.begins + seconds*int64(time.Second) + part, ok && whole
}

// begin takes another day, if it is one that inputs may have.
func (d *day) begin(text []byte) bool {
	at, err := time.Parse("2006-01-02T", string(text))
	if err != nil || at.Year() < 1970 || at.Year() > 2200 {
		return false
	}
	d.begins = at.UnixNano()
	copy(d.text[:], text)
	return true
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
