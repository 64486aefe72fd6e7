package devices

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/sabot-table/sabot/device/gpio"
	"github.com/sabot-table/sabot/device/keys"
	"github.com/sabot-table/sabot/internal/host/paneldriver"
	"github.com/sabot-table/sabot/internal/ops/config"
)

// contacts are the lines of the keys.
type contacts interface {
	keys.Bank
	Missing() ([]keys.Missing, <-chan struct{})
	Close() error
}

// keysWatch watches the contacts of a table: keys, the supervisor's switch and the
// boxes' sensors.
type keysWatch struct {
	wiring paneldriver.Wiring
	open   func(inputs []gpio.Line) (contacts, error)
}

// watchKeys watches the contacts of a configuration; it returns nil if there are none.
// Outputs are left alone: watching lights, sounds or locks nothing.
func watchKeys(c config.Config) (watched, error) {
	wiring, err := paneldriver.WiringOf(c)
	if err != nil || len(wiring.Inputs) == 0 {
		return nil, err
	}
	return keysWatch{wiring: wiring, open: openContacts}.run, nil
}

func openContacts(inputs []gpio.Line) (contacts, error) { return gpio.Open(inputs, nil) }

// run watches the contacts until ctx ends. Lines that cannot be had are reported, and used
// once they can be: a technician who ends the program that has them need not restart the
// watch.
func (w keysWatch) run(ctx context.Context, tell teller) (err error) {
	board, err := w.open(w.wiring.Inputs)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, board.Close()) }()
	watching, stop := context.WithCancel(ctx)
	said, changed := w.lines(board, tell, "")
	var heeding sync.WaitGroup
	heeding.Go(func() {
		for watching.Err() == nil {
			select {
			case <-changed:
				said, changed = w.lines(board, tell, said)
			case <-watching.Done():
			}
		}
	})
	scope := scope{wiring: w.wiring, tell: tell, last: make([]*keys.Edge, len(w.wiring.Contacts))}
	err = keys.Watch(ctx, tapped{board, scope.edge}, w.wiring.Filter(), scope.event)
	stop()
	heeding.Wait()
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// lines reports which lines are missing, and why, if that is news. It returns what is said
// then, and a channel that is closed when that may have changed.
func (w keysWatch) lines(board contacts, tell teller, said string) (says string, changed <-chan struct{}) {
	missing, changed := board.Missing()
	open := len(w.wiring.Inputs)
	for _, m := range missing {
		open -= len(m.Contacts)
		says += m.Err.Error() + "\n"
	}
	if says += fmt.Sprintf("%d of %d lines are open", open, len(w.wiring.Inputs)); says != said {
		tell("keys", remark, says)
	}
	return says, changed
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
	wiring paneldriver.Wiring
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
	switch {
	case e.Gone:
		text = s.wiring.Contacts[e.Key].String() + " cannot be read any more"
	case e.Back:
		text = "found: " + text
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
	keys.Held:     "was found held down: not a press until it is released",
	keys.Stuck:    "is stuck",
	keys.Unsteady: "is not steady: not a press until it is. A loose wire, or no pull",
	keys.Cleared:  "works again",
	keys.Gone:     "is gone, and counts as open: not a press",
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
