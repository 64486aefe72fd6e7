package tray

import (
	"cmp"
	"slices"
	"time"

	"github.com/sabot-table/sabot/table/vocab"
)

// Opened is what was in a drop box when it was opened, as somebody has entered it.
type Opened struct {
	// Journal and Record are where the table told that the box was taken off; empty for a box of which it did not.
	Journal string
	Record  uint64
	// Day is the gaming day, written 20260329. Nth is 1 for the first entry of the box; later ones correct it, and
	// say why in Reason.
	Day, Nth  int
	At        time.Time
	Who, Role string
	Amount    int64
	Currency  string
	Reason    string
}

// Box is a drop box of the gaming day.
type Box struct {
	// Off is when it was taken off the table, or when the table got another money and forgot it; nil for one of which
	// the table does not know that.
	Off *Event
	// Must is the cash that must be in it.
	Must int64
	// Counts are the entries of what was in it, the last one counts.
	Counts []Opened
}

// Counted is what was in it, as far as it was opened.
func (b *Box) Counted() (amount int64, known bool) {
	if n := len(b.Counts); n > 0 {
		return b.Counts[n-1].Amount, true
	}
	return 0, false
}

// Records are all that a day is worked out from: Events and Rounds in their order, from the last count before the day
// on.
type Records struct {
	From, Until time.Time
	Events      []Event
	Rounds      []Round
	Opened      []Opened
	// Gone are the set-ups by which the table got another money, each with what was played before it, and with the
	// amount that must be in the box that was on the table, as far as anybody knows.
	Gone []Event
	// Missing are times behind which the pit lacks records.
	Missing []time.Time
}

// Sum is what trays have come to. Sums of the same currency can be added up.
type Sum struct {
	Opening, Closing, Fills, Credits, Tips, Drop int64
	// Rounds is what the rounds say that the house has won.
	Rounds int64
}

// Win is what the house has won by what was counted.
func (s *Sum) Win() int64 { return s.Closing - s.Opening - s.Fills + s.Credits + s.Drop - s.Tips }

// Difference is how much more that is than the rounds say.
func (s *Sum) Difference() int64 { return s.Win() - s.Rounds }

// Add adds another sum.
func (s *Sum) Add(o *Sum) {
	s.Opening, s.Closing, s.Fills, s.Credits = s.Opening+o.Opening, s.Closing+o.Closing, s.Fills+o.Fills,
		s.Credits+o.Credits
	s.Tips, s.Drop, s.Rounds = s.Tips+o.Tips, s.Drop+o.Drop, s.Rounds+o.Rounds
}

// Day is a table's gaming day.
type Day struct {
	// Opening and Closing are the counts between which it lies, nil where there is none. Closed says that the table was
	// closed by the last one; otherwise it is the last one of any kind.
	Opening, Closing *Event
	Closed           bool
	// Gone is when the table got another money, and nobody can count the tray any more; nil while it is there.
	Gone *Event
	Sum
	// Sold is the cash for which chips were sold, and Boxes where it went. The drop is what was counted in the boxes,
	// and of a box that nobody has opened what must be in it.
	Sold  int64
	Boxes []Box
	// Played is how many rounds lie between the counts, or after the only one; and Unknown of how many nobody knows
	// all amounts. Doubtful says that the two wins cannot be compared: for them, since the pit lacks records, or since
	// the table has forgotten a count.
	Played, Unknown int
	Doubtful        bool
	// Between are the intervals between two counts, also before the opening.
	Between []Interval
	// Slips are those asked for in the day.
	Slips []Slip
}

// Counted says that there is something to compare.
func (d *Day) Counted() bool { return d.Opening != nil && d.Closing != nil }

// Uncounted is how many boxes nobody has opened.
func (d *Day) Uncounted() (n int) {
	for i := range d.Boxes {
		if _, known := d.Boxes[i].Counted(); !known {
			n++
		}
	}
	return n
}

// DayOf works out a day.
func DayOf(r *Records) (d Day) {
	first, last := r.counts(&d)
	d.Slips = r.Slips()
	d.Boxes = r.boxes()
	if n := len(r.Gone); n > 0 {
		d.Gone = &r.Gone[n-1]
	}
	d.Between = r.between()
	if !d.Counted() {
		d.Played = r.playedAfter(first)
		return d
	}
	d.Sum.Opening, d.Sum.Closing = d.Opening.Told.Amount, d.Closing.Told.Amount
	for i := first + 1; i <= last; i++ {
		d.take(&r.Events[i])
	}
	d.Drop = d.Sold
	for i := range d.Boxes {
		if amount, known := d.Boxes[i].Counted(); known {
			d.Drop += amount - d.Boxes[i].Must
		}
	}
	for i := range r.Rounds {
		if one := &r.Rounds[i]; r.within(one, first, last) {
			d.Rounds, d.Played = d.Rounds+one.Won, d.Played+1
			if one.Unknown > 0 {
				d.Unknown++
			}
		}
	}
	d.Doubtful = d.Unknown > 0 || r.forgot(first, last)
	return d
}

