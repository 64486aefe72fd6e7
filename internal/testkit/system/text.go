package system

import (
	"bytes"
	"sync"
)

// Text may be read while other goroutines write it, such as a log or what a process prints.
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
