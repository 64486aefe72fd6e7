package journal

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"
)

// rests is how many times as long as it reads the look at the parts waits in between: the disk and the processor are
// the dealer's.
const rests = 4

// readThrough reads all finished parts that are as the headers behind them say, the newest first, and has Found tell
// which do not hold what was written: their frames do not follow one another, or do not lead to the part behind.
func (j *Journal) readThrough(ctx context.Context) error {
	numbers, err := j.numbers()
	if err != nil {
		return err
	}
	var found []string
	defer func() { j.tell(found) }()
	for i := len(numbers) - 2; i >= 0; i-- {
		name := j.shelf.name(numbers[i])
		if _, as := j.known.sizes[name]; !as {
			continue // that is told
		}
		began := time.Now()
		err := j.asWritten(numbers, i)
		switch {
		case notThere(err):
		case diskFails(err):
			found = append(found, j.unreadable(name, err))
		case err != nil:
			found = append(found, fmt.Sprintf("%s is not what was written: %v", j.with(name), err))
		}
		if err := j.rest(ctx, rests*time.Since(began)); err != nil {
			return err
		}
	}
	return nil
}

// asWritten is nil for a part that holds what was written.
func (j *Journal) asWritten(numbers []uint64, i int) error {
	if counts, err := j.shelf.counts(numbers, i); err != nil || !counts {
		return nil // what is wrong with the part behind is told with that
	}
	next, err := j.shelf.next(numbers, i)
	if err != nil || next == nil || next.Before != numbers[i] || next.Lost != "" {
		return nil
	}
	t, err := j.shelf.content(numbers, i)
	if err != nil {
		return err
	}
	defer t.shut()
	c := &checker{state: t.Header.state(t.hash)}
	for in := t.frames(t.begins); ; {
		f, err := in.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err == nil {
			err = c.check(&f)
		}
		if err != nil {
			return cutShort(err)
		}
	}
	if after, err := next.chainBefore(); err != nil || after != c.state.hash {
		return fmt.Errorf("%w: part %d follows something else", ErrDamaged, next.Part)
	}
	what, err := t.over(next)
	if err == nil && what != "" {
		err = brokenf(c.state.seq, "is the last of it, %s", what)
	}
	return err
}

// restStep is how long a rest goes on at most before it sees that it must end.
const restStep = 20 * time.Millisecond

// rest waits, unless there is a reason to stop.
func (j *Journal) rest(ctx context.Context, d time.Duration) error {
	for ; d > 0; d -= restStep {
		if err := j.mayTidy(ctx); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
		case <-time.After(min(d, restStep)):
		}
	}
	return j.mayTidy(ctx)
}
