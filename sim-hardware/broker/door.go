package broker

import (
	"log/slog"
	"net"
	"sync"
	"time"

	"github.com/mochi-mqtt/server/v2/listeners"
)

// door lets clients in. Unlike the broker library's own listeners it closes before the
// clients are disconnected, and knows connections that have not sent CONNECT yet: closing
// waits for all of them, but for none of them forever.
type door struct {
	listener net.Listener
	log      *slog.Logger
	patience time.Duration // of each connection

	guests sync.WaitGroup // the accepting loop and each connection

	mu     sync.Mutex
	open   map[*conn]struct{}
	closed bool
}

func newDoor(listener net.Listener, log *slog.Logger, patience time.Duration) *door {
	d := &door{listener: listener, log: log, patience: patience, open: map[*conn]struct{}{}}
	d.guests.Add(1) // for Serve
	return d
}

// ID names the listener for the library.
func (d *door) ID() string { return "door" }

// Protocol names the transport for the library.
func (d *door) Protocol() string { return "tcp" }

// Address is the address on which the door listens.
func (d *door) Address() string { return d.listener.Addr().String() }

// Init has nothing to do: the port is already open.
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
		client := &conn{Conn: accepted, patience: d.patience}
		if !d.admit(client) {
			return
		}
		go d.serve(client, establish)
	}
}

// Close closes the door, hangs up on all clients and waits until they have gone. It does
// not use the library's way of disconnecting clients, which writes to them first and so
// waits for one that does not read.
func (d *door) Close(listeners.CloseFn) {
	d.mu.Lock()
	d.closed = true
	d.mu.Unlock()
	if err := d.listener.Close(); err != nil {
		d.log.Warn("closing the port failed: it is closed with the program", "error", err)
	}
	d.mu.Lock()
	for client := range d.open {
		hangUp(client)
	}
	d.mu.Unlock()
	d.guests.Wait()
}

// admit notes a connection, or ends it if the door has been closed in the meantime.
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

// serve serves one client until it has gone.
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

// stopped logs why no more clients are let in, unless the door was closed.
func (d *door) stopped(err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.closed {
		d.log.Error("the MQTT broker takes no more clients: restart the program", "error", err)
	}
}

// hangUp closes a connection. It does not matter if it is already closed.
func hangUp(client net.Conn) { _ = client.Close() }
