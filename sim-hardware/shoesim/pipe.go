package shoesim

import (
	"sync"
	"time"

	"github.com/sabot-table/sabot/device"
)

// pipe is one direction of a line in memory. It holds everything written.
type pipe struct {
	mu      sync.Mutex
	held    []byte
	gone    bool
	changed chan struct{} // holds one value if something changed
}

func newPipe() *pipe { return &pipe{changed: make(chan struct{}, 1)} }

func (p *pipe) signal() {
	select {
	case p.changed <- struct{}{}:
	default:
	}
}

// write adds bytes, unless closed is closed or the pipe is gone.
func (p *pipe) write(b []byte, closed <-chan struct{}) error {
	select {
	case <-closed:
		return device.ErrClosed
	default:
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.gone {
		return device.ErrGone
	}
	p.held = append(p.held, b...)
	p.signal()
	return nil
}

// read waits for bytes until a time-out, until closed is closed, or until the pipe is gone.
func (p *pipe) read(b []byte, timeout <-chan time.Time, closed <-chan struct{}) (int, error) {
	for {
		select {
		case <-closed:
			return 0, device.ErrClosed
		default:
		}
		if n, gone := p.takeBytes(b); n > 0 {
			return n, nil
		} else if gone {
			return 0, device.ErrGone
		}
		select {
		case <-p.changed:
		case <-closed:
		case <-timeout:
			return 0, device.ErrTimeout
		}
	}
}

func (p *pipe) takeBytes(b []byte) (n int, gone bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	n = copy(b, p.held)
	p.held = append(p.held[:0], p.held[n:]...)
	if len(p.held) > 0 {
		p.signal()
	}
	return n, p.gone
}

// endPipe makes the pipe gone, once what it holds has been read.
func (p *pipe) endPipe() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.gone = true
	p.signal()
}
