package figures

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync"
	"time"

	"github.com/sabot-table/sabot/table/odds"
	"github.com/sabot-table/sabot/table/odds/dealt"
	"github.com/sabot-table/sabot/table/rules"
)

// State is how far a house is.
type State uint8

// The states.
const (
	// Waiting: another house is worked out first.
	Waiting State = iota
	Working
	Ready
	// Failed: the log has the reason.
	Failed
)

// Answer is what is known of a house at the moment.
type Answer struct {
	State State
	// Part is how much of the work is done, 0 to 1.
	Part float64
	// Worth is set once it is Ready.
	Worth *Worth
	// Wagers are there at once for the houses that come with Sabot; for others they are nil until it is Ready.
	Wagers []odds.Wager
}

const (
	// mostKept is how many houses are kept: more than a floor has, profiles that were changed among them.
	mostKept = 32
	// patience is how long a work goes on that nobody asks for.
	patience = 30 * time.Second
)

// errLeft ends a work that nobody asks for any more.
var errLeft = errors.New("nobody asks for it any more")

// Worker works out in the background what the rules of the floor's tables are worth, and the best play: one house at a
// time, once, for pages that are asked for again and again. It keeps the answers by the rules' fingerprint. What nobody
// looks at any more is not worked out to its end. Its methods may be called from any goroutine.
type Worker struct {
	log  *slog.Logger
	now  func() time.Time
	find func(context.Context, *rules.Rules, func(part float64)) (*Worth, error)

	mu     sync.Mutex
	houses map[string]*house
	// queue are the houses that wait, the first to come first.
	queue   []*house
	working bool
	ctx     context.Context
	end     context.CancelFunc
	all     sync.WaitGroup
}

// house is one set of rules; the Worker's lock guards it.
type house struct {
	rules *rules.Rules
	Answer
	asked  time.Time
	queued bool
}

// NewWorker returns a Worker that has nothing to do yet.
func NewWorker(log *slog.Logger) *Worker {
	w := &Worker{log: log, now: time.Now, houses: map[string]*house{}}
	w.find = func(ctx context.Context, r *rules.Rules, told func(float64)) (*Worth, error) {
		return find(ctx, r, enough, told)
	}
	w.ctx, w.end = context.WithCancel(context.Background())
	return w
}

// Close ends what is being worked out, and waits for that. What is asked for later is not begun.
func (w *Worker) Close() {
	w.mu.Lock()
	w.end()
	w.mu.Unlock()
	w.all.Wait()
}

// Of is what is known of rules. The first time it begins, or queues, their work; nobody waits for it here.
func (w *Worker) Of(r *rules.Rules) Answer {
	w.mu.Lock()
	defer w.mu.Unlock()
	h := w.houses[r.Fingerprint]
	if h == nil {
		h = &house{rules: r}
		h.Wagers, _ = dealt.Known(r)
		if !w.room() {
			return h.Answer // whoever asks again finds room in the end
		}
		w.houses[r.Fingerprint] = h
	}
	h.asked = w.now()
	if h.State == Waiting && !h.queued && w.ctx.Err() == nil {
		h.queued = true
		w.queue = append(w.queue, h)
		if !w.working {
			w.working, h.State = true, Working
			w.all.Go(w.run)
		}
	}
	return h.Answer
}

// room forgets the house that nobody has asked for the longest, if there are too many; false if all are waited for.
func (w *Worker) room() bool {
	if len(w.houses) < mostKept {
		return true
	}
	var last *house
	for _, h := range w.houses {
		if !h.queued && (last == nil || h.asked.Before(last.asked)) {
			last = h
		}
	}
	if last == nil {
		return false
	}
	delete(w.houses, last.rules.Fingerprint)
	return true
}

// run works the queue off.
func (w *Worker) run() {
	for h := w.next(); h != nil; h = w.next() {
		ctx, leave := context.WithCancelCause(w.ctx)
		found, err := w.safely(ctx, h.rules, func(part float64) {
			if w.told(h, part) {
				leave(errLeft)
			}
		})
		leave(nil)
		w.done(h, found, err, context.Cause(ctx))
	}
}

// next is the next house that somebody still asks for.
func (w *Worker) next() *house {
	w.mu.Lock()
	defer w.mu.Unlock()
	for len(w.queue) > 0 {
		h := w.queue[0]
		w.queue = w.queue[1:]
		if w.ctx.Err() == nil && !w.left(h) {
			h.State, h.Part = Working, 0
			return h
		}
		h.queued, h.State = false, Waiting
	}
	w.working = false
	return nil
}

func (w *Worker) left(h *house) bool { return w.now().Sub(h.asked) > patience }

// told notes how far a house is, and says whether nobody asks for it any more.
func (w *Worker) told(h *house, part float64) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	h.Part = part
	return w.left(h)
}

// done notes what has come out. What was ended early waits until somebody asks again.
func (w *Worker) done(h *house, found *Worth, err, ended error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	h.queued = false
	switch {
	case err == nil:
		h.State, h.Worth, h.Wagers = Ready, found, found.Wagers
	case errors.Is(ended, errLeft), w.ctx.Err() != nil:
		h.State, h.Part = Waiting, 0
	default:
		h.State = Failed
		w.log.Error("pit: the odds of a house could not be worked out: its page says so; report this",
			"house", h.rules.House, "rules", h.rules.Fingerprint, "err", err)
	}
}

// safely works rules out, which another table may have sent: a fault of Sabot's with them is of this page alone, not of
// the pit.
func (w *Worker) safely(ctx context.Context, r *rules.Rules, told func(part float64)) (found *Worth, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("a fault of the program: %v\n%s", fault, debug.Stack())
		}
	}()
	return w.find(ctx, r, told)
}
