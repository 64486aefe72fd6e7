// Package shoesim is a card shoe in software, of any make of shoe/makes. It opens a pseudo-terminal, or listens on the
// network, and behaves as the make's firmware would; the caller draws cards, presses keys and pulls the cable.
//
// The firmware of each make is pure and without a clock of its own, as Core is for a
// sabot shoe; Shoe runs it in real time on a line. Linux only. What goes wrong on the line is a BadLine, pure as well.
package shoesim

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/sabot-table/sabot/firmware-protocol/wire"
)

// Errors of the hand at the shoe.
var (
	ErrLocked = errors.New("the card exit is locked")
	ErrEmpty  = errors.New("the shoe is empty")
	ErrClosed = errors.New("the simulated shoe is closed")
)

// Shoe is a simulated shoe. Its methods may be called from any goroutine.
type Shoe struct {
	options Options
	path    string
	tempDir string

	mu       sync.Mutex
	firmware firmware
	core     *Core // the firmware of a sabot shoe, nil for others
	boot     uint32
	booted   time.Time
	stock    *stock
	drawn    int  // since the last load, for the cut card
	line     line // nil while unplugged
	cable    cable
	closed   bool
	fault    error         // why the simulator's own line failed
	changed  chan struct{} // closed and replaced at every change
	out      []byte

	kick chan struct{}  // the next deadline may have changed
	stop chan struct{}  // closed by Close
	work sync.WaitGroup // the clock's and the lines' goroutines
}

// New starts a shoe. Close it when done.
func New(o Options) (*Shoe, error) {
	if err := o.complete(); err != nil {
		return nil, err
	}
	s := &Shoe{
		options: o, path: o.Link, stock: newStock(&o), boot: o.Boot,
		changed: make(chan struct{}), kick: make(chan struct{}, 1), stop: make(chan struct{}),
	}
	for s.boot == 0 {
		s.boot = rand.Uint32()
	}
	if err := s.makePath(); err != nil {
		return nil, err
	}
	s.start()
	s.cable = newCable(o.Seed, s.firmware.frame)
	if err := s.Replug(); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	s.work.Go(s.keepTime)
	return s, nil
}

func (s *Shoe) makePath() error {
	switch {
	case s.options.Memory:
		s.path = "memory"
		return nil
	case s.options.Listen != "" || s.path != "":
		return nil
	}
	dir, err := os.MkdirTemp("", "shoesim-")
	if err != nil {
		return fmt.Errorf("making a directory for the shoe's port: %w", err)
	}
	s.tempDir, s.path = dir, filepath.Join(dir, "shoe")
	return nil
}

// start begins a life of the firmware.
func (s *Shoe) start() {
	s.booted, s.core = time.Now(), nil
	s.firmware = simulators[s.options.Kind].start(s)
}

// Path is the address of the port, the same over Unplug and Replug: a path, which does
// not exist while the shoe is unplugged, or tcp://host:port.
func (s *Shoe) Path() string { return s.path }

// Kind is the shoe's make.
func (s *Shoe) Kind() Kind { return s.options.Kind }

// OnTerminal says whether the port is a pseudo-terminal.
func (s *Shoe) OnTerminal() bool { return !s.options.Memory && s.options.Listen == "" }

// Close removes the shoe. A host sees its port vanish.
func (s *Shoe) Close() error {
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return nil
	}
	s.closed = true
	close(s.stop)
	err := errors.Join(s.fault, s.unplug())
	s.announce()
	s.mu.Unlock()
	s.work.Wait()
	if s.tempDir != "" {
		err = errors.Join(err, os.RemoveAll(s.tempDir))
	}
	return err
}

// Unplug pulls the cable. The shoe has its own power and keeps running.
func (s *Shoe) Unplug() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer s.announce()
	return s.unplug()
}

func (s *Shoe) unplug() error {
	if s.line == nil {
		return nil
	}
	l := s.line
	s.line = nil
	s.cable.forget()
	return l.close()
}

