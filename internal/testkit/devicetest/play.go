package devicetest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"sync"
	"testing"
	"time"

	"github.com/sabot-table/sabot/device"
)

// Play returns a port that plays a recording back: bytes that were read come from Read, transfer by transfer, each as
// soon as everything before it was written; until then, and after the end, Read times out. What is written must be what
// was written in the recording, though it may be cut differently.
//
// The test fails if something else is written, or if the recording is not used
// up when the test ends.
func Play(tb testing.TB, recording io.Reader) device.Port {
	tb.Helper()
	transfers, err := parse(recording)
	if err != nil {
		tb.Fatal(err)
	}
	p := &player{tb: tb, left: transfers}
	tb.Cleanup(p.end)
	return p
}

type player struct {
	tb     testing.TB
	mu     sync.Mutex
	left   []transfer
	closed bool
}

// quiet is how long a Read waits when it is not its turn yet.
const quiet = 5 * time.Millisecond

func (p *player) Read(buf []byte) (int, error) {
	n, err := p.next(buf)
	if errors.Is(err, device.ErrTimeout) {
		time.Sleep(quiet)
	}
	return n, err
}

func (p *player) next(buf []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return 0, device.ErrClosed
	}
	if len(p.left) == 0 || p.left[0].direction != read {
		return 0, device.ErrTimeout
	}
	n := copy(buf, p.left[0].data)
	p.advance(n)
	return n, nil
}

func (p *player) Write(data []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return 0, device.ErrClosed
	}
	for n := 0; n < len(data); {
		if len(p.left) == 0 || p.left[0].direction != written {
			return n, p.refuse(data[n:], "nothing to be written here")
		}
		want := p.left[0].data
		part := data[n:min(n+len(want), len(data))]
		if !bytes.HasPrefix(want, part) {
			return n, p.refuse(data[n:], fmt.Sprintf("% x", want))
		}
		n += len(part)
		p.advance(len(part))
	}
	return len(data), nil
}

// advance moves past n bytes of the first transfer.
func (p *player) advance(n int) {
	p.left[0].data = p.left[0].data[n:]
	if len(p.left[0].data) == 0 {
		p.left = p.left[1:]
	}
}

func (p *player) refuse(got []byte, want string) error {
	err := fmt.Errorf("%s: wrote % x, but the recording has %s", p, got, want)
	p.tb.Error(err)
	return err
}

func (p *player) Close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	return nil
}

func (p *player) String() string { return "playback" }

func (p *player) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.left) > 0 {
		p.tb.Errorf("the recording is not used up: %d transfers are left, the first is\n%s", len(p.left), p.left[0])
	}
}
