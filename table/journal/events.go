package journal

import (
	"database/sql"
	"errors"
)

// Events gives at most limit events behind the event number after, in order;
// none when there are no more. The events of one record may be spread over
// several calls.
func (r *Reader) Events(after uint64, limit int) ([]Event, error) {
	events, err := r.events(after, limit)
	return events, r.fault("read events", err)
}

func (r *Reader) events(after uint64, limit int) ([]Event, error) {
	last, err := r.lastSeq()
	if err != nil || limit <= 0 {
		return nil, err
	}
	seq, err := r.holder(after, last)
	if err != nil {
		return nil, err
	}
	var events []Event
	for seq <= last && len(events) < limit {
		// Most records have an output or more, so that limit records are enough.
		n := min(uint64(limit-len(events)), pageSize, last-seq+1)
		page, err := r.readPage(seq, n)
		if err != nil {
			return nil, err
		}
		for i := range page {
			events = page[i].appendEvents(events, after, limit)
		}
		seq += n
	}
	return events, nil
}

// appendEvents adds the record's events behind the number after, until there are
// limit events.
func (r *Record) appendEvents(events []Event, after uint64, limit int) []Event {
	number := r.FirstEvent
	for line := range r.Lines() {
		if len(events) == limit {
			break
		}
		if number > after {
			events = append(events, Event{
				Number: number, RecordSeq: r.Seq, Boot: r.Boot, At: r.At, Round: r.Round, Line: line,
			})
		}
		number++
	}
	return events
}

// holder finds the record that holds the event behind after, or the last record
// when there is no such event yet. Records have no index of events, which would
// cost each append a page: the numbers of events rise with those of records.
// Publishers read near the end, so the search goes back from there in growing
// steps, then halves what is left.
func (r *Reader) holder(after, last uint64) (uint64, error) {
	low, high := uint64(1), last
	for step := uint64(1); step < last; step *= 2 {
		early, err := r.startsBy(last-step, after)
		if err != nil {
			return 0, err
		}
		if early {
			low = last - step
			break
		}
		high = last - step - 1
	}
	for low < high {
		middle := low + (high-low+1)/2
		early, err := r.startsBy(middle, after)
		switch {
		case err != nil:
			return 0, err
		case early:
			low = middle
		default:
			high = middle - 1
		}
	}
	return low, nil
}

// startsBy says whether the first event of a record is the one behind after,
// or an earlier one.
func (r *Reader) startsBy(seq, after uint64) (bool, error) {
	var first uint64
	err := r.firstEvent.QueryRow(int64(seq)).Scan(&first)
	if errors.Is(err, sql.ErrNoRows) {
		return false, &BrokenError{Seq: seq, What: "is missing"}
	}
	return first <= after || first-1 == after, err
}
