package tray

import (
	"cmp"
	"slices"
	"time"

	"github.com/sabot-table/sabot/table/vocab"
)

// One is the records of one tray.
type One struct {
	Currency string
	Records
	// nth is how many set-ups with another money came before it.
	nth int
}

// Trays are the records of each tray by itself, in their order: another money is in another tray, and the first money
// is in a third one once it is back, since the table has forgotten what it was. All steps of a slip are of the tray at
// which it was asked for, and what they move of the one with that money that is there then. Records that are missing
// may be of any. Trays that were gone before the day are left out.
func (r *Records) Trays() []*One {
	a := apart{of: r}
	asked := map[slipName]*One{}
	for i := range r.Events {
		a.event(&r.Events[i], asked)
	}
	for i := range r.Rounds {
		n := &r.Rounds[i]
		one := a.tray(a.nth(n.Journal, n.Last, n.Ended), n.Currency)
		one.Rounds = append(one.Rounds, *n)
	}
	a.list = slices.DeleteFunc(a.list, (*One).past)
	slices.SortStableFunc(a.list, func(x, y *One) int { return cmp.Compare(x.nth, y.nth) })
	for _, o := range r.Opened {
		one := a.opened(&o)
		one.Opened = append(one.Opened, o)
	}
	return a.list
}

// past says whether the tray was gone before the day. A clock that was set back does not say so of one to which
// something was done in the day before it was gone.
func (one *One) past() bool {
	if len(one.Gone) == 0 || !one.Gone[0].At.Before(one.From) {
		return false
	}
	gone := &one.Gone[0]
	return !slices.ContainsFunc(one.Events, func(e Event) bool {
		return e.Journal == gone.Journal && e.Record < gone.Record && !e.At.Before(one.From)
	})
}

// apart puts the records of trays apart.
type apart struct {
	of   *Records
	list []*One
}

// nth is how many set-ups with another money came before a record.
func (a *apart) nth(journal string, record uint64, at time.Time) (n int) {
	for i := range a.of.Gone {
		if a.of.Gone[i].before(journal, record, at) {
			n++
		}
	}
	return n
}

// tray finds or begins a tray.
func (a *apart) tray(nth int, currency string) *One {
	for _, one := range a.list {
		if one.nth == nth && one.Currency == currency {
			return one
		}
	}
	one := &One{
		Currency: currency, nth: nth,
		Records: Records{From: a.of.From, Until: a.of.Until, Missing: a.of.Missing},
	}
	if nth < len(a.of.Gone) && a.of.Gone[nth].Currency == currency { // of another one the pit may lack the set-up
		one.Gone = a.of.Gone[nth : nth+1]
	}
	a.list = append(a.list, one)
	return one
}

// event puts an event where it belongs.
func (a *apart) event(e *Event, asked map[slipName]*One) {
	nth, name := a.nth(e.Journal, e.Record, e.At), slipName{e.Journal, e.Told.Slip}
	at := asked[name]
	if at == nil {
		at = a.tray(nth, e.Currency)
		if e.Told.Slip != 0 {
			asked[name] = at
		}
	} else if at.nth != nth && at.Currency == e.Currency {
		there := a.tray(nth, e.Currency)
		there.Events = append(there.Events, *e)
	}
	one := *e
	one.Currency = at.Currency
	at.Events = append(at.Events, one)
}

// opened is the tray of whose box an entry is. Where the entry does not say that, it is the last one with its money
// that was there by then.
func (a *apart) opened(o *Opened) (of *One) {
	nth := a.nth("", 0, o.At)
	for _, one := range a.list {
		switch {
		case o.Record != 0 && one.took(o):
			return one
		case one.Currency == o.Currency && (of == nil || one.nth <= nth && one.nth > of.nth):
			of = one
		}
	}
	if of == nil {
		of = a.tray(nth, o.Currency)
	}
	return of
}

// took says whether a box was taken off the table with the tray, or from it.
func (one *One) took(o *Opened) bool {
	is := func(e Event) bool { return e.Journal == o.Journal && e.Record == o.Record }
	return slices.ContainsFunc(one.Gone, is) ||
		slices.ContainsFunc(one.Events, func(e Event) bool { return e.Of == vocab.InDrop && is(e) })
}
