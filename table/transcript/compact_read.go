package transcript

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"math/bits"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/money"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

// newer is why something may not be known.
const newer = "a newer version of Sabot may have written it: read it with that"

// Decoder reads inputs from the compact form. A Decoder is used by one goroutine at
// a time.
type Decoder struct {
	p *Parser
	r *bufio.Reader
	// block is the frame and the records of the block that is being read, at what is
	// read next of it, and start where in the file the block begins.
	block []byte
	at    int
	begin int // of the record that is being read
	start int64
	words []word
	names []string // of the list being read
	line  uint64   // of the last input
	time  int64    // of the last input in the block that has one
	fault *CompactError
	err   error
}

// word is one text of a block.
type word struct {
	raw  []byte
	text string
	// as are the names among which the word was looked up last, and value what it was.
	as    any
	value uint8
}

// NewDecoder returns a decoder of what r holds. The parser says which houses setups
// may name, and keeps the texts.
func NewDecoder(r io.Reader, p *Parser) *Decoder {
	return &Decoder{p: p, r: bufio.NewReaderSize(r, 64<<10)}
}

// Decode reads the next input. At the end of the transcript the error is io.EOF; an
// end without the end mark, and everything else that is not as it should be, is a
// *CompactError. As with Parse, texts and lists are shared.
func (d *Decoder) Decode(in *vocab.Input) error {
	for d.err == nil {
		if d.at == len(d.block) {
			d.err = d.nextBlock()
			continue
		}
		if whole := d.record(in); d.fault != nil {
			d.err = d.fault
		} else if whole {
			return nil
		}
	}
	return d.err
}

// record reads one record, and says whether it is an input.
func (d *Decoder) record(in *vocab.Input) bool {
	d.begin = d.at
	d.line++
	head := d.byte()
	if head == emptyLines {
		d.line += d.uvarint(maxEmptyLines) - 1
		return false
	}
	l := layoutByNumber[head&kindBits]
	if l == nil {
		d.at--
		d.fail("there is no input of kind %d; %s", head&kindBits, newer)
		return false
	}
	*in = vocab.Input{Kind: l.kind, Line: d.line}
	if head&withTime != 0 {
		in.Time = d.moment()
	}
	var optional uint64
	if head&withOptional != 0 {
		optional = d.optional(l)
	}
	d.fill(l, optional, in)
	return true
}

// fill reads the fields of an input.
func (d *Decoder) fill(l *layout, optional uint64, in *vocab.Input) {
	if in.Kind == vocab.InSetup {
		in.Setup = &rules.Setup{}
	}
	for i := range l.required {
		l.required[i].read(d, in)
	}
	given := needs[in.Kind]
	for rest := optional; rest != 0; rest &= rest - 1 {
		p := &l.optional[bits.TrailingZeros64(rest)]
		p.read(d, in)
		given |= 1 << p.field
	}
	if d.fault != nil {
		return
	}
	if what := d.judge(given, in); what != "" {
		d.at = d.begin
		d.fail("%s", what)
	}
}

// judge says what is wrong with an input whose fields could be read.
func (d *Decoder) judge(given fields, in *vocab.Input) string {
	want := shapeOf(in)
	if odd := (given &^ want.all()) | (want.required &^ given); odd != 0 {
		if f := odd.first(); given.has(f) {
			return fmt.Sprintf("%s inputs have no field %q; they have %s", in.Kind, f, want.all())
		}
		return fmt.Sprintf("%s inputs need the field %q", in.Kind, odd.first())
	}
	if tooLong(in) {
		return fmt.Sprintf("its line would be longer than %d bytes", maxLine)
	}
	if in.Kind == vocab.InSetup {
		if err := d.p.rule(in); err != nil {
			return err.Error()
		}
	}
	return ""
}

// fail refuses what is read next; the first reason is kept.
func (d *Decoder) fail(format string, args ...any) {
	if d.fault == nil {
		d.fault = &CompactError{Line: d.line, Byte: d.start + int64(d.at), What: fmt.Sprintf(format, args...)}
	}
	d.at = len(d.block)
}

func (d *Decoder) byte() byte {
	if d.at >= len(d.block) {
		d.fail("the input goes on after the end of its block")
		return 0
	}
	d.at++
	return d.block[d.at-1]
}

// uvarint reads a number from 0 of at most so much.
func (d *Decoder) uvarint(most uint64) uint64 {
	if at := d.at; at < len(d.block) && d.block[at] < 0x80 && uint64(d.block[at]) <= most {
		d.at = at + 1
		return uint64(d.block[at])
	}
	return d.longUvarint(most)
}

func (d *Decoder) longUvarint(most uint64) uint64 {
	n, size := binary.Uvarint(d.block[d.at:])
	if size <= 0 || n > most {
		d.fail("there is no number from 0 to %d", most)
		return 0
	}
	d.at += size
	return n
}

// varint reads a number with a sign.
func (d *Decoder) varint(least, most int64) int64 {
	n, size := binary.Varint(d.block[d.at:])
	if size <= 0 || n < least || n > most {
		d.fail("there is no number from %d to %d", least, most)
		return 0
	}
	d.at += size
	return n
}

func (d *Decoder) moment() int64 {
	d.time += d.varint(-d.time, maxTime-d.time)
	return d.time
}

func (d *Decoder) optional(l *layout) uint64 {
	begin := d.at
	set := d.uvarint(math.MaxUint64)
	if set>>len(l.optional) != 0 {
		d.at = begin
		d.fail("the input has fields that are not known; %s", newer)
		return 0
	}
	return set
}

func (d *Decoder) count(most int) int { return int(d.uvarint(uint64(most))) }
func (d *Decoder) amount() int64      { return d.varint(-money.Max, money.Max) }
func (d *Decoder) limit() int64       { return d.varint(1, money.Max) }
func (d *Decoder) truth() bool        { return d.uvarint(1) == 1 }
func (d *Decoder) text() string       { return d.word().text }

func (d *Decoder) card() card.Card {
	c := card.Card(d.byte())
	if c.String() == "" && d.fault == nil {
		d.at--
		d.fail("%#x is no card", byte(c))
	}
	return c
}

// word reads a text, or the number of one that stood in the block before.
func (d *Decoder) word() *word {
	if n := d.uvarint(uint64(len(d.words))); n > 0 {
		return &d.words[n-1]
	}
	size := int(d.uvarint(maxText))
	if d.fault != nil || size > len(d.block)-d.at {
		d.fail("a text goes on after the end of its block")
		return &word{}
	}
	raw := d.block[d.at : d.at+size]
	text := d.p.texts.keep(raw)
	if !fits(text) {
		d.fail("a text is no UTF-8, or longer than %d bytes", maxText)
		return &word{}
	}
	d.at += size
	d.words = append(d.words, word{raw: raw, text: text})
	return &d.words[len(d.words)-1]
}

func (d *Decoder) person(f field) string {
	s := d.text()
	if s == "" {
		d.fail("%s is empty", f)
	}
	return s
}

func (d *Decoder) list() []string {
	d.names = d.names[:0]
	for n := d.uvarint(maxLine); n > 0 && d.fault == nil; n-- {
		d.names = append(d.names, d.text())
	}
	return d.p.texts.keepList(d.names)
}
