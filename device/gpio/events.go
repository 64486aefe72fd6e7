package gpio

import (
	"encoding/binary"
	"errors"
	"io"
	"syscall"
	"time"

	"github.com/sabot-table/sabot/device/keys"
)

// The kernel's record of an edge, struct gpio_v2_line_event of linux/gpio.h.
const (
	eventSize   = 48
	eventTime   = 0  // 64 bits: nanoseconds of the monotonic clock
	eventID     = 8  // 32 bits: 1 for a rising edge, 2 for a falling one
	eventNumber = 20 // 32 bits: counts the line's edges from 1
	rising      = 1
)

// queued is how many edges the kernel keeps per line; older ones are lost.
const queued = 16

// reader reads the edges of one line that was requested as an input.
type reader struct {
	fd int
	// number is the last edge's.
	number uint32
	buf    [queued * eventSize]byte
}

func newReader(fd int) (*reader, error) {
	if err := setNonblock(fd); err != nil {
		return nil, err
	}
	return &reader{fd: fd}, nil
}

// drain reads the line's edges until there are none. An error means that there will be no more.
func (r *reader) drain(key int, is Line, take func(keys.Edge)) error {
	for {
		n, err := read(r.fd, r.buf[:])
		switch {
		case errors.Is(err, syscall.EAGAIN):
			return nil
		case errors.Is(err, syscall.EINTR):
			continue
		case err != nil:
			return err
		case n < eventSize:
			return io.ErrUnexpectedEOF
		}
		for at := 0; at+eventSize <= n; at += eventSize {
			take(r.edge(key, is, r.buf[at:at+eventSize]))
		}
	}
}

// edge reads one record.
func (r *reader) edge(key int, is Line, record []byte) keys.Edge {
	order := binary.NativeEndian
	number := order.Uint32(record[eventNumber:])
	e := keys.Edge{
		Key:    key,
		Closed: is.closed(order.Uint32(record[eventID:]) == rising),
		At:     time.Duration(order.Uint64(record[eventTime:])),
		Lost:   number != r.number+1,
	}
	r.number = number
	return e
}

// closed says whether a contact is closed while its line is high, or is not.
func (l Line) closed(high bool) bool { return high == l.activeHigh }
