package figures

import (
	"slices"
	"time"
)

// Shift is a part of each gaming day, as the house divides it.
type Shift struct {
	Name string
	// Begins is when it begins by the house's clock, since midnight: at a full hour, as sums have them. It lasts until
	// the next one does. The first of a gaming day begins with the day, and the last one ends with it.
	Begins time.Duration
}

// shift is one of a gaming day's.
type shift struct {
	name        string
	from, until time.Time
}

// nightShifts are those of the gaming day of a date, in their order; none where the house has none.
func (f *Figures) nightShifts(night time.Time) (list []shift) {
	begins, ends := f.options.from(night), f.options.from(night.AddDate(0, 0, 1))
	for _, one := range f.options.Shifts {
		at := f.clock(night, one.Begins)
		if at.Before(begins) {
			at = f.clock(night.AddDate(0, 0, 1), one.Begins)
		}
		list = append(list, shift{one.Name, at, ends})
	}
	slices.SortFunc(list, func(a, b shift) int { return a.from.Compare(b.from) })
	for i := range list {
		if i == 0 {
			list[i].from = begins
			continue
		}
		list[i-1].until = list[i].from
	}
	return list
}

// clock is when the house's clock shows a time on a date.
func (f *Figures) clock(date time.Time, at time.Duration) time.Time {
	y, m, d := date.Date()
	return time.Date(y, m, d, int(at/time.Hour), int(at%time.Hour/time.Minute), 0, 0, f.options.Day.Zone)
}
