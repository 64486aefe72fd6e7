package host

import (
	"context"
	"sync"

	"github.com/sabot-table/sabot/display"
)

// Board holds the latest view, for every reader in this process.
type Board struct {
	mu      sync.Mutex
	view    display.View
	changed chan struct{}
}

func newBoard() *Board { return &Board{changed: make(chan struct{})} }

// Show replaces the view.
func (b *Board) Show(v display.View) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.view = v
	close(b.changed)
	b.changed = make(chan struct{})
}

// Look returns the latest view, and a channel that is closed once there is a newer one.
func (b *Board) Look() (display.View, <-chan struct{}) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.view, b.changed
}

// Await returns the first view that is wanted, which may be the current one.
func (b *Board) Await(ctx context.Context, wanted func(display.View) bool) (display.View, error) {
	for {
		view, changed := b.Look()
		if wanted(view) {
			return view, nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return display.View{}, ctx.Err()
		}
	}
}
