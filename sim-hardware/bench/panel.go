package bench

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sabot-table/sabot/sim-hardware/keysim"
)

// bounce is how long the contacts of a usual button bounce.
const bounce = 4 * time.Millisecond

// How a finger presses.
const (
	briefly  = 150 * time.Millisecond
	forLong  = 1200 * time.Millisecond
	looseFor = 3 * time.Second
)

// Panel is a simulated panel: keys, key switch, sensors, lamps, buzzer and lock by the
// names that a configuration gives them.
type Panel struct {
	*keysim.Bank
	contacts, outputs []string
}

// NewPanel returns a panel that has these lines, such as keys.card and signals.green,
// in this order.
func NewPanel(inputs, outputs []string, seed uint64) *Panel {
	p := &Panel{Bank: keysim.NewBank(keysim.BankOptions{
		Contacts: len(inputs), Outputs: len(outputs), Bounce: bounce,
		Seed: seed,
	})}
	for _, name := range inputs {
		p.contacts = append(p.contacts, strings.TrimPrefix(name, "keys."))
	}
	for _, name := range outputs {
		p.outputs = append(p.outputs, strings.TrimPrefix(name, "signals."))
	}
	return p
}

// actions are what a finger, or wear, does to a contact, except releasing it.
var actions = map[string]func(p *Panel, contact int){
	"down":  func(p *Panel, i int) { p.Hold(i) },
	"press": func(p *Panel, i int) { p.Bank.Press(i, briefly) },
	"long":  func(p *Panel, i int) { p.Bank.Press(i, forLong) },
	"turn":  (*Panel).turn,
	"spark": func(p *Panel, i int) { p.Spark(i) },
	"loose": func(p *Panel, i int) { p.Chatter(i, looseFor) },
	"stick": (*Panel).stick,
}

// turn turns a key switch, or puts chips on a sensor or removes them.
func (p *Panel) turn(i int) {
	if p.Contacts()[i].Closed {
		p.Release(i)
		return
	}
	p.Hold(i)
}

// stick presses a key that does not come up again, and frees one that is stuck.
func (p *Panel) stick(i int) {
	if p.Contacts()[i].Stuck {
		p.Free(i)
		return
	}
	p.Stick(i)
	p.Hold(i)
}

// act does something to contacts at the same moment.
func (p *Panel) act(how string, names ...string) error {
	do, known := actions[how]
	if !known || len(names) == 0 {
		return errors.New(sayNoAction(how))
	}
	which, err := p.find(names)
	for _, i := range which {
		do(p, i)
	}
	return err
}

// letGo opens contacts that a finger held for so long. Down and up are two messages: however close together they
// arrive, the contact stays closed for that long.
func (p *Panel) letGo(held time.Duration, names ...string) error {
	which, err := p.find(names)
	for _, i := range which {
		p.ReleaseAfter(i, held)
	}
	return err
}

// find returns the places of contacts, or an error if one is not on the panel.
func (p *Panel) find(names []string) (which []int, err error) {
	for _, name := range names {
		i := slices.Index(p.contacts, name)
		if i < 0 {
			return nil, errors.New(sayNoContact(name))
		}
		which = append(which, i)
	}
	return which, nil
}

// is returns the state of a contact of the panel.
func (p *Panel) is(name string) keysim.Contact {
	return p.Contacts()[slices.Index(p.contacts, name)]
}

// down names a key that is held down, "" for none. Switches and sensors stay as they were put and do not count.
func (p *Panel) down() string {
	for i, c := range p.Contacts() {
		if c.Closed && !stays(p.contacts[i]) {
			return p.contacts[i]
		}
	}
	return ""
}

// stays says whether a contact stays where it is put.
func stays(name string) bool { return name == "supervisor" || boxOf(name) != 0 }

// boxOf is the number of a sensor's box, 0 for other contacts.
func boxOf(name string) int {
	number, is := strings.CutPrefix(name, "box_")
	if !is {
		return 0
	}
	box, err := strconv.Atoi(number)
	if err != nil {
		return 0
	}
	return box
}

// Keys does something to contacts of the panel, all at the same moment.
func (b *Bench) Keys(how string, names ...string) error {
	if b.dealing() {
		return errHandsOff
	}
	if err := b.o.Panel.act(how, names...); err != nil {
		return err
	}
	b.change(func() { b.note(sayKeys(how, names, b.o.Panel.is(names[0]))) })
	return nil
}

// LetGo opens contacts of the panel that a finger held for so long. What was pressed before may always be released,
// whoever deals.
func (b *Bench) LetGo(held time.Duration, names ...string) error {
	if err := b.o.Panel.letGo(held, names...); err != nil {
		return err
	}
	b.change(func() {})
	return nil
}
