package broker

import (
	"log/slog"
	"net"
	"sync"

	"github.com/mochi-mqtt/server/v2/listeners"
)

// door lets clients in. Unlike the broker library's own listeners it is shut before
// the clients are sent away, and knows connections that have not introduced
// themselves yet: closing waits for everybody, and for nobody for ever.
type door struct {
	listener net.Listener
	log      *slog.Logger

	guests sync.WaitGroup // the accepting loop and each connection

	mu     sync.Mutex
	open   map[*conn]struct{}
	closed bool
}

func newDoor(listener net.Listener, log *slog.Logger) *door {
	d := &door{listener: listener, log: log, open: map[*conn]struct{}{}}
	d.guests.Add(1) // for Serve
	return d
}

// ID names the listener towards the library.
func (d *door) ID() string { return "door" }

// Protocol names the transport towards the library.
func (d *door) Protocol() string { return "tcp" }

// Address is where the door is.
func (d *door) Address() string { return d.listener.Addr().String() }

// Init has nothing to do: the port is open already.
func (d *door) Init(*slog.Logger) error { return nil }

// Serve lets clients in until Close.
func (d *door) Serve(establish listeners.EstablishFn) {
	defer d.guests.Done()
	for {
		accepted, err := d.listener.Accept()
		if err != nil {
			d.stopped(err)
			return
		}
		client := &conn{Conn: accepted}
		if !d.admit(client) {
			return
		}
		go d.serve(client, establish)
	}
}

// Close shuts the door, hangs up on all clients and waits until they have gone. The
// library's way of sending clients away is not used: it writes to them first, and
// so waits for one that does not read.
func (d *door) Close(listeners.CloseFn) {
	d.mu.Lock()
	d.closed = true
	d.mu.Unlock()
	if err := d.listener.Close(); err != nil {
		d.log.Warn("closing the port failed", "error", err)
	}
	d.mu.Lock()
	for client := range d.open {
		hangUp(client)
	}
	d.mu.Unlock()
	d.guests.Wait()
}

// admit notes a connection, or ends it if the door has been shut meanwhile.
func (d *door) admit(client *conn) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		hangUp(client)
		return false
	}
	d.open[client] = struct{}{}
	d.guests.Add(1)
	return true
}

// serve stays with one client to its end.
func (d *door) serve(client *conn, establish listeners.EstablishFn) {
	defer d.guests.Done()
	if err := establish(d.ID(), client); err != nil {
		d.log.Debug("client gone", "remote", client.RemoteAddr().String(), "error", err)
	}
	d.mu.Lock()
	delete(d.open, client)
	d.mu.Unlock()
	hangUp(client)
}

// stopped says why nobody is let in any more, unless that was wanted.
func (d *door) stopped(err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.closed {
		d.log.Error("the MQTT broker takes no more clients: restart the program", "error", err)
	}
}

// hangUp closes a connection that may be closed already, which is no matter.
func hangUp(client net.Conn) { _ = client.Close() }
