package dashboard

import (
	"context"
	"log/slog"
	"sync"
	"time"
)

// readWithin is how long a page waits at most for what all pages read together of the database.
const readWithin = 5 * time.Second

// reading keeps what was read last of the database: all pages read it together.
type reading[T any] struct {
	mu   sync.Mutex
	at   time.Time
	is   T
	fail error
}

// latest is what was read no longer ago than fresh; where it was longer ago, it is read. The first failure of several
// is logged.
func (y *reading[T]) latest(
	ctx context.Context, fresh time.Duration, read func(context.Context) (T, error), log *slog.Logger, fails string,
) (T, error) {
	y.mu.Lock()
	defer y.mu.Unlock()
	if !y.at.IsZero() && time.Since(y.at) < fresh {
		return y.is, y.fail
	}
	during, done := context.WithTimeout(context.WithoutCancel(ctx), readWithin)
	defer done()
	failed := y.fail != nil
	y.is, y.fail = read(during)
	if y.at = time.Now(); y.fail != nil && !failed {
		log.Error(fails, "err", y.fail)
	}
	return y.is, y.fail
}
