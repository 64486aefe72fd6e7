package processes

import (
	"bytes"
	"sync"
)

// Text is written by one goroutine while another reads it, such as a log.
type Text struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (t *Text) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.b.Write(p)
}

// String returns what was written so far.
func (t *Text) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.b.String()
}
