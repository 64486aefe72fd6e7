package recall

import (
	"iter"
	"slices"

	"github.com/sabot-table/sabot/table/journal"
)

// span is how many records are read at once.
const span = 256

// back yields the records backwards from a number.
func (r *Recall) back(from uint64) iter.Seq2[journal.Record, error] {
	return func(yield func(journal.Record, error) bool) {
		for last := from; last > 0; {
			first := last - min(span, last) + 1
			list, err := r.between(first, last)
			if err != nil {
				yield(journal.Record{}, err)
				return
			}
			for _, rec := range slices.Backward(list) {
				if !yield(rec, nil) {
					return
				}
			}
			last = first - 1
		}
	}
}

// between reads the records from first to last.
func (r *Recall) between(first, last uint64) ([]journal.Record, error) {
	list := make([]journal.Record, 0, last-first+1)
	for rec, err := range r.from.Records(first) {
		if err != nil {
			return nil, err
		}
		list = append(list, rec)
		if rec.Seq >= last {
			break
		}
	}
	return list, nil
}

func (r *Recall) one(seq uint64) (journal.Record, error) {
	list, err := r.between(seq, seq)
	if err != nil || len(list) == 0 {
		return journal.Record{}, err
	}
	return list[0], nil
}

// roundEnd finds the last record of a round, or of the latest round for 0, and the latest
// round's number. Round numbers rise with records: the search steps back from the end in
// growing steps, since disputes are about what has just happened, then halves what is left.
func (r *Recall) roundEnd(number uint64) (seq, latest uint64, err error) {
	last, _, err := r.from.Head()
	if err != nil || last == 0 {
		return 0, 0, err
	}
	newest, err := r.one(last)
	if err != nil || number == 0 || newest.Round <= number {
		return last, newest.Round, err
	}
	low, high := uint64(0), last // the round of low is not later than number, that of high is
	for step := uint64(span); step < last; step *= 2 {
		later, err := r.later(last-step, number)
		if err != nil {
			return 0, 0, err
		}
		if !later {
			low = last - step
			break
		}
		high = last - step
	}
	for high-low > 1 {
		middle := low + (high-low)/2
		later, err := r.later(middle, number)
		switch {
		case err != nil:
			return 0, 0, err
		case later:
			high = middle
		default:
			low = middle
		}
	}
	return low, newest.Round, nil
}

// later reports whether a record belongs to a later round.
func (r *Recall) later(seq, number uint64) (bool, error) {
	rec, err := r.one(seq)
	return rec.Round > number, err
}
