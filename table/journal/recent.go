package journal

// recent is what was written last, so that the publisher, who is always close behind,
// need not read it back from the disk.
type recent struct {
	batches [mostRecent]written
	next    int // where the next one goes
}

// mostRecent is how many batches are kept in memory.
const mostRecent = 64

// written is a batch that is durable.
type written struct {
	// before and last are the last events before it and in it.
	before, last uint64
	boot         uint64
	text         []byte // never changed
}

func (r *recent) add(w written) {
	r.batches[r.next] = w
	r.next = (r.next + 1) % mostRecent
}

// after are the batches that hold the events after one, up to where numbers were left out,
// false where the first of them is not among those that are kept.
func (r *recent) after(event uint64) (list []written, ok bool) {
	for i := range mostRecent {
		w := &r.batches[(r.next+i)%mostRecent]
		switch {
		case w.text == nil || w.last <= event:
		case len(list) == 0 && w.before > event:
			return nil, false
		case len(list) > 0 && w.before != list[len(list)-1].last:
			return list, true
		default:
			list = append(list, *w)
		}
	}
	return list, len(list) > 0
}

// recently is Events from what is in memory, false where that does not reach back so far.
func (j *Journal) recently(after uint64, limit int) (events []Event, ok bool) {
	j.view.Lock()
	list, ok := j.recent.after(after)
	j.view.Unlock()
	for _, w := range list {
		var rec Record
		for rest := w.text; len(rest) > 0 && len(events) < limit; {
			f, err := cutFrame(rest)
			if err == nil && f.is(beginRecord) {
				err = parseRecord(&f, &rec)
			}
			if err != nil {
				return nil, false // it is read from the disk, and said there
			}
			if f.is(beginRecord) {
				rec.Boot = w.boot
				events = rec.appendEvents(events, after, limit)
			}
			rest = rest[len(f.text):]
		}
	}
	return events, ok
}
