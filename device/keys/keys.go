// Package keys turns the edges of contacts into presses. It waits until a contact has settled, distinguishes long
// presses from short ones, and notices what no dealer means: two calls at once, a key held down, a contact that does
// not settle.
//
// A Filter is pure: edges go in with the times at which they happened, events come out. It has no clock and no pins. A
// time is a duration since some moment, the same moment for everything passed to one Filter.
package keys

import (
	"fmt"
	"time"
)

// The defaults.
const (
	UsualDebounce = 20 * time.Millisecond
	UsualLong     = 700 * time.Millisecond
	UsualWindow   = 150 * time.Millisecond
	UsualStuck    = 10 * time.Second
)

// Contact says what a contact is used for. The zero Contact is a button with one function, which is not a call.
type Contact struct {
	// Switch: it stays where it is put, like a key switch or a sensor. Its states are reported, and there are no
	// presses; it may stay closed for any time.
	Switch bool
	// Long: the button has a second function for a long press. A short one is then reported when the button is
	// released.
	Long bool
	// Call: a press announces a guest's decision, so that another button's call at
	// almost the same moment contradicts it.
	Call bool
	// Debounce is how long the contact must be at rest; 0 takes that of the Settings.
	Debounce time.Duration
}

// Settings say how contacts are read.
type Settings struct {
	Contacts []Contact
	// Debounce is how long a contact must be at rest before its state counts.
	Debounce time.Duration
	// Long is how long a button is held for a long press.
	Long time.Duration
	// Window is how far apart two calls must be: calls of two buttons closer together contradict each other, and a
	// button's second press within it is not a press. 0 is no window.
	Window time.Duration
	// Stuck is how long a button is held before it counts as stuck; longer than Long.
	Stuck time.Duration
}

// Edge is one change of a contact.
type Edge struct {
	// Key is the contact's place in Settings.Contacts.
	Key    int
	Closed bool
	At     time.Duration
	// Lost says that edges of this contact were lost before this one: it moved
	// faster than it could be read.
	Lost bool
	// Gone is no movement: the contact can no longer be read, and At is when it was last known to work. Back ends that,
	// and Closed says how the contact was found.
	Gone, Back bool
}

// Kind says what an Event reports.
type Kind uint8

// The events.
const (
	// Short: the button was pressed. A button without a long press reports it when its contact has settled, one with a
	// long press when it was released.
	Short Kind = iota + 1
	// Long: the button has been held for a long press, and still is.
	Long
	// On and Off: the switch has changed. A switch that is closed at the start is reported as On; an open one is not
	// reported. One that can be read again is reported as it is found.
	On
	Off
	// Contradiction: this call came while Event.Other was being called, or too shortly after it. Neither counts.
	// Event.Given says that the other was already reported, as Short or Long, and must be taken back: with buttons that
	// have no long press it always was, since it cannot be known then that another follows.
	Contradiction
	// Again: the button closed again sooner than a hand can press it: a worn contact. It is not a press.
	Again
	// Brief: the button closed for less than the debounce time: a spark, or a touch too short to count. It is not a
	// press.
	Brief
	// Held: the button was closed at the start, or when it could be read again. It reports nothing until it is
	// released.
	Held
	// Stuck: the button has been closed for very long.
	Stuck
	// Unsteady: the contact keeps moving, or moves faster than it can be read. It reports nothing until it settles.
	Unsteady
	// Cleared ends Held, Stuck and Unsteady.
	Cleared
	// Gone: the contact can no longer be read, and counts as open. It ends On, Held, Stuck and Unsteady, and a press in
	// progress is none.
	Gone
)

var kindNames = [...]string{
	Short: "short", Long: "long", On: "on", Off: "off", Contradiction: "contradiction", Again: "again",
	Brief: "brief", Held: "held", Stuck: "stuck", Unsteady: "unsteady", Cleared: "cleared",
	Gone: "gone",
}

// String returns the kind's name.
func (k Kind) String() string {
	if int(k) < len(kindNames) && kindNames[k] != "" {
		return kindNames[k]
	}
	return fmt.Sprintf("kind %d", uint8(k))
}

// Event is something that a contact reports.
type Event struct {
	Kind Kind
	Key  int
	// Other is the button that was called first. (Contradiction)
	Other int
	// Given says that Other's press was reported. (Contradiction)
	Given bool
	// At is when it happened: for a press on closing, when the contact closed; for one
	// on release, when it opened; for a long one, when it had been held long enough; for a
	// contradiction, when the second contact closed, but not before the first press.
	At time.Duration
}
