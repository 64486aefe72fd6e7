package devicetest

import (
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/sabot-table/sabot/device"
)

// Record returns a port that does what the given port does and writes each
// transfer to w as it happens. A w that fails makes Close fail; the transfers
// themselves go on, so that recording never disturbs a table.
func Record(port device.Port, w io.Writer) device.Port {
	return &recorder{Port: port, w: w}
}

type recorder struct {
	device.Port
	mu     sync.Mutex
	w      io.Writer
	failed error
}

func (r *recorder) Read(p []byte) (int, error) {
	n, err := r.Port.Read(p)
	r.note(read, p[:n])
	return n, err
}

func (r *recorder) Write(p []byte) (int, error) {
	n, err := r.Port.Write(p)
	r.note(written, p[:n])
	return n, err
}

// Close closes the port and tells what kept the recording from being whole.
func (r *recorder) Close() error {
	err := r.Port.Close()
	r.mu.Lock()
	defer r.mu.Unlock()
	return errors.Join(err, r.failed)
}

func (r *recorder) note(d direction, data []byte) {
	if len(data) == 0 {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, err := fmt.Fprintln(r.w, transfer{direction: d, data: data}); err != nil && r.failed == nil {
		r.failed = fmt.Errorf("record port %s: %w", r.Port, err)
	}
}
