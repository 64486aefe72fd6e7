// Package lcd draws the table on a character display of 20 columns and 4 rows: what is
// due, the hand and the bank or, at the end, what is to be paid.
package lcd

import (
	"fmt"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/table/vocab"
)

// The size of the display.
const (
	Columns = 20
	Rows    = 4
)

// Screen draws the table. The zero value does so in English.
type Screen struct {
	Language *Language
}

// Lines returns the view in four rows of 20 characters, each of which the display Has.
func (s Screen) Lines(v display.View) [Rows]string {
	d := drawing{language: s.language().in(v.House), view: v, step: display.Prompt(v)}
	switch {
	case v.Held != nil:
		return d.held()
	case v.Due.To == vocab.ToPayment:
		return d.payment()
	}
	return d.asking()
}

// Stopped returns what stays on the display when nothing updates it any more.
func (s Screen) Stopped() [Rows]string {
	d := drawing{language: s.language()}
	d.add(d.word("lost"), d.word("lost-detail"))
	return d.done()
}

func (s Screen) language() *Language {
	if s.Language == nil {
		return Speaking(display.English)
	}
	return s.Language
}

// drawing is one picture in the making.
type drawing struct {
	language *Language
	view     display.View
	step     display.Step
	rows     []string
}

// add puts rows below those that are there, and skips empty ones. Rows without room are
// left out, so what matters comes first.
func (d *drawing) add(rows ...string) {
	for _, row := range rows {
		if row != "" && len(d.rows) < Rows {
			d.rows = append(d.rows, row)
		}
	}
}

// done completes the picture. If the last key was refused, the last row is the note, which
// nobody would see otherwise; if the floor is called, it says so.
func (d *drawing) done() (lines [Rows]string) {
	copy(lines[:], d.rows)
	switch note, floor := d.note(), d.floor(); {
	case note != "":
		lines[Rows-1] = note
	case floor != "":
		lines[Rows-1] = floor
	}
	for i, line := range lines {
		lines[i] = fmt.Sprintf("%-*s", Columns, cut(plain(line), Columns))
	}
	return lines
}

// room is how many rows are left besides the note.
func (d *drawing) room() int {
	left := Rows - len(d.rows)
	if d.note() != "" || d.floor() != "" {
		left--
	}
	return left
}

// floor says that there is a message of the pit, that the floor is called, or who is coming. While the round is held it
// says who is coming alone: until then the row is for what has to be put right.
func (d *drawing) floor() string {
	if display.PitMessage(d.view) != nil && d.view.Held == nil {
		return first(d.pitWaits())
	}
	if a := display.Floor(d.view); a == nil || d.view.Held != nil && a.AcknowledgedBy == "" {
		return ""
	}
	rows, _ := d.say(display.FloorSays(d.view), noteMost)
	return first(rows)
}

// pitWaits says that the pit has said something: the screens have the words.
func (d *drawing) pitWaits() []string {
	rows, _ := wrap(d.language.tight.Say(display.PitSays(d.view)), 1)
	return rows
}

func (d *drawing) note() string {
	note, _ := d.say(d.step.Note, noteMost)
	return first(note)
}

func first(rows []string) string {
	if len(rows) == 0 {
		return ""
	}
	return rows[0]
}

// say returns a message in a few rows: in its roomy form if that fits into one row, else in
// the shorter form. whole says that nothing was cut.
func (d *drawing) say(m display.Message, most int) (rows []string, whole bool) {
	if rows, whole = wrap(d.language.roomy.Say(m), 1); whole {
		return rows, true
	}
	return wrap(d.language.tight.Say(m), most)
}

func (d *drawing) word(name string) string {
	return d.language.roomy.Label(display.LabelWord, name)
}

// asking is a normal round: what is due, then for whom.
func (d *drawing) asking() [Rows]string {
	headline, _ := d.say(d.step.Headline, headlineMost)
	d.add(headline...)
	d.addOpen()
	v := d.view
	_, asked := display.Asked(v)
	switch {
	case asked:
		d.addDetail()
		d.add(d.onLine(display.LayOnLine, display.TakeFromLine, display.FromLine), d.hand(), d.bank())
	case v.Phase == vocab.Idle:
		d.addDetail()
		d.add(d.where(), d.onLine(display.LiesOnLine), d.cardsLeft())
	case v.Phase == vocab.Bets:
		d.addDetail()
		d.add(d.boxes(), d.onLine(display.LiesOnLine), d.limits())
	case v.Phase == vocab.InsuranceOffer, v.Shoe.Alarm != "", !v.Shoe.Online:
		d.addDetail()
		d.add(d.hand(), d.bank())
	default:
		d.add(d.hand(), d.bank(), d.pending(), d.onLine(display.LayOnLine, display.TakeFromLine, display.FromLine))
		d.addDetail()
		d.add(d.cutCard())
	}
	return d.done()
}

// addOpen adds which card is not drawn, since it lies open.
func (d *drawing) addOpen() {
	open, _ := d.say(d.step.Open, openMost)
	d.add(open...)
}

// addDetail adds the prompt's detail, if there is room for all of it.
func (d *drawing) addDetail() {
	if rows, _ := d.say(d.step.Detail, detailMost); len(rows) <= d.room() {
		d.add(rows...)
	}
}

// How many rows a part of the prompt may take. Who may put a round right, and how, is what
// a dealer who cannot continue needs most: it may take all the rows that are left.
const (
	headlineMost = 2
	stopMost     = 1
	detailMost   = 2
	wayOutMost   = 3
	noteMost     = 1
	openMost     = 1
)

// held is a round that is stopped: why, and who may do what about it.
func (d *drawing) held() [Rows]string {
	stop, _ := d.say(d.step.Headline, stopMost)
	wayOut, _ := d.say(d.step.Detail, min(wayOutMost, d.room()-1))
	d.add(stop...)
	d.add(wayOut...)
	d.add(d.heldCard(), d.bank())
	return d.done()
}
