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
	Cards  []rankModel
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
	// Takes says that a PIN is to be entered, and Key what is to be done with the key.
	Takes  bool
	Key    string
	Names  []supervisorModel
	Digits []string
}

// supervisorModel is one whose PIN is taken; Until is when a lock-out ends.
type supervisorModel struct{ Name, Until string }

var digits = Digits()

// Digits are the figures of a pad from its top, three in a row. Below them lie a key of the pad's own, such as the
// point of amounts, 0 and ⌫: who can type on one pad finds each figure in its place on every other.
func Digits() []string { return []string{"1", "2", "3", "4", "5", "6", "7", "8", "9"} }

// pin is nil while nobody has to prove anything.
func (r renderer) pin(v display.View) *pinModel {
	if !touch.Proves(v) {
		return nil
	}
	s := v.Supervisor
	m := &pinModel{Takes: s.Needs.UsesPIN() || s.Needs == 0, Digits: digits}
	switch s.Needs {
	case authority.PINOrKey:
		m.Key = r.say("pin.or-key")
	case authority.PINAndKey, authority.Key:
		m.Key = r.say("pin.turn-key")
	}
	m.Names = named(s.Names, s.Locked)
	return m
}

// named are the people of whom a PIN may be asked, and until when a wrong one has locked them out.
func named(names []string, locked []authority.Locked) (list []supervisorModel) {
	for _, name := range names {
		list = append(list, supervisorModel{Name: name, Until: lockedUntil(locked, name)})
	}
	return list
}

// moment is a time as the page counts it down.
func moment(t time.Time) string { return t.UTC().Format(time.RFC3339Nano) }

// dealerModel asks who deals.
type dealerModel struct {
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

// dealer is nil at a table that knows nobody, and where dealers are proven.
func (r renderer) dealer(v display.View) *dealerModel {
	if v.Supervisor == nil || v.Dealers != nil && v.Dealers.Proof.Required() {
		return nil
	}
	m := &dealerModel{Signs: letters}
	if v.Shift.Dealer != "" {
		m.Out = r.say("key.sign-out", "name", v.Shift.Dealer)
	}
	return m
}
