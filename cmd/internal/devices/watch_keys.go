package devices

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/sabot-table/sabot/cmd/internal/config"
	"github.com/sabot-table/sabot/cmd/internal/desk"
	"github.com/sabot-table/sabot/device/gpio"
	"github.com/sabot-table/sabot/device/inventory"
	"github.com/sabot-table/sabot/device/keys"
)

// contacts are the lines of the keys, open.
type contacts interface {
	keys.Bank
	Close() error
}

// keysWatch watches the contacts of a table: keys, the supervisor's switch and the
// boxes' sensors.
type keysWatch struct {
	wiring desk.Wiring
	open   func(inputs []gpio.Line) (contacts, error)
	// machine says which program has a line that is busy.
	machine inventory.Source
}

// watchKeys watches the contacts of a configuration; it returns nil if there are none.
// Outputs are left alone: watching lights, sounds or locks nothing.
func watchKeys(c config.Config) (watched, error) {
	wiring, err := desk.WiringOf(c)
	if err != nil || len(wiring.Inputs) == 0 {
		return nil, err
	}
	w := keysWatch{wiring: wiring, open: openContacts, machine: inventory.System()}
	return w.run, nil
}

func openContacts(inputs []gpio.Line) (contacts, error) {
	board, err := gpio.Open(inputs, nil)
	if err != nil {
		return nil, err
	}
	return board, nil
}

// openAgain is how long to wait before lines that could not be opened are tried again.
const openAgain = time.Second

// run watches the contacts until ctx ends. Lines that cannot be opened are reported and
// tried again: a technician who ends the program that has them need not restart the watch.
func (w keysWatch) run(ctx context.Context, tell teller) error {
	said := ""
	for {
		board, err := w.open(w.wiring.Inputs)
		if err == nil {
			said, err = "", w.follow(ctx, board, tell)
		}
		if ctx.Err() != nil {
			return nil
		}
		if text := w.why(err); text != said {
			said = text
			tell("keys", remark, text)
		}
		select {
		case <-time.After(openAgain):
		case <-ctx.Done():
			return nil
		}
	}
}

// follow watches open contacts until ctx ends, or they cannot be read.
func (w keysWatch) follow(ctx context.Context, board contacts, tell teller) (err error) {
	defer func() { err = errors.Join(err, board.Close()) }()
	tell("keys", remark, fmt.Sprintf("%d lines are open", len(w.wiring.Inputs)))
	scope := scope{wiring: w.wiring, tell: tell, last: make([]*keys.Edge, len(w.wiring.Contacts))}
	return keys.Watch(ctx, tapped{board, scope.edge}, w.wiring.Filter(), scope.event)
}

// why says why the contacts cannot be watched and, if another program has a line,
// which program that is.
func (w keysWatch) why(err error) string {
	if !errors.Is(err, gpio.ErrBusy) {
		return err.Error()
	}
	machine, unseen := inventory.Read(w.machine, w.machine.Current(), false)
	if unseen != nil {
		return errors.Join(err, unseen).Error()
	}
	for _, p := range inventory.Check(w.machine, machine, inventory.Uses{Lines: lineUses(w.wiring.Inputs)}).Problems {
		return fmt.Sprintf("%s: %s: %s", p.Key, p.What, p.Do)
	}
	return err.Error() // the program has ended meanwhile
}

func lineUses(lines []gpio.Line) (uses []inventory.LineUse) {
	for _, l := range lines {
		uses = append(uses, inventory.LineUse{Key: l.Use, Line: l.Address()})
	}
	return uses
}

// tapped is a bank that also passes its edges to a function.
type tapped struct {
	keys.Bank
	edge func(keys.Edge)
}

func (t tapped) Wait(ctx context.Context, until time.Duration) (edges []keys.Edge, now time.Duration, err error) {
	edges, now, err = t.Bank.Wait(ctx, until)
	for _, e := range edges {
		t.edge(e)
	}
	return edges, now, err
}

// scope puts edges, and what they mean, into words.
type scope struct {
	wiring desk.Wiring
	tell   teller
	last   []*keys.Edge // by contact, nil before the first
}

// edge reports an edge with the kernel's time. It is bounce if the contact was not yet
// steady after the edge before.
func (s *scope) edge(e keys.Edge) {
	text := fmt.Sprintf("%s closed", s.wiring.Contacts[e.Key])
	if !e.Closed {
		text = fmt.Sprintf("%s open", s.wiring.Contacts[e.Key])
	}
	text += fmt.Sprintf(" at %.6f s", e.At.Seconds())
	if before := s.last[e.Key]; before != nil && e.At-before.At < s.wiring.Rest(e.Key) {
		text += fmt.Sprintf(", bounce after %.3f ms", float64(e.At-before.At)/float64(time.Millisecond))
	}
	if e.Lost {
		text += ", edges before it are lost"
	}
	s.last[e.Key] = &e
	s.tell("keys", frame, text)
}

// event reports what the edges mean.
func (s *scope) event(e keys.Event, _ time.Duration) {
	s.tell("keys", event, s.wiring.Contacts[e.Key].String()+" "+s.meaning(e))
}

// meanings are those of the events that always mean the same.
var meanings = map[keys.Kind]string{
	keys.Short:    "pressed",
	keys.On:       "on",
	keys.Off:      "off",
	keys.Again:    "closed again sooner than a hand can press it: not a press, the contact is worn",
	keys.Brief:    "closed for less than the debounce time: not a press",
	keys.Held:     "has been held down since the start: not a press until it is released",
	keys.Stuck:    "is stuck",
	keys.Unsteady: "is not steady: not a press until it is. A loose wire, or no pull",
	keys.Cleared:  "works again",
}

func (s *scope) meaning(e keys.Event) string {
	switch {
	case e.Kind == keys.Long:
		return "pressed long: " + s.wiring.Contacts[e.Key].Long.String()
	case e.Kind == keys.Contradiction && e.Given:
		return fmt.Sprintf("contradicts %s, which was reported: it must be taken back", s.wiring.Contacts[e.Other])
	case e.Kind == keys.Contradiction:
		return fmt.Sprintf("contradicts %s: neither counts", s.wiring.Contacts[e.Other])
	}
	return meanings[e.Kind]
}
