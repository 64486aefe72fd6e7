package web

import (
	"context"
	"slices"
	"sync"
)

// streams are the open ones of all who ask. Where somebody has too many, the oldest ends: it may be one that the screen
// has lost without a word, and a screen that comes back must not find its table dark.
type streams struct {
	most int

	mu   sync.Mutex
	open map[asker][]*stream // the oldest first
}

type stream struct{ end context.CancelFunc }

// begin returns the context of one more, which lasts until done is called or it has become the oldest of too many.
func (s *streams) begin(ctx context.Context, who asker) (during context.Context, done func()) {
	ctx, cancel := context.WithCancel(ctx)
	one := &stream{cancel}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.open == nil {
		s.open = map[asker][]*stream{}
	}
	if all := s.open[who]; len(all) >= s.most {
		all[0].end()
		s.open[who] = slices.Delete(all, 0, 1)
	}
	s.open[who] = append(s.open[who], one)
	return ctx, func() {
		cancel()
		s.mu.Lock()
		defer s.mu.Unlock()
		s.open[who] = slices.DeleteFunc(s.open[who], func(other *stream) bool { return other == one })
		if len(s.open[who]) == 0 {
			delete(s.open, who)
		}
	}
}
