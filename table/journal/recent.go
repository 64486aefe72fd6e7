package journal

// recent is what was written last, so that the publisher, which is always close behind,
// need not read it back from the disk.
type recent struct {
	batches [mostRecent]written
	next    int // where the next one goes
}

// mostRecent is how many batches are kept in memory.
const mostRecent = 64

// written is a durable batch.
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

// after are the batches that hold the events after the given one, up to where numbers were
// left out; ok is false if the first of them is no longer kept.
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

// recently is Events from memory; ok is false if memory does not go back that far.
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
				return nil, false // reading it from the disk reports the error
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