// Slips are those asked for in the day.
func (r *Records) Slips() []Slip {
	return Slips(slices.DeleteFunc(slices.Clone(r.Events), func(e Event) bool { return e.At.Before(r.From) }))
}

// counts finds the counts between which the day lies: the first opening count, else the last count before the day,
// else the first of it; and the last closing count, else the last count. A table that was opened again after it is not
// closed.
func (r *Records) counts(d *Day) (first, last int) {
	first, last = -1, -1
	opened := false
	for i := range r.Events {
		e := &r.Events[i]
		if e.Of != vocab.InCount || opened {
			continue
		}
		if opened = !e.At.Before(r.From) && e.Told.Count == vocab.CountOpening; opened || e.At.Before(r.From) ||
			first < 0 {
			first = i
		}
	}
	if first < 0 {
		return first, last
	}
	d.Opening = &r.Events[first]
	for i := first + 1; i < len(r.Events); i++ {
		e := &r.Events[i]
		if closes := e.Told.Count == vocab.CountClosing; e.Of == vocab.InCount && !e.At.Before(r.From) &&
			(closes || !d.Closed || e.Told.Count == vocab.CountOpening) {
			last, d.Closing, d.Closed = i, e, closes
		}
	}
	return first, last
}

// take adds what was done between the counts.
func (d *Day) take(e *Event) {
	switch e.Of {
	case vocab.InFill:
		d.Fills += e.moved()
	case vocab.InCredit:
		d.Credits -= e.moved()
	case vocab.InTips:
		d.Tips += e.moved()
	case vocab.InBuyIn:
		d.Sold += e.Told.Amount
	case vocab.InAdjust:
		d.Rounds += e.moved()
	}
}

// within says whether a round was ended between two counts.
func (r *Records) within(one *Round, first, last int) bool {
	return r.after(one, &r.Events[first]) && !r.after(one, &r.Events[last])
}

// playedAfter is how many rounds of the day were ended after the only count, 0 where there is none.
func (r *Records) playedAfter(count int) (n int) {
	for i := range r.Rounds {
		if one := &r.Rounds[i]; count >= 0 && !one.Ended.Before(r.From) && r.after(one, &r.Events[count]) {
			n++
		}
	}
	return n
}

// after says whether a round was ended after an event.
func (r *Records) after(one *Round, e *Event) bool { return e.before(one.Journal, one.Last, one.Ended) }

// forgot says whether something between two counts is not known: records that the pit lacks, or a count that the table
// did not know any more.
func (r *Records) forgot(first, last int) bool {
	a, b := &r.Events[first], &r.Events[last]
	for i := first + 1; i <= last; i++ {
		if e := &r.Events[i]; e.Of == vocab.InCount && !e.Known && e.Told.Unknown == 0 {
			return true
		}
	}
	return slices.ContainsFunc(r.Missing, func(at time.Time) bool { return at.After(a.At) && !at.After(b.At) })
}

// boxes are those of one tray's day: each that was taken off, and the cash that was left after the last one.
func (r *Records) boxes() (list []Box) {
	left := int64(0)
	for i := range r.Events {
		e := &r.Events[i]
		switch {
		case e.Of == vocab.InBuyIn:
			left += e.Told.Amount
		case e.Of == vocab.InDrop:
			if left = 0; !e.At.Before(r.From) {
				list = append(list, Box{Off: e, Must: e.Told.Amount})
			}
		}
	}
	if n := len(r.Gone); n > 0 { // with the tray, and with what was sold before these events
		if must := max(left, r.Gone[n-1].Told.Amount); must != 0 {
			list = append(list, Box{Off: &r.Gone[n-1], Must: must})
		}
		left = 0
	}
	var others []Opened
	for _, one := range r.Opened {
		at := slices.IndexFunc(list, func(b Box) bool {
			return b.Off.Journal == one.Journal && b.Off.Record == one.Record
		})
		if at < 0 {
			others = append(others, one)
			continue
		}
		list[at].Counts = append(list[at].Counts, one)
	}
	others = wereOn(list, others)
	if n := len(list); n > 0 && left == 0 && list[n-1].uncounted() { // they were asked for while it was on the table
		list[n-1].Counts, others = append(others, list[n-1].Counts...), nil
	}
	if left != 0 || len(others) > 0 {
		list = append(list, Box{Must: left, Counts: others})
	}
	return list
}

// wereOn gives entries of a box that was on the table, as far as it said, to the box that it was, and returns those of
// the one that is there still. An entry with a reason corrects the one before it; one without is of another box than
// that, also where a table's clock is ahead and took its box off later.
func wereOn(list []Box, entries []Opened) (still []Opened) {
	at, nth := -1, 0
	for i, one := range entries {
		if i == 0 || one.Reason == "" {
			at, nth = slices.IndexFunc(list, func(b Box) bool { return b.wasOn(&one) }), 0
		}
		if at < 0 {
			still = append(still, one)
			continue
		}
		list[at].Counts, nth = slices.Insert(list[at].Counts, nth, one), nth+1
	}
	return still
}

