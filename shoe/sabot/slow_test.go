package sabot

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sabot-table/sabot/device"
	"github.com/sabot-table/sabot/firmware-protocol/wire"
	"github.com/sabot-table/sabot/internal/testkit/bubble"
	"github.com/sabot-table/sabot/shoe"
	"github.com/sabot-table/sabot/sim-hardware/shoesim"
)

// memoryShoe is a shoe's firmware on a line in memory, for tests in which long
// times pass. Its port may be opened again after it was closed.
type memoryShoe struct {
	mu     sync.Mutex
	begun  time.Time
	core   *shoesim.Core
	inbox  []byte        // from the host
	noise  []byte        // arrives every 10 ms
	dead   time.Duration // when the shoe falls silent, if ever
	opened int
}

func newMemoryShoe() *memoryShoe {
	id := shoesim.Identity{Serial: "M", Capabilities: wire.CanLock}
	return &memoryShoe{begun: time.Now(), core: shoesim.NewCore(id, 7)}
}

func (s *memoryShoe) open(context.Context) (device.Port, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.opened++
	return &memoryPort{shoe: s, closed: make(chan struct{})}, nil
}

// change sets how the shoe behaves from now on.
func (s *memoryShoe) change(set func(*memoryShoe)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	set(s)
}

// draw draws a card: any, but the same each time.
func (s *memoryShoe) draw() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.core.Card(time.Since(s.begun), 9, wire.Hearts, 99)
}

func (s *memoryShoe) queued() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.core.Queued()
}

// say lets the firmware run and returns what it sends.
func (s *memoryShoe) say() []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Since(s.begun)
	out := s.core.Step(now, s.inbox, nil)
	s.inbox = nil
	if s.dead > 0 && now >= s.dead {
		out = nil
	}
	return append(out, s.noise...)
}

// memoryPort is one opening of the line.
type memoryPort struct {
	shoe   *memoryShoe
	once   sync.Once
	closed chan struct{}
}

func (p *memoryPort) Read(buf []byte) (int, error) {
	for range 10 {
		select {
		case <-p.closed:
			return 0, device.ErrClosed
		case <-time.After(10 * time.Millisecond):
		}
		if out := p.shoe.say(); len(out) > 0 {
			return copy(buf, out), nil
		}
	}
	return 0, device.ErrTimeout
}

func (p *memoryPort) Write(b []byte) (int, error) {
	p.shoe.mu.Lock()
	defer p.shoe.mu.Unlock()
	p.shoe.inbox = append(p.shoe.inbox, b...)
	return len(b), nil
}

func (p *memoryPort) Close() error {
	p.once.Do(func() { close(p.closed) })
	return nil
}

func (p *memoryPort) String() string { return "memory" }

// trial is a driver on a memoryShoe inside a synctest bubble.
type trial struct {
	shoe   *memoryShoe
	driver *Driver
	notes  notes
	busy   chan struct{}

	mu     sync.Mutex
	events []shoe.Event
}

// try runs the driver for as long as test takes. Each event waits until the
// table is not busy.
func try(t *testing.T, test func(t *testing.T, tr *trial)) {
	synctest.Test(t, func(t *testing.T) {
		tr := &trial{shoe: newMemoryShoe(), busy: make(chan struct{}, 1)}
		tr.driver = New(shoe.Options{Open: tr.shoe.open, Log: tr.notes.logger()})
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() {
			ended <- tr.driver.Run(ctx, func(e shoe.Event) {
				tr.busy <- struct{}{}
				tr.mu.Lock()
				tr.events = append(tr.events, e)
				tr.mu.Unlock()
				<-tr.busy
			})
		}()
		test(t, tr)
		cancel()
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Errorf("Run returned %v", err)
		}
	})
}

// kinds counts the events of a kind.
func (tr *trial) kinds(k shoe.Kind) (n int) {
	tr.mu.Lock()
	defer tr.mu.Unlock()
	for _, e := range tr.events {
		if e.Kind == k {
			n++
		}
	}
	return n
}

func (tr *trial) last() shoe.Event {
	tr.mu.Lock()
	defer tr.mu.Unlock()
	return tr.events[len(tr.events)-1]
}

