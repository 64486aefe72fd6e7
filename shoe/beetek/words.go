package beetek

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/sabot-table/sabot/shoe"
	"github.com/sabot-table/sabot/shoe/card"
)

// The modes in which the shoe gives cards, and how it writes them before an alarm. A mode in angle brackets is a card
// that could not be read.
var (
	cardModes = []string{"MANUAL BURN CARDS", "GAME"}
	modes     = append([]string{"MANUAL BURN CARDSALARM", "GAMEALARM"}, cardModes...)
)

// What words begin with.
const (
	cardWord    = "CARD:"
	alarmWord   = "ALARM:"
	warningWord = "W0X"
)

// losable are the words whose loss is the loss of a card.
var losable = append([]string{cardWord + "#@", "ALARM:E3 CARD NOT READ"}, cardModes...)

// checkMode examines a mode that has arrived. Changed characters in it do no harm, since no loss looks like that. An
// unknown mode shows damage, unless the last unknown one was the same: then it comes from the shoe, not from the line.
func (d *Decoder) checkMode() {
	mode := d.mode.trimmed()
	for _, m := range modes {
		switch {
		case is(mode, m):
			return
		case turned(mode, m):
			d.Count.Damaged++
			d.Log.Note(damagedText, nil)
			return
		}
	}
	if !d.mode.bad && len(mode) > 0 && bytes.Equal(mode, d.strange.trimmed()) {
		return
	}
	d.strange = d.mode
	d.spoil(2 + d.mode.n)
	d.Log.Note(unknownText, fmt.Errorf("mode %q", mode))
}

// checkWord interprets a word that has arrived. Damage before it is reported first.
func (d *Decoder) checkWord(emit func(shoe.Event)) {
	w := d.word.trimmed()
	switch {
	case d.word.bad || d.unreadable(w):
		d.spoil(2 + d.word.n)
		d.reportDamage(emit)
		return
	case d.damaged:
		d.reportDamage(emit)
	}
	d.Count.Messages++
	switch {
	case hasPrefix(w, cardWord):
		d.card(bytes.TrimSpace(w[len(cardWord):]), emit)
	case d.isMode(w):
		d.unread(marker, emit)
	case hasPrefix(w, alarmWord):
		d.alarm(bytes.TrimSpace(w[len(alarmWord):]), emit)
	case hasPrefix(w, warningWord):
		emit(shoe.Event{Kind: shoe.Other, Code: "warning " + strings.ToLower(string(w))})
	default:
		d.Count.Unknown++
		d.Log.Note(unknownText, fmt.Errorf("%q", w))
	}
}

// unreadable says whether this is not a known word, but may be what is left of a card.
func (d *Decoder) unreadable(w []byte) bool {
	known := hasPrefix(w, cardWord) || hasPrefix(w, alarmWord) || hasPrefix(w, warningWord) || d.isMode(w)
	return !known && remains(w, losable)
}

// isMode says whether a word is a mode's name: the one in force, or one of those in
// which the shoe gives cards.
func (d *Decoder) isMode(w []byte) bool {
	if len(w) > 0 && bytes.EqualFold(w, d.mode.trimmed()) {
		return true
	}
	return slices.ContainsFunc(cardModes, func(m string) bool { return is(w, m) })
}

// card reports a card that was read. A code that no card has is an unread card if it is as long as a card's; otherwise
// there may be more than one card in it.
func (d *Decoder) card(code []byte, emit func(shoe.Event)) {
	d.pair = alone
	c := cardOf(code)
	switch {
	case c != card.None:
		emit(shoe.Event{Kind: shoe.Drawn, Card: c})
	case len(code) == 2:
		emit(shoe.Event{
			Kind: shoe.Drawn, Card: card.Unread,
			Err: fmt.Errorf("the shoe reported a card %q, which does not exist", code),
		})
	default:
		emit(shoe.Event{Kind: shoe.Gap, Err: fmt.Errorf("the shoe reported a card %q, which does not exist", code)})
	}
}

// pair says which half of an unread card's report has arrived. The shoe has two ways to report one, and may use both
// for one card.
type pair uint8

const (
	alone     pair = iota
	marker         // a mode in angles; its alarm may follow
	alarmOfIt      // the alarm; its mode in angles may follow
)

// unread reports a card that could not be read, unless this is the second report of the same card.
func (d *Decoder) unread(how pair, emit func(shoe.Event)) {
	if d.pair != alone && d.pair != how {
		d.pair = alone
		return
	}
	d.pair = how
	emit(shoe.Event{Kind: shoe.Drawn, Card: card.Unread})
}

// alarm reports an alarm of the shoe. The alarm that a card could not be read is that card. The shoe does not report
// the end of any other alarm: a person does.
func (d *Decoder) alarm(what []byte, emit func(shoe.Event)) {
	code, _, _ := bytes.Cut(what, []byte(" "))
	if is(code, "E3") || contains(what, "CARD NOT READ") {
		d.unread(alarmOfIt, emit)
		return
	}
	d.pair = alone
	emit(shoe.Event{Kind: shoe.AlarmRaised, Code: alarmName(what)})
}

// alarmName writes an alarm's text as a name, whatever its case and spaces.
func alarmName(what []byte) string {
	words := strings.FieldsFunc(strings.ToLower(string(what)), func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9')
	})
	if len(words) == 0 {
		return "alarm"
	}
	return strings.Join(words, "-")
}