// wasOn says whether an entry of a box that was on the table, as far as it said, is of this one: it was taken off later
// than it was made, or went with its tray, and nobody has counted it but to correct that.
func (b *Box) wasOn(one *Opened) bool {
	return (b.Off.Of == vocab.InSetup || b.Off.At.After(one.At)) && b.uncounted()
}

// uncounted says that nobody has counted it, but to correct an entry of the box on the table.
func (b *Box) uncounted() bool { return len(b.Counts) == 0 || b.Counts[0].Reason != "" }

// Interval is the time between two counts, in which a difference has arisen.
type Interval struct {
	// From is the count before, nil where the table knows of none, and To the one that has found the difference.
	From, To *Event
	// Amount is how much more was there than had to be, as far as Known says that.
	Amount int64
	Known  bool
	// Lacks is by how much what the pit knows differs from what the table knew: its records are not all there.
	Lacks int64
	// Chip is the value of a chip that is just as much, 0 for none.
	Chip int64
	// Rounds are those worth looking at.
	Rounds []Look
}

// Differs says that what was counted is not what had to be there.
func (n *Interval) Differs() bool { return n.Known && n.Amount != 0 }

// Look is a round that is worth looking at: what may have gone wrong in it.
type Look struct {
	Round
	// Adjusted is what was paid of it afterwards, in the interval; it may be a round of before.
	Adjusted int64
	// Fits says that just as much as the difference was paid, or is missing.
	Fits bool
	// Most says that nothing else is said of it than that it moved most.
	Most bool
}

// mostLooks is how many rounds of an interval are listed, and fewLooks how many where nothing is said of any.
const (
	mostLooks = 12
	fewLooks  = 3
)

// between are the intervals that end in the day.
func (r *Records) between() (list []Interval) {
	before := -1
	for i := range r.Events {
		e := &r.Events[i]
		if e.Of != vocab.InCount {
			continue
		}
		if !e.At.Before(r.From) {
			list = append(list, r.interval(before, i))
		}
		before = i
	}
	return list
}

func (r *Records) interval(first, last int) Interval {
	to := &r.Events[last]
	n := Interval{To: to, Amount: to.Told.Difference, Known: to.Known}
	if first < 0 || r.Events[first].Journal != to.Journal {
		return n
	}
	n.From = &r.Events[first]
	must := n.From.Told.Amount
	var rounds []Look
	for i := range r.Rounds {
		if one := &r.Rounds[i]; r.within(one, first, last) {
			must += one.Won
			rounds = append(rounds, Look{Round: *one})
		}
	}
	for i := first + 1; i < last; i++ {
		e := &r.Events[i]
		must += e.moved()
		if e.Of == vocab.InAdjust {
			rounds = r.adjusted(rounds, e)
		}
	}
	if n.Known {
		n.Lacks = to.Must - must
	}
	if n.Differs() {
		n.Rounds = worthLooking(rounds, n.Amount)
		n.Chip = chipOf(to.Told.Chips, n.Amount)
	}
	return n
}

// adjusted notes an adjustment in the list of rounds, which it returns: its round may be one before the interval.
func (r *Records) adjusted(list []Look, e *Event) []Look {
	at := slices.IndexFunc(list, func(l Look) bool { return l.Number == e.Round })
	if at < 0 {
		at = len(list)
		list = append(list, Look{Round: Round{Journal: e.Journal, Number: e.Round, Ended: e.At, Dealer: e.Dealer}})
	}
	list[at].Adjusted += e.Told.Amount
	return list
}

// worthLooking are the rounds in which something may have gone wrong, those first that fit; or, where nothing has,
// those that moved most.
func worthLooking(rounds []Look, amount int64) (list []Look) {
	fits := func(moved int64) bool { return moved != 0 && (moved == amount || moved == -amount) }
	for _, one := range rounds {
		one.Fits = fits(one.Over) || fits(one.Adjusted)
		if one.Corrected > 0 || one.Accepted > 0 || one.Over != 0 || one.Large > 0 || one.Adjusted != 0 {
			list = append(list, one)
		}
	}
	slices.SortStableFunc(list, func(a, b Look) int { return cmp.Or(order(b.Fits, a.Fits), a.Ended.Compare(b.Ended)) })
	if len(list) > 0 {
		return list[:min(len(list), mostLooks)]
	}
	rounds = slices.Clone(rounds)
	slices.SortStableFunc(rounds, func(a, b Look) int { return cmp.Compare(max(b.Won, -b.Won), max(a.Won, -a.Won)) })
	for _, one := range rounds[:min(len(rounds), fewLooks)] {
		one.Most = true
		list = append(list, one)
	}
	return list
}

func order(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// chipOf is the value of a chip that is worth just as much.
func chipOf(chips []vocab.Chips, amount int64) int64 {
	for _, c := range chips {
		if c.Value == amount || c.Value == -amount {
			return c.Value
		}
	}
	return 0
}
