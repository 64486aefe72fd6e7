package transcript

import (
	"fmt"
	"io"
)

const (
	// behindMost is how many buffers may wait to be written.
	behindMost = 2
	// bufferFull is the length from which on a buffer is written, bufferSize leaves
	// room for what an input adds to it.
	bufferFull, bufferSize = 64 << 10, 72 << 10
)

// behind writes buffers on a goroutine of its own, while the next is filled.
type behind struct {
	// buf is what is being filled.
	buf        []byte
	full, free chan []byte
	failed     chan struct{}
	done       chan error
}

// writeBehind writes to w; what is written is named in errors.
func writeBehind(w io.Writer, what string) *behind {
	b := &behind{
		full: make(chan []byte, behindMost), free: make(chan []byte, behindMost),
		failed: make(chan struct{}), done: make(chan error, 1),
	}
	for range behindMost {
		b.free <- make([]byte, 0, bufferSize)
	}
	b.buf = make([]byte, 0, bufferSize)
	go b.write(w, what)
	return b
}

func (b *behind) write(w io.Writer, what string) {
	for buf := range b.full {
		if _, err := w.Write(buf); err != nil {
			close(b.failed)
			b.done <- fmt.Errorf("writing %s: %w", what, err)
			return
		}
		b.free <- buf[:0]
	}
	b.done <- nil
}

// flush passes the buffer on if it is full. It returns false once writing failed.
func (b *behind) flush() bool {
	if len(b.buf) < bufferFull {
		return true
	}
	return b.pass()
}

func (b *behind) pass() bool {
	select {
	case <-b.failed:
		return false
	case b.full <- b.buf:
	}
	select {
	case <-b.failed:
		return false
	case b.buf = <-b.free:
		return true
	}
}

// end writes what is left, and returns why something could not be written.
func (b *behind) end() error {
	if len(b.buf) > 0 {
		b.pass()
	}
	close(b.full)
	return <-b.done
}
