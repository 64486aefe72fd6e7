package daemon

import (
	"context"
	"sync"

	"github.com/sabot-table/sabot/display"
)

// Board is where the latest view hangs, for whoever in this process looks at it.
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

// Look returns the latest view, and a channel that is closed once it is not.
func (b *Board) Look() (display.View, <-chan struct{}) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.view, b.changed
}

// Await returns the first view that is wanted, the present one if it is.
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
