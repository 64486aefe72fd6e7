package board

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"sync"
)

// Console is what a board has written on its console.
type Console struct {
	mu      sync.Mutex
	text    bytes.Buffer
	changed chan struct{}
}

func newConsole() *Console { return &Console{changed: make(chan struct{})} }

func (c *Console) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	close(c.changed)
	c.changed = make(chan struct{})
	return c.text.Write(p)
}

// String returns everything that was written.
func (c *Console) String() string {
	text, _ := c.look()
	return text
}

func (c *Console) look() (string, <-chan struct{}) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.text.String(), c.changed
}

// Await returns when the console shows a text.
func (c *Console) Await(ctx context.Context, want string) error {
	for {
		text, changed := c.look()
		if strings.Contains(text, want) {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return fmt.Errorf("the console does not show %q: %w", want, context.Cause(ctx))
		}
	}
}
