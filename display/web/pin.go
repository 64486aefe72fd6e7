package web

import (
	"time"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/display/touch"
	"github.com/sabot-table/sabot/table/authority"
)

// peopleModel are the sheets about who stands at the table, each nil where there is
// nothing to ask.
type peopleModel struct {
	Cards  *cardsModel
	PIN    *pinModel
	Alerts *alertsModel
	Dealer *dealerModel
}

func (r renderer) people(v display.View) peopleModel {
	if !r.hands {
		return peopleModel{Alerts: r.alerts(v)}
	}
	return peopleModel{Cards: r.cards(v), PIN: r.pin(v), Alerts: r.alerts(v), Dealer: r.dealer(v)}
}

// pinModel asks for a supervisor: for a PIN, for the turn of a key, or for both.
type pinModel struct {
	Title, Whose, PIN, Enter, Clear string
	// Takes says that a PIN is to be entered, and Key what is to be done with the key.
	Takes bool
	Key   string
	// Then says to choose again, with {what} for the page to fill.
	Then   string
	Names  []supervisorModel
	Digits []string
	// What the page says of an answer, with {n} for it to fill.
	Wrong, LeftOne, Left, Busy, Right string
}

// supervisorModel is one whose PIN is taken; Until is when a lock-out ends.
type supervisorModel struct {
	Name, Until, Locked string
}

var digits = []string{"1", "2", "3", "4", "5", "6", "7", "8", "9"}

// pin is nil while nobody has to prove anything.
func (r renderer) pin(v display.View) *pinModel {
	if !touch.Proves(v) {
		return nil
	}
	s := v.Supervisor
	m := &pinModel{
		Title: r.text("pin.title"), Whose: r.text("pin.whose"), PIN: r.text("pin.pin"), Enter: r.text("pin.enter"),
		Clear: r.text("pin.clear"), Then: r.text("pin.then"), Takes: s.Needs.UsesPIN(), Digits: digits,
		Wrong: r.text("pin.wrong"), LeftOne: r.text("pin.left-one"), Left: r.text("pin.left"),
		Busy: r.text("pin.busy"), Right: r.text("pin.right"),
	}
	switch s.Needs {
	case authority.PINOrKey:
		m.Key = r.text("pin.or-key")
	case authority.PINAndKey, authority.Key:
		m.Key = r.text("pin.turn-key")
	}
	for _, name := range s.Names {
		m.Names = append(m.Names, r.supervisor(s, name))
	}
	return m
}

func (r renderer) supervisor(s *authority.Status, name string) supervisorModel {
	m := supervisorModel{Name: name}
	for _, l := range s.Locked {
		if l.Name == name {
			m.Until, m.Locked = moment(l.Until), r.text("pin.locked")
		}
	}
	return m
}

// moment is a time as the page counts it down.
func moment(t time.Time) string { return t.UTC().Format(time.RFC3339Nano) }

// dealerModel asks who deals.
type dealerModel struct {
	Title, Name, Enter string
	// Out is the key by which who deals letters out, "" while nobody does.
	Out   string
	Signs []signModel
}

// signModel is one key of the pad for names.
type signModel struct{ Sign, Shortcut string }

// letters are what a dealer's name or number is made of, in an order that no language
// has to learn.
var letters = func() []signModel {
	var all []signModel
	for _, sign := range "1234567890ABCDEFGHIJKLMNOPQRSTUVWXYZ-" {
		shortcut := sign
		if sign >= 'A' && sign <= 'Z' {
			shortcut += 'a' - 'A'
		}
		all = append(all, signModel{string(sign), string(shortcut)})
	}
	return all
}()

// dealer is nil at a table that knows nobody.
func (r renderer) dealer(v display.View) *dealerModel {
	if v.Supervisor == nil {
		return nil
	}
	m := &dealerModel{
		Title: r.text("dealer.title"), Name: r.text("dealer.name"), Enter: r.text("dealer.enter"), Signs: letters,
	}
	if v.Shift.Dealer != "" {
		m.Out = r.with("key.sign-out", "name", v.Shift.Dealer)
	}
	return m
}
