package angeleye

import (
	"fmt"

	"github.com/sabot-table/sabot/shoe"
	"github.com/sabot-table/sabot/shoe/card"
)

// interpret says what a new report means to the table. Only the low seven bits of its bytes are significant; the shoe
// is said to set the highest.
func (d *Decoder) interpret(r *report, emit func(shoe.Event)) {
	if _, known := lengths[r.kind()]; !known || r.odd() {
		d.strange(r, emit)
		return
	}
	d.mean(r, emit)
}

// strange takes an intact report of an unknown kind or an unexpected length. It is recorded with its bytes. If it is
// of a known kind and only longer, its beginning means what it always means; but a card is asked for. An alarm is never
// lost, even if its code is missing.
func (d *Decoder) strange(r *report, emit func(shoe.Event)) {
	d.Count.Unknown++
	d.Log.Note(unknownReport, bytesOf(r))
	emit(note("not-understood", r))
	switch {
	case r.card():
		emit(shoe.Event{Kind: shoe.Gap, Missing: 1, Err: errOdd})
	case r.kind() == 'E', r.longer():
		d.mean(r, emit)
	}
}

// note puts a report's bytes on record.
func note(what string, r *report) shoe.Event {
	return shoe.Event{Kind: shoe.Other, Code: what, Detail: fmt.Sprintf("% X", r.frame())}
}

// bytesOf shows a report in the log, which a table with a hole card leaves out.
func bytesOf(r *report) error { return fmt.Errorf("% X", r.frame()) }

// mean says what a report of a known kind means; one of an unknown kind means nothing.
func (d *Decoder) mean(r *report, emit func(shoe.Event)) {
	switch r.kind() {
	case 'D', 'd':
		e := drawn(r)
		e.Report = r.frame()
		emit(e)
	case 'C':
		emit(shoe.Event{Kind: shoe.CutCard})
	case 'E':
		emit(shoe.Event{Kind: shoe.AlarmRaised, Code: alarm(r)})
	case 'e':
		emit(shoe.Event{Kind: shoe.AlarmCleared, Code: alarm(r)})
	case 'L':
		emit(shoe.Event{Kind: lock(r)})
	case 'R':
		emit(shoe.Event{Kind: shoe.Other, Code: "sent-again", Detail: drawn(r).Card.String()})
	default:
		if what := notes[r.kind()]; what != "" {
			emit(shoe.Event{Kind: shoe.Other, Code: what})
		}
	}
}

// notes are the reports that mean nothing at this table.
var notes = map[byte]string{'S': "start", 'P': "stand-by", 'G': "game-result", 'M': "preset-changed"}

// value is the byte that follows the kind at a place.
func (r *report) value(place int) byte { return r.data[place] & 0x7F }

// The suits, as the shoe numbers them from 1.
var suits = [...]card.Suit{1: card.Diamonds, 2: card.Clubs, 3: card.Spades, 4: card.Hearts}

// drawn reads a card event. The byte before it says to whom baccarat would give the card, and as which of his; that
// means nothing here. A card is never lost: a code that is not a card is an unread one.
func drawn(r *report) shoe.Event {
	e := shoe.Event{Kind: shoe.Drawn, Card: card.Unread}
	face := r.value(2)
	if face == 0 {
		return e // the shoe could not read it
	}
	if suit := face >> 4; suit > 0 && int(suit) < len(suits) {
		if c := card.Of(card.Rank(face&0x0F), suits[suit]); c != card.None {
			e.Card = c
			return e
		}
	}
	e.Err = fmt.Errorf("the shoe reported a card % x, which does not exist", r.data[1:r.n])
	return e
}

// alarms are the shoe's errors by their code, in the words of its makers.
var alarms = [...]string{
	1: "cannot-read",
	2: "overdraw",
	3: "key-mishandled",
	4: "reverse-pull-at-exit",
	5: "reverse-pull-midway",
	6: "card-code",
	7: "draw-time-out",
}

// otherError begins the name of an error that has no name of its own.
const otherError = "error-"

// alarm names an error. Bit 6 says whether the shoe is in its error mode; it is ignored, since otherwise the report
// that clears the error would have another name.
func alarm(r *report) string {
	code := r.value(1) & 0x3F
	if int(code) < len(alarms) && alarms[code] != "" {
		return alarms[code]
	}
	return fmt.Sprint(otherError, code)
}

func lock(r *report) shoe.Kind {
	if r.value(1)&1 != 0 {
		return shoe.Locked
	}
	return shoe.Unlocked
}
