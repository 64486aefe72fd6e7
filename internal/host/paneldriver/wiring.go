package paneldriver

import (
	"fmt"
	"time"

	"github.com/sabot-table/sabot/device/gpio"
	"github.com/sabot-table/sabot/device/keys"
	"github.com/sabot-table/sabot/internal/ops/config"
)

// Wiring is the lines that a configuration gives a panel, what each is for, and how the
// contacts are read.
type Wiring struct {
	Inputs, Outputs []gpio.Line
	// Contacts and Signals are what Inputs and Outputs are for, in their order.
	Contacts []Contact
	Signals  []Output
	Timing   Timing
}

// WiringOf reads the wiring of a configuration. The error names the line that cannot be
// read.
func WiringOf(c config.Config) (w Wiring, err error) {
	w.Timing = Timing{
		Debounce: c.Keys.Debounce, Long: c.LongPress.After, Window: c.Keys.Contradiction, Stuck: c.Keys.Stuck,
		BoxDebounce: c.Keys.BoxDebounce,
	}
	contacts := contactsOf(c)
	for i, wire := range c.Wires() {
		if wire.Line == "" {
			continue
		}
		line, err := wire.Parse()
		if err != nil {
			return Wiring{}, err
		}
		if wire.Output {
			w.Outputs, w.Signals = append(w.Outputs, line), append(w.Signals, Output(i-len(contacts)))
		} else {
			w.Inputs, w.Contacts = append(w.Inputs, line), append(w.Contacts, contacts[i])
		}
	}
	return w, nil
}

// contactsOf are the contacts that a panel may have, in the order of Config.Wires, where the
// outputs follow in the order of Output.
func contactsOf(c config.Config) (contacts []Contact) {
	for _, b := range c.Buttons() {
		contacts = append(contacts, Contact{Short: b.Key, Long: b.Long})
	}
	contacts = append(contacts, Contact{Supervisor: true})
	for i := range c.Keys.Boxes.Keys() {
		contacts = append(contacts, Contact{Box: i + 1})
	}
	return contacts
}

// Filter returns the filter that turns the contacts' edges into presses.
func (w Wiring) Filter() *keys.Filter {
	t := w.Timing
	s := keys.Settings{Debounce: t.Debounce, Long: t.Long, Window: t.Window, Stuck: t.Stuck}
	for i, c := range w.Contacts {
		s.Contacts = append(s.Contacts, keys.Contact{
			Switch:   c.Supervisor || c.Box != 0,
			Long:     c.Long != 0,
			Call:     c.Short.IsCall() || c.Long.IsCall(),
			Debounce: w.Rest(i),
		})
	}
	return keys.New(s)
}

// Rest is how long a contact must rest before its state counts.
func (w Wiring) Rest(contact int) time.Duration {
	if w.Contacts[contact].Box != 0 {
		return w.Timing.BoxDebounce
	}
	return w.Timing.Debounce
}

// String is the contact's name.
func (c Contact) String() string {
	switch {
	case c.Supervisor:
		return "supervisor"
	case c.Box != 0:
		return fmt.Sprintf("box %d", c.Box)
	}
	return c.Short.String()
}
