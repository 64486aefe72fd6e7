package runner

import (
	"context"

	"github.com/sabot-table/sabot/table/vocab"
)

// Lifter is a journal whose numbers can be made to go on above others.
type Lifter interface {
	Lift(record, event uint64) error
}

// lift is what somebody outside knows of a journal that the journal itself does not.
type lift struct {
	record, event uint64
	doubt         vocab.Input
}

// Lift has the numbers of records and events go on above those that the pit has heard of,
// so that nobody takes a new event for one that he has, and puts the doubt in, which holds
// the table until a supervisor decides. Both numbers may be 0, to do only that.
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

// lift takes place between two writes: no record that is on its way may have its number
// changed.
func (r *Runner) lift(ctx context.Context, l lift) error {
	if lifter, can := r.o.Journal.(Lifter); can {
		if err := lifter.Lift(l.record, l.event); err != nil {
			r.o.Log.Error("numbers cannot go on above what the pit has heard: it will take new events for old ones", "err", err)
		}
		next, _ := r.o.Journal.Next()
		r.seq = next - 1
	}
	r.o.Log.Error("THE TABLE'S RECORD IS IN DOUBT: the table is held until a supervisor decides", "what", l.doubt.Storage, "found", l.doubt.Code)
	return r.run(ctx, []item{{in: l.doubt, done: func(Answer, error) {}}})
}
