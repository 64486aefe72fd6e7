package simtest

import (
	"context"
	"errors"
	"net"
	"sync"
	"time"

	"github.com/sabot-table/sabot/device"
	"github.com/sabot-table/sabot/internal/testkit/bubble"
	"github.com/sabot-table/sabot/internal/testkit/disktest"
)

// errDead is what a killed process would get from its ports, if it could still ask.
var errDead = errors.New("the process was killed")

// life is one life of the table, from its start to its end. Once it is killed nothing of it gets out any more: disk,
// shoe and broker are frozen at that moment, whatever its goroutines still do.
type life struct {
	world *World
	disk  *disktest.Disk
	once  sync.Once
	dead  chan struct{}

	mu    sync.Mutex
	conns []net.Conn
	// power, if not 0, says that the power was cut, and decides what the disk lost.
	power uint64
	// kept says that the shoe's port keeps what nobody has read.
	kept bool
	// takes is how long the next write takes.
	takes time.Duration
}

// kill ends the process at this moment. part is what it leaves of the operation on the disk that comes next.
func (l *life) kill(part disktest.Part, power uint64, kept bool) {
	l.once.Do(func() {
		l.disk.CrashAt(l.disk.Operations()+1, part)
		l.mu.Lock()
		conns := l.conns
		l.power, l.kept = power, kept
		l.mu.Unlock()
		close(l.dead)
		for _, c := range conns {
			_ = c.Close()
		}
	})
}

func (l *life) killed() bool {
	select {
	case <-l.dead:
		return true
	default:
		return false
	}
}

// slow waits as long as the disk takes.
func (l *life) slow() {
	l.mu.Lock()
	d := l.takes
	l.takes = 0
	l.mu.Unlock()
	if d > 0 {
		bubble.Pass(d)
	}
}

// leaves is the disk that the next life finds.
func (l *life) leaves() *disktest.Disk {
	l.mu.Lock()
	power := l.power
	l.mu.Unlock()
	if power != 0 {
		return l.disk.PowerCut(power)
	}
	return l.disk.Kill()
}

// openShoe opens the port of whichever shoe is plugged in.
func (l *life) openShoe(ctx context.Context) (device.Port, error) {
	if l.killed() {
		return nil, errDead
	}
	p, err := l.world.rack.open(ctx)
	if err != nil {
		return nil, err
	}
	return &lifePort{Port: p, life: l}, nil
}

// lifePort is the shoe's port as one life of the table sees it.
type lifePort struct {
	device.Port
	life *life
	once sync.Once
	late []byte // came after the kill
}

func (p *lifePort) Read(b []byte) (int, error) {
	if p.life.killed() {
		return 0, p.gone("read")
	}
	n, err := p.Port.Read(b)
	if p.life.killed() {
		p.late = append(p.late, b[:n]...)
		return 0, p.gone("read")
	}
	return n, err
}

func (p *lifePort) Write(b []byte) (int, error) {
	p.life.world.tick(Send)
	if p.life.killed() {
		return 0, p.gone("write")
	}
	return p.Port.Write(b)
}

func (p *lifePort) gone(op string) error {
	return &device.Error{Op: op, Port: p.Port.String(), Err: device.ErrClosed}
}

// Close closes the port, unless it outlives the process.
func (p *lifePort) Close() error {
	p.life.mu.Lock()
	kept := p.life.kept
	p.life.mu.Unlock()
	if kept && p.life.killed() {
		p.once.Do(func() { p.life.world.rack.leave(p) })
		return nil
	}
	return p.Port.Close()
}

// dial connects to the broker.
func (l *life) dial(ctx context.Context, _ string) (net.Conn, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.killed() {
		return nil, errDead
	}
	c, err := l.world.broker.dial()
	if err != nil {
		return nil, err
	}
	l.conns = append(l.conns, c)
	return c, nil
}
