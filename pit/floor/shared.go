package floor

import (
	"slices"
	"time"

	"github.com/sabot-table/sabot/pit/topic"
)

// Several pits may watch one floor: each hears all tables, and shows all of it. For each table one of them answers: it
// alone raises the pit's own alerts, calls the next role, and keeps what became of alerts. The others have what it has
// kept, and pass on to it what people say at theirs.

// Word is what a person has said of an alert.
type Word struct {
	// Alert is its ID.
	Alert string
	// What is Acknowledged or Coming.
	What     What
	By, Note string
	At       time.Time
}

// answersFor says whether this pit answers for a table.
func (l *ledger) answersFor(table topic.Table) bool { return l.answers == nil || l.answers(table) }

// Unsaid returns what people have said since the last call of alerts for which another pit answers.
func (f *Floor) Unsaid() []Word {
	f.mu.Lock()
	defer f.mu.Unlock()
	words := f.alerts.unsaid
	f.alerts.unsaid = nil
	return words
}

// say notes a person's word, for the pit that answers for the alert.
func (l *ledger) say(a *Alert, what What, by, note string, at time.Time) {
	if !l.answersFor(a.Table) {
		l.unsaid = append(l.unsaid, Word{a.ID, what, by, note, at})
	}
}

// Adopt takes alerts as the pits that answer for them have kept them.
func (f *Floor) Adopt(kept []Alert) {
	f.change(time.Time{}, func() (changed bool) {
		for i := range kept {
			changed = f.alerts.adopt(&kept[i]) || changed
		}
		return changed
	})
}

func (l *ledger) adopt(kept *Alert) bool {
	k := key{kept.Table, kept.Code}
	if kept.Table == (topic.Table{}) || l.answersFor(kept.Table) {
		return false
	}
	is, last := l.open[k], l.last[k]
	if !kept.Over.IsZero() {
		return l.adoptOver(k, is, last, kept)
	}
	if last != nil && last.ID == kept.ID {
		return false // it is over here: whoever answers hears that in a moment
	}
	if is != nil {
		kept.keepWords(is)
		delete(l.unsaved, is)
	}
	l.open[k] = kept
	return true
}

// adoptOver takes an alert that is over.
func (l *ledger) adoptOver(k key, is, last, kept *Alert) bool {
	switch {
	case is != nil && is.ID == kept.ID:
		delete(l.unsaved, is)
		delete(l.open, k)
	case last == nil:
	case last.ID == kept.ID: // with all that was said of it
		*last = *kept
		return true
	case !last.Over.Before(kept.Over):
		return false
	}
	l.close(k, kept)
	return true
}

// keepWords has an alert say what was said of it here, until whoever answers for it has heard that.
func (a *Alert) keepWords(here *Alert) {
	if a.ID != here.ID || a.Times != here.Times {
		return
	}
	if !a.Seen() && here.Seen() {
		a.Acknowledged, a.AcknowledgedBy, a.Note = here.Acknowledged, here.AcknowledgedBy, here.Note
		a.AtTable = here.AtTable
	}
	if a.Comes == "" {
		a.Comes, a.ComesSince = here.Comes, here.ComesSince
	}
}

// Heed takes what people have said at other pits, and returns what is for this one: those are kept with the next
// [Floor.Unkept].
func (f *Floor) Heed(words []Word) (own []Word) {
	f.change(time.Time{}, func() (changed bool) {
		for _, w := range words {
			is, heeded := f.alerts.heed(w)
			if is {
				own = append(own, w)
			}
			changed = changed || heeded
		}
		return changed
	})
	return own
}

// heed says whether a word is for this pit, and whether it has changed anything: it may come again.
func (l *ledger) heed(w Word) (own, changed bool) {
	k, a, err := l.find(w.Alert)
	if err != nil {
		i := slices.IndexFunc(l.over, func(a *Alert) bool { return a.ID == w.Alert })
		return i >= 0 && l.answersFor(l.over[i].Table), false
	}
	switch {
	case !l.answersFor(k.table):
		return false, false
	case slices.ContainsFunc(a.Steps, w.isStep):
		return true, false
	case w.What == Coming:
		err = l.coming(w.Alert, w.By, w.At)
	default:
		err = l.acknowledge(w.Alert, w.By, w.Note, w.At)
	}
	return true, err == nil
}

// isStep says whether a word has already become a step of its alert.
func (w Word) isStep(s Step) bool { return s.At.Equal(w.At) && s.What == w.What && s.By == w.By }

// took is how long ago an alert may have ended that nobody has kept, since its pit died.
const took = time.Minute

// Moved says that this pit answers for other tables than before: what it has of their alerts is to be kept, and looked
// at.
func (f *Floor) Moved() {
	f.change(time.Time{}, func() bool {
		l := &f.alerts
		for k, a := range l.open {
			if l.answersFor(k.table) {
				l.unsaved[a] = true
			}
		}
		for _, a := range l.over {
			if l.answersFor(a.Table) && f.now.Sub(a.Over) < took {
				l.unsaved[a] = true
			}
		}
		return true
	})
}

// Turn has what becomes of alerts told by one of several pits. The zero value is that of a pit that is alone.
type Turn struct {
	// Answers says whether this pit answers for a table, and Inherited whether it has taken that over a moment ago from
	// one that died; nil for one that is alone.
	Answers, Inherited func(topic.Table) bool

	others []waitingNews
}

// waitingNews is news that another pit has to tell, and since when it waits for that.
type waitingNews struct {
	News
	since time.Time
}

// orphaned is how long news waits for a pit that may have died before it was told.
const orphaned = 10 * time.Second

// Take returns those of the news that are for this pit to tell, with those that another one had to tell that has died.
func (t *Turn) Take(news []News, now time.Time) (own []News) {
	if t.Answers == nil {
		return news
	}
	others := t.others
	t.others = nil
	for _, n := range others {
		switch {
		case now.Sub(n.since) > orphaned:
		case t.Answers(n.Alert.Table) && t.Inherited(n.Alert.Table):
			own = append(own, n.News)
		default:
			t.others = append(t.others, n)
		}
	}
	for _, n := range news {
		if t.Answers(n.Alert.Table) {
			own = append(own, n)
		} else {
			t.others = append(t.others, waitingNews{n, now})
		}
	}
	return own
}