func TestSlowTableIsNotADeadShoe(t *testing.T) {
	try(t, func(t *testing.T, tr *trial) {
		bubble.Settle(time.Second)
		tr.busy <- struct{}{}
		for range 20 {
			tr.shoe.draw()
		}
		bubble.Settle(5 * time.Minute)
		<-tr.busy
		bubble.Settle(time.Second)
		if tr.kinds(shoe.Up) != 1 || tr.kinds(shoe.Down) != 0 {
			t.Errorf("the link came up %d times and went down %d times; want up, once", tr.kinds(shoe.Up),
				tr.kinds(shoe.Down))
		}
		// Eight is what a shoe sends ahead of its acknowledgements.
		if tr.kinds(shoe.Drawn) != wire.Window || tr.shoe.queued() != 20 {
			t.Errorf("%d cards came, %d are kept by the shoe; want %d and 20", tr.kinds(shoe.Drawn), tr.shoe.queued(),
				wire.Window)
		}
		for range 3 {
			tr.driver.Stored(tr.last().Position)
			bubble.Settle(time.Second)
		}
		if tr.kinds(shoe.Drawn) != 20 || tr.shoe.queued() != 0 {
			t.Errorf("%d cards came, %d are kept by the shoe; want 20 and 0", tr.kinds(shoe.Drawn), tr.shoe.queued())
		}
	})
}

func TestSilentShoe(t *testing.T) {
	try(t, func(t *testing.T, tr *trial) {
		tr.shoe.change(func(s *memoryShoe) { s.dead = 10 * time.Second })
		bubble.Settle(11 * time.Second)
		if tr.kinds(shoe.Down) != 0 {
			t.Fatalf("down after a second of silence: %v", tr.last().Err)
		}
		bubble.Settle(time.Second)
		last := tr.last()
		if last.Kind != shoe.Down || !errors.Is(last.Err, ErrSilent) {
			t.Fatalf("after two seconds of silence the last event is %v, %v", last.Kind, last.Err)
		}
		bubble.Settle(10 * time.Minute)
		if tr.kinds(shoe.Down) != 1 || tr.notes.count("link is down") != 1 {
			t.Errorf("told %d times and logged %d times in ten minutes; want once", tr.kinds(shoe.Down),
				tr.notes.count("link is down"))
		}
		tr.shoe.change(func(s *memoryShoe) {
			if s.opened < 80 {
				t.Errorf("the port was opened %d times in ten minutes of silence; want it every few seconds", s.opened)
			}
		})
	})
}

func TestGarbageIsCountedNotFollowed(t *testing.T) {
	try(t, func(t *testing.T, tr *trial) {
		tr.shoe.change(func(s *memoryShoe) { s.noise = []byte{0, 5, 1, 2, 3, 4, 9, 9, 0} })
		for range 10 {
			tr.shoe.draw()
			bubble.Settle(6 * time.Second)
			tr.driver.Stored(tr.last().Position)
		}
		if tr.kinds(shoe.Drawn) != 10 || tr.kinds(shoe.Down) != 0 {
			t.Errorf("%d cards came, %d times down; want 10 cards and never down", tr.kinds(shoe.Drawn),
				tr.kinds(shoe.Down))
		}
		if s := tr.driver.Stats(); s.BadFrames < 1000 {
			t.Errorf("%d bad frames counted; want thousands", s.BadFrames)
		}
		if lines := tr.notes.count("damaged frames"); lines < 2 || lines > 7 {
			t.Errorf("a minute of garbage makes %d lines in the log; want one at once and one every ten seconds", lines)
		}
	})
}

func TestTalkativeShoe(t *testing.T) {
	try(t, func(t *testing.T, tr *trial) {
		bubble.Settle(time.Second)
		for range 100 {
			tr.shoe.change(func(s *memoryShoe) { s.core.Log(wire.LevelWarn, "dust") })
			bubble.Settle(20 * time.Millisecond)
		}
		bubble.Settle(time.Minute)
		if lines := tr.notes.count("dust"); lines != linesEvery {
			t.Errorf("%d lines of the shoe were logged, want %d", lines, linesEvery)
		}
		if tr.notes.count("log lines of the shoe dropped") == 0 {
			t.Error("the dropped lines are not logged")
		}
	})
}

// deafPort takes no bytes.
type deafPort struct{ *memoryPort }

var errDeaf = errors.New("takes no bytes")

func (deafPort) Write([]byte) (int, error) { return 0, errDeaf }

func TestPortThatTakesNoBytes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		line := newMemoryShoe()
		open := func(ctx context.Context) (device.Port, error) {
			p, err := line.open(ctx)
			return deafPort{p.(*memoryPort)}, err
		}
		ctx, cancel := context.WithCancel(t.Context())
		var last shoe.Event
		err := New(shoe.Options{Open: open, Log: slog.New(slog.DiscardHandler)}).Run(ctx, func(e shoe.Event) {
			last = e
			cancel()
		})
		if !errors.Is(err, context.Canceled) || last.Kind != shoe.Down || !errors.Is(last.Err, errDeaf) {
			t.Errorf("Run returned %v after %v, %v; want down for the write's error", err, last.Kind, last.Err)
		}
	})
}
