// Package shoesim is a card shoe in software. It opens a pseudo-terminal and
// speaks the sabot protocol on it as a shoe's firmware would; the caller is the
// hand that draws cards, presses keys and pulls the cable.
//
// Core is the firmware, pure and without a clock of its own; Shoe runs it in real
// time on a pseudo-terminal. Linux only.
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
	"github.com/sabot-table/sabot/shoe/card"
)

// What a hand at the shoe can run into.
var (
	ErrLocked = errors.New("the card exit is locked")
	ErrEmpty  = errors.New("the shoe is empty")
	ErrClosed = errors.New("the simulated shoe is closed")
)

// Options describe a shoe. The zero Options are six shuffled decks without a cut
// card, on a port in a directory of its own.
type Options struct {
	// Cards, if any, are the cards in the order in which they come, and Decks,
	// Jokers and Seed mean nothing; card.Unread is one that cannot be read.
	Cards []card.Card
	// Decks is how many decks are shuffled, 0 for 6; Jokers how many Jokers are
	// added to all of them together.
	Decks, Jokers int
	// Seed decides the shuffle: the same seed gives the same cards.
	Seed uint64
	// Continuous makes it a continuous shuffler: cards go back in by Return.
	Continuous bool
	// CutAfter is how many cards come before the cut card; 0 is no cut card.
	CutAfter int

	// Serial is the serial number, "SIM-1" if empty.
	Serial string
	// Boot is the first boot id, chosen at random if 0; each Reboot adds 1.
	Boot uint32
	// Key is the secret that the shoe shares with its host; nil for none.
	Key *wire.Secret
	// Link is where the port's stable name is made; if empty, in a temporary
	// directory that Close removes.
	Link string

	// ToHost and FromHost, if set, are what the line does to the bytes on their
	// way: they return what arrives. They are never called at the same time.
	ToHost, FromHost func([]byte) []byte
}

// Shoe is a simulated shoe. Its methods may be called from any goroutine.
type Shoe struct {
	options Options
	path    string
	tempDir string

	mu      sync.Mutex
	core    *Core
	boot    uint32
	booted  time.Time
	stock   *stock
	drawn   int   // since the last load, for the cut card
	line    *line // nil while unplugged
	closed  bool
	fault   error         // why the simulator's own line failed
	changed chan struct{} // closed and replaced at every change
	out     []byte

	kick chan struct{}  // the next deadline may have changed
	stop chan struct{}  // closed by Close
	work sync.WaitGroup // the clock's and the lines' goroutines
}

// New starts a shoe. Close it when done.
func New(o Options) (*Shoe, error) {
	if o.CutAfter < 0 || o.Decks < 0 || o.Jokers < 0 {
		return nil, fmt.Errorf("decks %d, Jokers %d, cut card after %d: none of them can be negative", o.Decks, o.Jokers, o.CutAfter)
	}
	if o.Decks == 0 {
		o.Decks = 6
	}
	if o.Serial == "" {
		o.Serial = "SIM-1"
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
	if err := s.Replug(); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	s.work.Go(s.keepTime)
	return s, nil
}

func (s *Shoe) makePath() error {
	if s.path != "" {
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
	id := Identity{
		Serial: s.options.Serial, Firmware: [3]uint8{1, 0, 0},
		Capabilities: wire.CanLock | wire.CanLight | wire.CanSeeCut | wire.HasKeys | wire.GivesConfidence,
	}
	if s.options.Continuous {
		id.Capabilities |= wire.IsShuffler
	}
	s.core, s.booted = NewCore(id, s.boot), time.Now()
	if s.options.Key != nil {
		s.core.Secure(*s.options.Key, rand.Uint64())
	}
}

// Path is the name of the port, the same over Unplug and Replug; it does not
// exist while the shoe is unplugged.
func (s *Shoe) Path() string { return s.path }

// Close takes the shoe away. A host sees its port vanish.
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

// Unplug pulls the cable. The shoe has its own power and goes on.
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
	return l.close()
}

// Replug puts the cable in again: a new port under the same name. If it is in
// already, nothing happens.
func (s *Shoe) Replug() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return ErrClosed
	}
	if s.line != nil {
		return nil
	}
	l, err := openLine(s.path)
	if err != nil {
		return err
	}
	s.line = l
	s.work.Go(func() { s.listen(l) })
	s.advance(nil)
	return nil
}

// Reboot cuts the power for a moment: the queue is lost, lock and lamp are off,
// and a new boot id begins. The cards stay as they are.
func (s *Shoe) Reboot() error {
	return s.do(func(time.Duration) error {
		s.boot++
		if s.boot == 0 {
			s.boot = 1
		}
		s.start()
		return nil
	})
}

// listen takes in what comes on one line until it is unplugged.
func (s *Shoe) listen(l *line) {
	buf := make([]byte, 256)
	for {
		n, err := l.master.Read(buf)
		s.mu.Lock()
		if s.line != l {
			s.mu.Unlock()
			return
		}
		if err != nil {
			s.fault = errors.Join(s.fault, fmt.Errorf("reading from the host: %w", err))
			s.announce()
			s.mu.Unlock()
			return
		}
		in := buf[:n]
		if s.options.FromHost != nil {
			in = s.options.FromHost(in)
		}
		s.advance(in)
		s.mu.Unlock()
	}
}

// keepTime steps the core whenever a timer of it is due.
func (s *Shoe) keepTime() {
	for {
		s.mu.Lock()
		wait := s.core.Wake() - time.Since(s.booted)
		s.mu.Unlock()
		select {
		case <-s.stop:
			return
		case <-s.kick:
		case <-time.After(wait):
			s.mu.Lock()
			s.advance(nil)
			s.mu.Unlock()
		}
	}
}

// advance steps the core and sends what it has to say. The lock is held.
func (s *Shoe) advance(in []byte) {
	now := time.Since(s.booted)
	s.out = s.core.Step(now, in, s.out[:0])
	if len(s.out) > 0 && s.line != nil && !s.closed {
		s.transmit()
	}
	s.announce()
	select {
	case s.kick <- struct{}{}:
	default:
	}
}

func (s *Shoe) transmit() {
	out := s.out
	if s.options.ToHost != nil {
		out = s.options.ToHost(out)
	}
	var err error
	if !s.core.InSession() {
		err = s.line.forget()
	}
	if err = errors.Join(err, s.line.send(out)); err != nil {
		s.fault = errors.Join(s.fault, fmt.Errorf("sending to the host: %w", err))
	}
}

// announce wakes those who wait for a state. The lock is held.
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

// State is a look at the shoe.
type State struct {
	Boot      uint32
	Last      uint32 // number of the newest event
	Queued    int    // events not acknowledged
	InSession bool
	Locks     wire.LockBits
	Light     wire.Light
	CardsLeft int
	Plugged   bool
	Counts    Counts // since boot
	Fault     error  // the simulator's own trouble with its line
}

// State returns how the shoe is at this moment.
func (s *Shoe) State() State {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.state()
}

func (s *Shoe) state() State {
	return State{
		Boot: s.boot, Last: s.core.Last(), Queued: s.core.Queued(), InSession: s.core.InSession(),
		Locks: s.core.Locks(), Light: s.core.Light(), CardsLeft: len(s.stock.cards), Plugged: s.line != nil,
		Counts: s.core.Counts(), Fault: s.fault,
	}
}

// Await waits until the shoe is as wanted, and returns the state that was. An
// error, of ctx or because the shoe was closed, comes with the last state.
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
			return state, fmt.Errorf("the shoe did not become as wanted, it is %+v: %w", state, ctx.Err())
		}
	}
}
