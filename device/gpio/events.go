package gpio

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"time"

	"golang.org/x/sys/unix"

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

// input is a line that was requested as an input.
type input struct {
	line Line
	fd   int
	// number is the last edge's.
	number uint32
}

// events reads what the kernel recorded for several inputs.
type events struct {
	inputs []input
	polled []unix.PollFd
	edges  []keys.Edge
	buf    [queued * eventSize]byte
}

func (v *events) add(l Line, fd int) error {
	if err := unix.SetNonblock(fd, true); err != nil {
		return l.fault("open", err, "")
	}
	v.inputs = append(v.inputs, input{line: l, fd: fd})
	v.polled = append(v.polled, unix.PollFd{Fd: int32(fd), Events: unix.POLLIN})
	return nil
}

// read takes everything that is there, in the order in which it happened.
func (v *events) read() ([]keys.Edge, error) {
	v.edges = v.edges[:0]
	for key := range v.inputs {
		if err := v.drain(key); err != nil {
			return v.edges, err
		}
	}
	slices.SortStableFunc(v.edges, func(a, b keys.Edge) int { return int(a.At - b.At) })
	return v.edges, nil
}

// drain reads one line's edges until there are none.
func (v *events) drain(key int) error {
	in := &v.inputs[key]
	for {
		n, err := unix.Read(in.fd, v.buf[:])
		switch {
		case errors.Is(err, unix.EAGAIN):
			return nil
		case errors.Is(err, unix.EINTR):
			continue
		case err != nil:
			return in.line.fault("read", fmt.Errorf("%w (%w)", ErrGone, err), "check the chip, then restart the daemon")
		case n < eventSize:
			return in.line.fault("read", ErrGone, "check the chip, then restart the daemon")
		}
		for at := 0; at+eventSize <= n; at += eventSize {
			v.edges = append(v.edges, in.edge(key, v.buf[at:at+eventSize]))
		}
	}
}

// edge reads one record.
func (in *input) edge(key int, record []byte) keys.Edge {
	order := binary.NativeEndian
	number := order.Uint32(record[eventNumber:])
	e := keys.Edge{
		Key:    key,
		Closed: in.line.closed(order.Uint32(record[eventID:]) == rising),
		At:     time.Duration(order.Uint64(record[eventTime:])),
		Lost:   number != in.number+1,
	}
	in.number = number
	return e
}

// closed says whether a contact is closed while its line is high, or is not.
func (l Line) closed(high bool) bool { return high == l.activeHigh }

// look is the longest wait before the lines are checked again: kernels before 6.5 do not wake a waiter when a chip
// vanishes.
const look = 200 * time.Millisecond

// await waits until there is something to read, but no longer than look.
func (v *events) await(most time.Duration) error {
	most = min(most, look)
	ms := int((most + time.Millisecond - 1) / time.Millisecond)
	if _, err := unix.Poll(v.polled, ms); err != nil && !errors.Is(err, unix.EINTR) {
		return err
	}
	for key := range v.polled {
		// Such a line has nothing to read, and never will.
		if got := v.polled[key].Revents; got&unix.POLLIN == 0 && got&(unix.POLLERR|unix.POLLHUP|unix.POLLNVAL) != 0 {
			return v.inputs[key].line.fault("read", ErrGone, "check the chip, then restart the daemon")
		}
	}
	return nil
}

// monotonic is the clock by which the kernel times edges.
func monotonic() (time.Duration, error) {
	var now unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &now); err != nil {
		return 0, err
	}
	return time.Duration(now.Nano()), nil
}
