// Package beetek understands the Bee-Tek shoe of USPC, which writes plain text on
// RS-232 at 9600 baud:
//
//	[Manual Burn Cards]<Card:4S>
//	[Game]<Game>
//	[GameAlarm]<Alarm:E3 Card Not Read>
//
// A mode is in square brackets; a word in angle brackets says what happened in that mode. There is no checksum, no
// number and no acknowledgement. The maker has published nothing that we know of: all of this is reconstructed from
// public programs that read such shoes, among them the Bee-Tek Card Shoe Monitor, whose installation guide describes
// how to put the shoe into the mode Manual Burn Cards; docs/shoes.md lists what was never checked on the hardware.
//
// Only the list of makes imports a driver: all others know a shoe by its cards.
package beetek

import (
	"errors"
	"fmt"
	"time"

	"github.com/sabot-table/sabot/shoe"
)

// place is where in the text the decoder is.
type place uint8

const (
	outside place = iota // of brackets and angles
	inMode               // after [
	inWord               // after <
)

// Decoder turns the shoe's text into events. It keeps no more than a mode and a word, and what comes before a message
// cannot spoil that message. It implements shoe.Decoder.
//
// Nothing on this wire shows that a message is missing, so damage is all there is to go by: text that is neither a
// message nor clearly something else may be what is left of a card, and becomes a gap.
type Decoder struct {
	place    place
	mode     text // the mode in force, or the one being received
	word     text // the text being received in angle brackets
	loose    text // text outside both
	strange  text // the last unknown mode
	awaiting bool // a mode has arrived, but not its word
	damaged  bool // something could not be read, and has not been reported yet
	pair     pair

	shoe.Heard
}

var _ shoe.Decoder = (*Decoder)(nil)

// What is noted in the log.
const (
	unknownText = "unknown text from the shoe"
	damagedText = "damaged text from the shoe"
)

// errDamaged is the reason for a gap after text that could not be read.
var errDamaged = errors.New("text came that could not be read, and may have been a card")

// Reset discards partly received text.
func (d *Decoder) Reset() {
	*d = Decoder{Heard: d.Heard}
}

// Feed takes the next bytes of the text.
func (d *Decoder) Feed(_ time.Duration, p []byte, emit func(shoe.Event)) {
	for _, b := range p {
		d.takeByte(b, emit)
	}
}

// Quiet discards what was left incomplete, and reports damage that no message has followed.
func (d *Decoder) Quiet(emit func(shoe.Event)) {
	d.breakOff()
	d.place, d.pair = outside, alone
	d.reportDamage(emit)
}

// Lost notes damage: a message may be missing without a trace, or a card may be another one.
func (d *Decoder) Lost() { d.spoil(0) }

// takeByte processes one character. An opening bracket of either kind always starts afresh.
func (d *Decoder) takeByte(b byte, emit func(shoe.Event)) {
	switch {
	case b == '[':
		d.breakOff()
		d.place = inMode
		d.mode.clear()
	case b == '<':
		if d.place != outside {
			d.breakOff()
		}
		d.endLoose()
		d.place = inWord
		d.word.clear()
	case b == ']' && d.place == inMode:
		d.place, d.awaiting = outside, true
		d.checkMode()
	case b == '>' && d.place == inWord:
		d.place, d.awaiting = outside, false
		d.checkWord(emit)
	default:
		d.add(b)
	}
}

// blank says whether a character may stand between messages and means nothing: a space, or the end of a line. All other
// control characters are damage.
func blank(b byte) bool { return b == ' ' || b == '\r' || b == '\n' }

// add takes a character that neither opens nor closes what is open.
func (d *Decoder) add(b byte) {
	switch {
	case b == ']' || b == '>':
		d.spoil(1)
	case d.place == inMode:
		d.mode.add(b)
	case d.place == inWord:
		d.word.add(b)
	case blank(b):
		d.endLoose()
	default:
		if d.loose.n == textLimit {
			d.endLoose()
		}
		d.loose.add(b)
		if d.awaiting {
			d.awaiting = false
			d.spoil(0)
		}
	}
}

// breakOff gives up what was begun but not finished, because something else begins.
func (d *Decoder) breakOff() {
	d.endLoose()
	switch {
	case d.place == inMode:
		d.spoil(1 + d.mode.n)
	case d.place == inWord:
		d.spoil(1 + d.word.n)
	case d.awaiting:
		d.spoil(0)
	}
	d.awaiting = false
}

// endLoose ends a piece of text outside both kinds of bracket. Clean text is something undocumented that the shoe says;
// it is not the remains of a message, which would contain a bracket or speak of a card.
func (d *Decoder) endLoose() {
	if d.loose.n == 0 {
		return
	}
	d.Count.Dropped += uint64(d.loose.n)
	if d.loose.bad || contains(d.loose.bytes(), cardWord) {
		d.spoil(0)
	} else {
		d.Count.Unknown++
		d.Log.Note(unknownText, fmt.Errorf("%q", d.loose.bytes()))
	}
	d.loose.clear()
}

// spoil notes damage, and how many characters are lost to it.
func (d *Decoder) spoil(characters int) {
	d.damaged = true
	d.Count.Damaged++
	d.Count.Dropped += uint64(characters)
	d.Log.Note(damagedText, nil)
}

func (d *Decoder) reportDamage(emit func(shoe.Event)) {
	if !d.damaged {
		return
	}
	d.damaged, d.pair = false, alone
	emit(shoe.Event{Kind: shoe.Gap, Unsure: true, Err: errDamaged})
}
