package brokertest

import (
	"io"
	"net"
	"sync"
	"testing"
)

// Gate is a way through to a broker that a test can shut. It is open at first.
type Gate struct {
	listener net.Listener
	work     sync.WaitGroup

	mu     sync.Mutex
	target string
	shut   bool
	conns  map[net.Conn]struct{}
}

// NewGate opens a gate to the address. It ends with the test.
func NewGate(t testing.TB, target string) *Gate {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	g := &Gate{target: target, listener: listener, conns: map[net.Conn]struct{}{}}
	g.work.Go(g.accept)
	t.Cleanup(func() {
		if err := listener.Close(); err != nil {
			t.Errorf("close the gate: %v", err)
		}
		g.Shut()
		g.work.Wait()
	})
	return g
}

// Addr is where clients reach the broker through the gate.
func (g *Gate) Addr() string { return g.listener.Addr().String() }

// Shut cuts all connections without a goodbye, and every new one.
func (g *Gate) Shut() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.shut = true
	g.cut()
}

// Lead cuts all connections without a goodbye, and leads new ones to another broker.
func (g *Gate) Lead(target string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.target = target
	g.cut()
}

// Replace leads to another address where the gate leads to the first one.
func (g *Gate) Replace(former, target string) {
	if g.leads() == former {
		g.Lead(target)
	}
}

func (g *Gate) cut() {
	for conn := range g.conns {
		_ = conn.Close() // it may have ended by itself
	}
	clear(g.conns)
}

// leads is where new connections are led.
func (g *Gate) leads() string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.target
}

// Open lets new connections through.
func (g *Gate) Open() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.shut = false
}

func (g *Gate) accept() {
	for {
		near, err := g.listener.Accept()
		if err != nil {
			return
		}
		target := g.leads()
		far, err := net.Dial("tcp", target)
		if err != nil {
			_ = near.Close() // the client sees a broker that is not there
			continue
		}
		g.join(near, far, target)
	}
}

// join lets two connections speak to each other until one of them ends. The way may have changed since the far one was
// made.
func (g *Gate) join(near, far net.Conn, target string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.shut || g.target != target {
		_ = near.Close()
		_ = far.Close()
		return
	}
	g.conns[near], g.conns[far] = struct{}{}, struct{}{}
	g.work.Go(func() { carry(near, far) })
	g.work.Go(func() { carry(far, near) })
}

// carry copies until either side ends, and then ends both.
func carry(to, from net.Conn) {
	_, _ = io.Copy(to, from) // that it ends is all that matters
	_ = to.Close()
	_ = from.Close()
}
