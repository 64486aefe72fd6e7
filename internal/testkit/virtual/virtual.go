// Package virtual is for tests in a bubble of testing/synctest, whose clock goes on only when everybody waits.
package virtual

import (
	"net"
	"sync"
	"testing/synctest"
	"time"
)

// Pass lets so much time pass, and returns when everything that is due by then was done. It panics outside of a bubble:
// no test waits there for something to happen.
func Pass(d time.Duration) {
	synctest.Wait()
	time.Sleep(d)
	synctest.Wait()
}

// Listener is a listener without a network, to which nobody connects but by Dial.
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

// Dial connects, if the listener accepts. Nothing is kept between the two ends: who writes waits until the other reads.
func (l *Listener) Dial() (net.Conn, error) {
	near, far := net.Pipe()
	select {
	case l.dialled <- local{far}:
		return near, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

// local is a connection from this computer.
type local struct{ net.Conn }

func (local) LocalAddr() net.Addr  { return address }
func (local) RemoteAddr() net.Addr { return address }

var address = &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 1}

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

// Addr is an address of this computer.
func (*Listener) Addr() net.Addr { return address }
