package transcript

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"unicode/utf8"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/money"
	"github.com/sabot-table/sabot/table/vocab"
)

// Encoder writes inputs in the compact form. An Encoder is used by one goroutine at
// a time.
type Encoder struct {
	w io.Writer
	// block is the frame and the records of the block that is being written.
	block []byte
	words map[string]uint64 // their numbers in the block, from 1
	first uint64            // lines before the block
	line  uint64            // that was written last
	next  uint64            // that is being written
	time  int64             // of the last input in the block that has one
	err   error
}

// NewEncoder returns an encoder that writes to w. Nothing is complete before Close.
func NewEncoder(w io.Writer) *Encoder {
	e := &Encoder{w: w, words: map[string]uint64{}}
	e.block = append(append(e.block, magic...), version)
	e.err = e.flush()
	e.begin()
	return e
}

// Encode writes an input. Its Line must be higher than that of the one before, and
// what lies between counts as empty lines. An input that no line of a transcript
// could say is an error, and so is everything after an error.
func (e *Encoder) Encode(in *vocab.Input) error {
	if e.err != nil {
		return e.err
	}
	e.next = in.Line
	l := layoutByKind[in.Kind]
	switch {
	case l == nil:
		e.fail("there is no input of kind %d", in.Kind)
	case in.Line <= e.line || in.Line-e.line > math.MaxUint32:
		e.fail("it comes after line %d", e.line)
	case in.Kind == vocab.InSetup && in.Setup == nil:
		e.fail("the setup says nothing")
	default:
		e.record(l, in)
	}
	e.endFullBlock()
	return e.err
}

// Close writes what is left, and the end mark. It does not close the writer.
func (e *Encoder) Close() error {
	if e.err == nil && len(e.block) > frameSize {
		e.endBlock()
	}
	if e.err == nil {
		e.endBlock() // an empty one is the end
	}
	return e.err
}

func (e *Encoder) begin() {
	e.block = append(e.block[:0], make([]byte, frameSize)...)
	clear(e.words)
	e.first, e.time = e.line, 0
}

func (e *Encoder) endFullBlock() {
	if e.err == nil && len(e.block) >= frameSize+fullBlock {
		e.endBlock()
	}
}

func (e *Encoder) endBlock() {
	binary.LittleEndian.PutUint32(e.block, uint32(len(e.block)-frameSize))
	binary.LittleEndian.PutUint64(e.block[4:], e.first)
	binary.LittleEndian.PutUint32(e.block[12:], checksum(e.block))
	e.err = e.flush()
	e.begin()
}

// checksum is that of a block, frame included but for itself.
func checksum(block []byte) uint32 {
	return crc32.Update(crc32.Checksum(block[:12], castagnoli), castagnoli, block[frameSize:])
}

func (e *Encoder) flush() error {
	if _, err := e.w.Write(e.block); err != nil {
		return fmt.Errorf("writing the compact form: %w", err)
	}
	return nil
}

func (e *Encoder) record(l *layout, in *vocab.Input) {
	e.emptyLines(in.Line)
	e.line = in.Line
	want := shapeOf(in)
	var optional uint64
	for i := range l.optional {
		if f := l.optional[i].field; want.required.has(f) || want.optional.has(f) && l.optional[i].given(in) {
			optional |= 1 << i
		}
	}
	e.head(l.number, in.Time, optional)
	for i := range l.required {
		l.required[i].write(e, in)
	}
	for i := range l.optional {
		if optional>>i&1 == 1 {
			l.optional[i].write(e, in)
		}
	}
	if tooLong(in) {
		e.fail("its line would be longer than %d bytes", maxLine)
	}
}

// emptyLines writes how many lines there are between the last input and the next.
func (e *Encoder) emptyLines(next uint64) {
	for e.line+1 < next {
		n := min(next-e.line-1, maxEmptyLines)
		e.block = append(e.block, emptyLines)
		e.uvarint(n)
		e.line += n
		e.endFullBlock()
	}
}

// head writes how a record begins: its kind, its time, which optional fields it has.
func (e *Encoder) head(number uint8, time int64, optional uint64) {
	if time != 0 {
		number |= withTime
	}
	if optional != 0 {
		number |= withOptional
	}
	e.block = append(e.block, number)
	if time != 0 {
		if time < 0 || time > maxTime {
			e.fail("its time is before 1970 or after 2200")
		}
		e.block = binary.AppendVarint(e.block, time-e.time)
		e.time = time
	}
	if optional != 0 {
		e.uvarint(optional)
	}
}

// fail refuses the input; the first reason is kept.
func (e *Encoder) fail(format string, args ...any) {
	if e.err == nil {
		e.err = fmt.Errorf("line %d cannot be written in the compact form: %s", e.next, fmt.Sprintf(format, args...))
	}
}

func (e *Encoder) uvarint(n uint64) { e.block = binary.AppendUvarint(e.block, n) }

func (e *Encoder) count(f field, n, most int) {
	if n < 0 || n > most {
		e.fail("%s cannot be %d", f, n)
	}
	e.uvarint(uint64(n))
}

func (e *Encoder) amount(n int64) {
	if n > money.Max || n < -money.Max {
		e.fail("%d is too large: at most %d", n, money.Max)
	}
	e.block = binary.AppendVarint(e.block, n)
}

func (e *Encoder) limit(f field, n int64) {
	if n < 1 {
		e.fail("%s cannot be %d", f, n)
	}
	e.amount(n)
}

func (e *Encoder) truth(v bool) {
	b := byte(0)
	if v {
		b = 1
	}
	e.block = append(e.block, b)
}

func (e *Encoder) card(c card.Card) {
	if c.String() == "" {
		e.fail("there is no card %d", c)
	}
	e.block = append(e.block, byte(c))
}

// word writes a text: its number, if it stood in the block before, else 0, its
// length and itself, and it gets the next number.
func (e *Encoder) word(s string) {
	if n, ok := e.words[s]; ok {
		e.uvarint(n)
		return
	}
	e.words[s] = uint64(len(e.words) + 1)
	e.block = append(e.block, 0)
	e.uvarint(uint64(len(s)))
	e.block = append(e.block, s...)
}

func (e *Encoder) text(f field, s string) {
	if !fits(s) {
		e.fail("the text of %s is longer than %d bytes, or no UTF-8", f, maxText)
	}
	e.word(s)
}

// person writes who somebody is.
func (e *Encoder) person(f field, s string) {
	if s == "" {
		e.fail("%s is empty", f)
	}
	e.text(f, s)
}

func (e *Encoder) list(names []string) {
	e.uvarint(uint64(len(names)))
	for _, name := range names {
		e.text(fBettors, name)
	}
}

// fits says whether a text can stand in a line.
func fits(s string) bool {
	if plain(s) {
		return len(s)+len(`""`) <= maxText
	}
	var quoted [7 * maxText]byte // a byte has at most six, such as \u0001
	return len(s) <= maxText && utf8.ValidString(s) && len(appendQuoted(quoted[:0], s)) <= maxText
}

// tooLong says whether the input's line is longer than a line may be. Only a list of
// very many names makes it so.
func tooLong(in *vocab.Input) bool {
	return len(in.Bettors) >= maxLine/2/maxText && len(AppendInput(nil, in)) >= maxLine
}