// Replug plugs the cable in again: a new port under the same name. If it is already in, nothing happens.
func (s *Shoe) Replug() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return ErrClosed
	}
	s.cable.pulls = false
	if s.line != nil {
		return nil
	}
	l, err := s.openLine()
	if err != nil {
		return err
	}
	s.line = l
	s.work.Go(func() { s.listen(l) })
	s.advance(nil)
	return nil
}

// openLine makes the line that the options describe.
func (s *Shoe) openLine() (line, error) {
	switch {
	case s.options.Memory:
		return newInMemory(), nil
	case s.OnTerminal():
		return openTerminal(s.path)
	}
	l, err := openNetwork(s.options.Listen)
	if err != nil {
		return nil, err
	}
	if s.path == "" {
		s.options.Listen = l.address() // the same when it is plugged in again
		s.path = "tcp://" + s.options.Listen
	}
	return l, nil
}

// Reboot cuts the power for a moment: the queue is lost, lock and lamp are off,
// and a new boot id begins. The cards stay as they are.
func (s *Shoe) Reboot() error {
	return s.do(func(time.Duration) error {
		s.startAnew()
		return nil
	})
}

// startAnew begins the next life of the firmware.
func (s *Shoe) startAnew() {
	s.boot++
	if s.boot == 0 {
		s.boot = 1
	}
	s.start()
}

// announce wakes those waiting for a state. The lock is held.
func (s *Shoe) announce() {
	close(s.changed)
	s.changed = make(chan struct{})
}

// do lets something happen to the shoe, and sends what follows from it.
func (s *Shoe) do(happen func(now time.Duration) error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return ErrClosed
	}
	if err := happen(time.Since(s.booted)); err != nil {
		return err
	}
	s.advance(nil)
	return nil
}

// State is the shoe's state. Only a sabot shoe has the fields before Sending, and Counts.
type State struct {
	Boot      uint32
	Last      uint32 // number of the newest event
	Queued    int    // events not acknowledged
	InSession bool
	Locks     wire.LockBits
	Light     wire.Light
	Sending   int // messages that wait for their turn: an Angel Eye's copies
	CardsLeft int
	Locked    bool // no card can leave
	Quiet     bool // nothing is waiting to be sent, on its way, or waiting to be read
	Plugged   bool
	Hosted    bool   // a host has the line open; a pseudo-terminal always seems so
	Counts    Counts // since boot
	Fault     error  // the simulator's own trouble with its line
}

// State returns the shoe's present state.
func (s *Shoe) State() State {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.state()
}

func (s *Shoe) state() State {
	sending := s.firmware.sending()
	state := State{
		Sending: sending, CardsLeft: len(s.stock.cards), Quiet: sending == 0 && s.cable.quiet(), Plugged: s.line != nil,
		Fault:  s.fault,
		Locked: s.firmware.locked() != "",
	}
	if s.line != nil {
		state.Hosted = s.line.hosted()
	}
	if s.core != nil {
		state.Boot, state.Last, state.Queued, state.InSession = s.boot, s.core.Last(), s.core.Queued(),
			s.core.InSession()
		state.Locks, state.Light, state.Counts = s.core.Locks(), s.core.Light(), s.core.Counts()
	}
	return state
}

// Await waits until the shoe's state is as wanted, and returns it. An error, of ctx or because the shoe was closed,
// comes with the last state.
func (s *Shoe) Await(ctx context.Context, wanted func(State) bool) (State, error) {
	for {
		s.mu.Lock()
		state, changed, closed := s.state(), s.changed, s.closed
		s.mu.Unlock()
		switch {
		case wanted(state):
			return state, nil
		case closed:
			return state, ErrClosed
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return state, fmt.Errorf("the shoe did not reach the wanted state, it is %+v: %w", state, ctx.Err())
		}
	}
}
