// Package pipenet is a network within the test's process, whose connections keep to the virtual time of testing/synctest.
package pipenet

import (
	"context"
	"net"
	"sync"
)

// Listener takes the connections that Dial makes.
type Listener struct {
	conns  chan net.Conn
	closed chan struct{}
	once   sync.Once
}

// Listen returns a listener. Nothing listens on a real port.
func Listen() *Listener { return &Listener{conns: make(chan net.Conn), closed: make(chan struct{})} }

// Accept returns the next connection.
func (l *Listener) Accept() (net.Conn, error) {
	select {
	case c := <-l.conns:
		return c, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

// Close ends Accept; closing twice is none of a server's faults.
func (l *Listener) Close() error {
	l.once.Do(func() { close(l.closed) })
	return nil
}

// Addr is an address on this computer, as a server expects one.
func (l *Listener) Addr() net.Addr { return address(8443) }

// Dial connects to the listener, from another of this computer's ports. It fits http.Transport's DialContext.
func (l *Listener) Dial(ctx context.Context, _, _ string) (net.Conn, error) {
	near, far := net.Pipe()
	select {
	case l.conns <- placed{far, l.Addr()}:
		return near, nil
	case <-l.closed:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// placed is the listener's end of a connection.
type placed struct {
	net.Conn
	at net.Addr
}

func (p placed) LocalAddr() net.Addr  { return p.at }
func (p placed) RemoteAddr() net.Addr { return address(40000) }

func address(port int) net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: port} }
