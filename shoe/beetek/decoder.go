// Package beetek understands the Bee-Tek shoe of USPC, which writes plain text on
// RS-232 at 9600 baud:
//
//	[Manual Burn Cards]<Card:4S>
//	[Game]<Game>
//	[GameAlarm]<Alarm:E3 Card Not Read>
//
// A mode stands in brackets; a word in angles says what happened in it. There is no
// checksum, no number and no acknowledgement. The maker has published nothing that we
// know of: all of this is reconstructed from public programs that read such shoes, among
// them the Bee-Tek Card Shoe Monitor, whose installation guide tells how the shoe is put
// into the mode Manual Burn Cards; docs/shoes.md tells what was never checked on the
// hardware.
package beetek

import (
	"errors"
	"fmt"
	"time"

	"github.com/sabot-table/sabot/shoe"
	"github.com/sabot-table/sabot/shoe/oneway"
)

// place is where in the text the decoder is.
type place uint8

const (
	outside place = iota // of brackets and angles
	inMode               // after [
	inWord               // after <
)

// Decoder makes events of the shoe's text. It keeps no more than a mode and a word,
// and whatever comes before a message can spoil only itself. It implements
// oneway.Decoder.
//
// Nothing on this wire shows that a message is missing, so damage is all there is to
// go by: text that is neither a message nor plainly something else may be what is
// left of a card, and becomes a gap.
type Decoder struct {
	place    place
	mode     text // the mode in force, or the one that is coming
	word     text // what is coming in angles
	loose    text // what stands outside of both
	strange  text // the last mode that is not known
	awaiting bool // a mode has come, and its word has not
	damaged  bool // something could not be read, and was not told yet
	pair     pair

	oneway.Heard
}

var _ oneway.Decoder = (*Decoder)(nil)

// What is remarked in the log.
const (
	unknownText = "unknown text from the shoe"
	damagedText = "damaged text from the shoe"
)

// errDamaged is the reason for a gap after text that could not be read.
var errDamaged = errors.New("text came that could not be read, and may have been a card")

// Reset forgets what was half heard.
func (d *Decoder) Reset() {
	*d = Decoder{Heard: d.Heard}
}

// Feed takes the next bytes of the text.
func (d *Decoder) Feed(_ time.Duration, p []byte, emit func(shoe.Event)) {
	for _, b := range p {
		d.take(b, emit)
	}
}

// Quiet ends what was not said to its end, and tells of damage that no message has
// followed.
func (d *Decoder) Quiet(emit func(shoe.Event)) {
	d.breakOff()
	d.place, d.pair = outside, alone
	d.tellDamage(emit)
}

// take moves on by one character. A bracket or angle that opens always begins anew.
func (d *Decoder) take(b byte, emit func(shoe.Event)) {
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

// add takes a character that neither opens nor closes what is open.
func (d *Decoder) add(b byte) {
	switch {
	case b == ']' || b == '>':
		d.spoil(1)
	case d.place == inMode:
		d.mode.add(b)
	case d.place == inWord:
		d.word.add(b)
	case b <= ' ':
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

// breakOff gives up what was begun and not ended, as something else begins.
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

// endLoose ends a piece of text outside of brackets and angles. Clean text is what
// some shoe says and nobody knows of; it is no remains of a message, which would have
// a bracket or an angle in it.
func (d *Decoder) endLoose() {
	if d.loose.n == 0 {
		return
	}
	d.Count.Dropped += uint64(d.loose.n)
	if d.loose.bad {
		d.spoil(0)
	} else {
		d.Count.Unknown++
		d.Log.Note(unknownText, fmt.Errorf("%q", d.loose.bytes()))
	}
	d.loose.clear()
}

// spoil takes note of damage, and of how many characters are lost by it.
func (d *Decoder) spoil(characters int) {
	d.damaged = true
	d.Count.Damaged++
	d.Count.Dropped += uint64(characters)
	d.Log.Note(damagedText, nil)
}

func (d *Decoder) tellDamage(emit func(shoe.Event)) {
	if !d.damaged {
		return
	}
	d.damaged, d.pair = false, alone
	emit(shoe.Event{Kind: shoe.Gap, Unsure: true, Err: errDamaged})
}
