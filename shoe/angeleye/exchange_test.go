package angeleye

import (
	"bytes"
	"encoding/hex"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sabot-table/sabot/device"
	"github.com/sabot-table/sabot/internal/testkit/bubble"
)

// exchange is a port on which a few bytes go to and fro. Of its lines, in hex, "> 06" is what must be written next, cut
// in whatever way, and "< 06" what one Read returns once everything before it was written; until then, and after the
// end, Read times out. A test fails that writes something else, or that does not come to the end.
type exchange struct {
	t      *testing.T
	mu     sync.Mutex
	left   []step
	closed bool
}

type step struct {
	written bool
	data    []byte
}

func newExchange(t *testing.T, lines string) *exchange {
	e := &exchange{t: t}
	for line := range strings.Lines(lines) {
		data, err := hex.DecodeString(strings.ReplaceAll(strings.TrimSpace(line[1:]), " ", ""))
		if err != nil {
			t.Fatal(err)
		}
		e.left = append(e.left, step{line[0] == '>', data})
	}
	t.Cleanup(func() {
		if len(e.left) > 0 {
			t.Errorf("the exchange came to its end but for %v", e.left)
		}
	})
	return e
}

func (e *exchange) Read(buf []byte) (int, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	switch {
	case e.closed:
		return 0, device.ErrClosed
	case len(e.left) == 0 || e.left[0].written:
		e.mu.Unlock()
		bubble.Pass(5 * time.Millisecond)
		e.mu.Lock()
		return 0, device.ErrTimeout
	}
	n := copy(buf, e.left[0].data)
	e.advance(n)
	return n, nil
}

func (e *exchange) Write(data []byte) (int, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return 0, device.ErrClosed
	}
	if len(e.left) == 0 || !e.left[0].written || !bytes.HasPrefix(e.left[0].data, data) {
		e.t.Errorf("% x was written before %v", data, e.left)
		return len(data), nil
	}
	e.advance(len(data))
	return len(data), nil
}

// advance moves past n bytes of the first line.
func (e *exchange) advance(n int) {
	if e.left[0].data = e.left[0].data[n:]; len(e.left[0].data) == 0 {
		e.left = e.left[1:]
	}
}

func (e *exchange) Close() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.closed = true
	return nil
}

func (e *exchange) String() string { return "an exchange" }
