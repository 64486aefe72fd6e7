package devicetest

import (
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/sabot-table/sabot/device"
)

// Record returns a port that does what the given port does and writes each transfer to w as it happens. If w fails,
// Close fails; the transfers themselves continue, so that recording never disturbs a table.
func Record(port device.Port, w io.Writer) device.Port {
	r := &recorder{w: w}
	r.Port = device.Tap(port, func(p []byte) { r.note(read, p) }, func(p []byte) { r.note(written, p) })
	return r
}

type recorder struct {
	device.Port
	mu     sync.Mutex
	w      io.Writer
	failed error
}

// Close closes the port and returns what kept the recording from being complete.
func (r *recorder) Close() error {
	err := r.Port.Close()
	r.mu.Lock()
	defer r.mu.Unlock()
	return errors.Join(err, r.failed)
}

func (r *recorder) note(d direction, data []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, err := fmt.Fprintln(r.w, transfer{direction: d, data: data}); err != nil && r.failed == nil {
		r.failed = fmt.Errorf("record port %s: %w", r.Port, err)
	}
}
