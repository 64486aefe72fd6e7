package shoesim

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/sabot-table/sabot/device"
)

// inMemory is a line without a kernel, for tests in simulated time. What is sent while no host has opened it is lost.
type inMemory struct {
	toShoe *pipe
	mu     sync.Mutex
	host   *memoryPort // nil while no host has it open
}

func newInMemory() *inMemory { return &inMemory{toShoe: newPipe()} }

func (l *inMemory) read(p []byte) (int, error) { return l.toShoe.read(p, nil, nil) }

func (l *inMemory) send(p []byte) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.host != nil {
		return l.host.fromShoe.write(p, nil)
	}
	return nil
}

func (l *inMemory) hosted() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.host != nil
}

func (l *inMemory) close() error {
	l.toShoe.endPipe()
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.host != nil {
		l.host.fromShoe.endPipe()
	}
	return nil
}

// open returns the host's end, and takes it from the previous host.
func (l *inMemory) open() *memoryPort {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.host = &memoryPort{line: l, fromShoe: newPipe(), closed: make(chan struct{})}
	return l.host
}

// memoryPort is a host's end, once opened.
type memoryPort struct {
	line     *inMemory
	fromShoe *pipe
	once     sync.Once
	closed   chan struct{}
}

var _ device.Port = (*memoryPort)(nil)

// Open opens the host's end of a shoe that is on a line in memory. It is a
// device.Opener.
func (s *Shoe) Open(context.Context) (device.Port, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if l, ok := s.line.(*inMemory); ok {
		return l.open(), nil
	}
	return nil, &device.Error{Op: "open", Port: s.path, Err: device.ErrNotFound}
}

func (p *memoryPort) Read(b []byte) (int, error) {
	timeout := time.NewTimer(device.DefaultReadTimeout)
	defer timeout.Stop()
	n, err := p.fromShoe.read(b, timeout.C, p.closed)
	if err != nil && !errors.Is(err, device.ErrTimeout) {
		err = p.fail("read", err)
	}
	return n, err
}

func (p *memoryPort) Write(b []byte) (int, error) {
	if err := p.line.toShoe.write(b, p.closed); err != nil {
		return 0, p.fail("write", err)
	}
	return len(b), nil
}

func (p *memoryPort) fail(op string, why error) error {
	return &device.Error{Op: op, Port: p.String(), Err: why}
}

func (p *memoryPort) Close() error {
	p.once.Do(func() {
		close(p.closed)
		p.line.mu.Lock()
		defer p.line.mu.Unlock()
		if p.line.host == p {
			p.line.host = nil
		}
	})
	return nil
}

func (p *memoryPort) String() string { return "memory" }
