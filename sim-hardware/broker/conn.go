package broker

import (
	"errors"
	"net"
	"os"
	"sync/atomic"
	"time"
)

// maxWrite is how long one reader may keep a write waiting, unless a test says otherwise. In the meantime the library
// holds a lock, and with it the publisher of the message.
const maxWrite = 3 * time.Second

// conn is a client's connection that does not wait forever for a client that has stopped
// reading.
type conn struct {
	net.Conn
	// patience is how long the client may keep a write waiting.
	patience time.Duration
	// stuck says that the client kept a write waiting for too long.
	stuck atomic.Bool
	// logged says that the log already has the reason why the connection ended.
	logged atomic.Bool
}

// Write sends to the client, and hangs up on one that does not read.
func (c *conn) Write(b []byte) (int, error) {
	if err := c.SetWriteDeadline(time.Now().Add(c.patience)); err != nil {
		return 0, err
	}
	n, err := c.Conn.Write(b)
	if errors.Is(err, os.ErrDeadlineExceeded) {
		c.stuck.Store(true)
		hangUp(c.Conn)
	}
	return n, err
}

// SetDeadline is how the library sets the time by which the client must send something. It
// does not affect writes, which have a deadline of their own.
func (c *conn) SetDeadline(t time.Time) error { return c.SetReadDeadline(t) }
