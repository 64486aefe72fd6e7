package shoetest

import (
	"errors"
	"io"
	"net"
	"sync"

	"github.com/sabot-table/sabot/internal/testkit/system"
)

// CLine is what a line does to the bytes on their way, if anything: its functions return what arrives. Each is called
// from one goroutine at a time.
type CLine struct{ ToHost, FromHost func([]byte) []byte }

// port is a shoe's port on the network: one host at a time connects to it, and what is sent while none is there is
// lost. Its methods may be called from any goroutine.
type port struct {
	line    CLine
	shoe    io.ReadWriteCloser
	address string

	mu       sync.Mutex
	listener net.Listener // nil while unplugged
	host     net.Conn     // nil while no host is connected
	work     sync.WaitGroup
}

// newPort connects a shoe to a port at an address, which must stay free while it is unplugged. It closes the shoe's
// line with the port.
func newPort(shoe io.ReadWriteCloser, address string, line CLine) (*port, error) {
	p := &port{line: line, shoe: shoe, address: address}
	if err := p.Replug(); err != nil {
		return nil, errors.Join(err, shoe.Close())
	}
	p.work.Go(func() { carry(p, shoe, line.ToHost) })
	return p, nil
}

// Path is the port's address, the same over Unplug and Replug.
func (p *port) Path() string { return "tcp://" + p.address }

// Unplug pulls the cable.
func (p *port) Unplug() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.listener == nil {
		return nil
	}
	err := system.Close(p.listener)
	p.listener = nil
	if p.host != nil {
		p.host.Close() //nolint:errcheck // possibly a second time
		p.host = nil
	}
	return err
}

// Replug puts the cable in again.
func (p *port) Replug() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	l, err := net.Listen("tcp", p.address)
	if err != nil {
		return err
	}
	p.listener = l
	p.work.Go(func() { p.serve(l) })
	return nil
}

// serve serves one host after the other, until the cable is pulled. A host that is gone was killed, or has hung up.
func (p *port) serve(l net.Listener) {
	for {
		host, err := l.Accept()
		if err != nil {
			return
		}
		p.mu.Lock()
		if p.listener == l {
			p.host = host
		} else {
			host.Close() //nolint:errcheck // it came while the cable was pulled
		}
		p.mu.Unlock()
		carry(p.shoe, host, p.line.FromHost)
		host.Close() //nolint:errcheck // possibly a second time
	}
}

// Write sends to the host, if there is one.
func (p *port) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.host != nil {
		p.host.Write(b) //nolint:errcheck // of a host that is gone, serve hears
	}
	return len(b), nil
}

// carry carries bytes as long as some come.
func carry(to io.Writer, from io.Reader, line func([]byte) []byte) {
	buf := make([]byte, 256)
	for {
		n, err := from.Read(buf)
		if err != nil {
			return
		}
		b := buf[:n]
		if line != nil {
			b = line(b)
		}
		if _, err := to.Write(b); err != nil {
			return
		}
	}
}

// Close removes the port.
func (p *port) Close() error {
	err := errors.Join(p.Unplug(), p.shoe.Close())
	p.work.Wait()
	return err
}
