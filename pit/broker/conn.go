package broker

import (
	"errors"
	"net"
	"os"
	"sync/atomic"
	"time"
)

// maxWrite is how long one reader may keep a write waiting. The library holds a lock
// meanwhile, and so the publisher whose message it is.
const maxWrite = 3 * time.Second

// conn is a client's connection that does not wait for ever on a client that has
// stopped reading.
type conn struct {
	net.Conn
	// stuck says that the client kept a write waiting for too long.
	stuck atomic.Bool
	// told says that the log has it already why the connection ended.
	told atomic.Bool
}

// Write sends to the client, and hangs up on one that does not read.
func (c *conn) Write(b []byte) (int, error) {
	if err := c.SetWriteDeadline(time.Now().Add(maxWrite)); err != nil {
		return 0, err
	}
	n, err := c.Conn.Write(b)
	if errors.Is(err, os.ErrDeadlineExceeded) {
		c.stuck.Store(true)
		hangUp(c.Conn)
	}
	return n, err
}

// SetDeadline is how the library says until when the client must be heard of. It
// means nothing for writes, which have a deadline of their own.
func (c *conn) SetDeadline(t time.Time) error { return c.SetReadDeadline(t) }
