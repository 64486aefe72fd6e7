package bubble

import (
	"context"
	"net"
	"sync"
)

// Listener is a listener without a network, whose connections keep to the bubble's time. Nobody connects but by Dial.
type Listener struct {
	dialled chan net.Conn
	closed  chan struct{}
	close   func()
}

// Listen returns a listener. It belongs to the bubble in which it is made.
func Listen() *Listener {
	l := &Listener{dialled: make(chan net.Conn), closed: make(chan struct{})}
	l.close = sync.OnceFunc(func() { close(l.closed) })
	return l
}

// Dial connects to the listener, from another of this computer's ports. It fits http.Transport's DialContext. Nothing
// is kept between the two ends: who writes waits until the other reads.
func (l *Listener) Dial(ctx context.Context, _, _ string) (net.Conn, error) {
	near, far := net.Pipe()
	select {
	case l.dialled <- placed{far, l.Addr()}:
		return near, nil
	case <-l.closed:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Accept waits for a connection.
func (l *Listener) Accept() (net.Conn, error) {
	select {
	case c := <-l.dialled:
		return c, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

// Close ends Accept.
func (l *Listener) Close() error {
	l.close()
	return nil
}

// Addr is an address on this computer, as a server expects one.
func (l *Listener) Addr() net.Addr { return address(443) }

// placed is the listener's end of a connection.
type placed struct {
	net.Conn
	at net.Addr
}

func (p placed) LocalAddr() net.Addr  { return p.at }
func (p placed) RemoteAddr() net.Addr { return address(40000) }

func address(port int) net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: port} }
