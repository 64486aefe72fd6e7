package shoesim

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
)

// BridgeOptions describe what is between a host and firmware that runs elsewhere.
type BridgeOptions struct {
	// Link is where the port's stable name is made; if empty, in a temporary
	// directory that Close removes.
	Link string
	// ToHost and FromHost, if set, are what the line does to the bytes on their way:
	// they return what arrives. Each is called from one goroutine at a time.
	ToHost, FromHost func([]byte) []byte
}

// Bridge is a port like a Shoe's, with other firmware than a Core on it. Its methods may be called from any goroutine.
type Bridge struct {
	options BridgeOptions
	far     io.ReadWriteCloser
	path    string
	tempDir string

	mu     sync.Mutex
	line   *terminal // nil while unplugged
	closed bool
	fault  error
	work   sync.WaitGroup
}

// NewBridge connects the firmware at far to a port. Close it when done; that closes far.
func NewBridge(far io.ReadWriteCloser, o BridgeOptions) (*Bridge, error) {
	b := &Bridge{options: o, far: far, path: o.Link}
	if b.path == "" {
		dir, err := os.MkdirTemp("", "shoesim-")
		if err != nil {
			return nil, errors.Join(fmt.Errorf("making a directory for the shoe's port: %w", err), far.Close())
		}
		b.tempDir, b.path = dir, filepath.Join(dir, "shoe")
	}
	if err := b.Replug(); err != nil {
		return nil, errors.Join(err, b.Close())
	}
	b.work.Go(b.carryToHost)
	return b, nil
}

// Path is the name of the port, the same over Unplug and Replug.
func (b *Bridge) Path() string { return b.path }

// Unplug pulls the cable.
func (b *Bridge) Unplug() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.unplug()
}

func (b *Bridge) unplug() error {
	if b.line == nil {
		return nil
	}
	l := b.line
	b.line = nil
	return l.close()
}

// Replug puts the cable in again: a new port under the same name. If it is in already,
// nothing happens.
func (b *Bridge) Replug() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return ErrClosed
	}
	if b.line != nil {
		return nil
	}
	l, err := openTerminal(b.path)
	if err != nil {
		return err
	}
	b.line = l
	b.work.Go(func() { b.carryFromHost(l) })
	return nil
}

// Release does what a port does when its host was killed: what the host did not read is lost, and the next host may
// open it.
func (b *Bridge) Release() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.line == nil {
		return nil
	}
	return b.line.forget()
}

// Close removes the port, and returns what went wrong with it.
func (b *Bridge) Close() error {
	b.mu.Lock()
	if b.closed {
		b.mu.Unlock()
		return nil
	}
	b.closed = true
	err := errors.Join(b.unplug(), b.far.Close())
	b.mu.Unlock()
	b.work.Wait()
	if b.tempDir != "" {
		err = errors.Join(err, os.RemoveAll(b.tempDir))
	}
	return errors.Join(b.fault, err)
}

func (b *Bridge) carryToHost() {
	buf := make([]byte, 256)
	for {
		n, err := b.far.Read(buf)
		out := buf[:n]
		if n > 0 && b.options.ToHost != nil {
			out = b.options.ToHost(out)
		}
		b.mu.Lock()
		if err == nil && len(out) > 0 && b.line != nil {
			err = b.line.send(out)
		}
		if err != nil && !b.closed {
			b.fault = errors.Join(b.fault, fmt.Errorf("carrying to the host: %w", err))
		}
		b.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// carryFromHost serves one line until it is unplugged.
func (b *Bridge) carryFromHost(l *terminal) {
	buf := make([]byte, 256)
	for {
		n, err := l.master.Read(buf)
		in := buf[:n]
		if n > 0 && b.options.FromHost != nil {
			in = b.options.FromHost(in)
		}
		if err == nil {
			_, err = b.far.Write(in)
		}
		if err == nil {
			continue
		}
		b.mu.Lock()
		if b.line == l {
			b.fault = errors.Join(b.fault, fmt.Errorf("carrying from the host: %w", err))
		}
		b.mu.Unlock()
		return
	}
}
