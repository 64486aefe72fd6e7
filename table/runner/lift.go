package runner

import (
	"context"

	"github.com/sabot-table/sabot/table/vocab"
)

// Lifter is a journal whose numbers can be made to continue above others.
type Lifter interface {
	Lift(record, event uint64) error
}

// lift is what the pit knows about a journal and the journal itself does not.
type lift struct {
	record, event uint64
	doubt         vocab.Input
}

// Lift makes the numbers of records and events continue above those that the pit has
// heard of, so that no consumer takes a new event for one that it has, and puts in the
// doubt, which holds the table until a supervisor decides. Both numbers may be 0: then it
// only puts in the doubt.
func (r *Runner) Lift(ctx context.Context, record, event uint64, doubt vocab.Input) error {
	select {
	case r.lifts <- lift{record, event, doubt}:
		return nil
	case <-r.ended:
		return ErrStopped
	case <-ctx.Done():
		return ctx.Err()
	}
}

// lift takes place between two writes: no record that is being written may have its
// number changed.
func (r *Runner) lift(ctx context.Context, l lift) error {
	if lifter, can := r.o.Journal.(Lifter); can {
		if err := lifter.Lift(l.record, l.event); err != nil {
			r.o.Log.Error("numbers cannot continue above those that the pit has heard of: it will take new events "+
				"for old ones", "err", err)
		}
		next, _ := r.o.Journal.Next()
		r.seq = next - 1
	}
	r.o.Log.Error("THE TABLE'S RECORD IS IN DOUBT: the table is held until a supervisor decides", "what",
		l.doubt.Storage, "found", l.doubt.Code)
	return r.run(ctx, []item{{in: l.doubt, done: func(Answer, error) {}}})
}
