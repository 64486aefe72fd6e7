package shoesim

import (
	"errors"
	"fmt"
	"net"
	"sync"
	"time"
)

// network is a line through a serial-to-network converter: one host at a time connects to it, and what is sent while
// none is there is lost.
type network struct {
	listener net.Listener
	mu       sync.Mutex
	host     net.Conn // nil while no host is connected
	closed   bool
}

func openNetwork(address string) (*network, error) {
	l, err := net.Listen("tcp", address)
	if err != nil {
		return nil, fmt.Errorf("listening for the host: %w; is another program using the port?", err)
	}
	return &network{listener: l}, nil
}

// address is where the line can be reached.
func (l *network) address() string { return l.listener.Addr().String() }

// read waits for a host if there is none; it then returns without a byte, as it does
// when the host hangs up.
func (l *network) read(p []byte) (int, error) {
	host := l.connected()
	if host == nil {
		return 0, l.accept()
	}
	n, err := host.Read(p)
	if err != nil {
		l.gone(host)
	}
	return n, nil
}

func (l *network) connected() net.Conn {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.host
}

func (l *network) accept() error {
	host, err := l.listener.Accept()
	if err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return errors.Join(net.ErrClosed, host.Close())
	}
	l.host = host
	return nil
}

// gone forgets a host that has hung up.
func (l *network) gone(host net.Conn) {
	host.Close()
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.host == host {
		l.host = nil
	}
}

// patience is how long a host may take to make room. A live host takes bytes at once.
const patience = 100 * time.Millisecond

func (l *network) send(p []byte) error {
	host := l.connected()
	if host == nil {
		return nil
	}
	if err := host.SetWriteDeadline(time.Now().Add(patience)); err != nil {
		return nil // it has hung up; read handles that
	}
	if _, err := host.Write(p); err != nil {
		l.gone(host)
	}
	return nil
}

func (l *network) hosted() bool { return l.connected() != nil }

func (l *network) close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = true
	err := l.listener.Close()
	if l.host != nil {
		l.host.Close() // possibly a second time
	}
	return err
}
